"""The picture docs/tree_2.png: hyperplanes of five solvers for one problem of yang2024.

    NONEUCLID_MIRROR=/data/papers python benchmarks/tree_2.py

The moment relaxation takes some minutes with all 1 067 points.
"""

from pathlib import Path

from noneuclid_papers.data import yang2024_points
from noneuclid_papers.figures.hyperplanes import draw_hyperplanes
from noneuclid_papers.statistics import certificates, optimality_gaps
from outputs import paper_file

PICTURE = Path(__file__).resolve().parents[1] / "docs/tree_2.png"
SOLVERS = {
    "optimal": {"solver": "optimal"},
    "sdp": {"solver": "sdp"},
    "moment": {"solver": "moment"},
    "pgd": {"solver": "pgd", "loss": "hinge"},
    "pgd_released": {"solver": "released_pgd", "loss": "hinge"},
}


def main():
    folder = paper_file("hsvm-relax", "tree_2")
    files = {"points": folder / "X_lorentz.npy", "labels": folder / "y.npy"}
    data = yang2024_points.load(files, 0, name="tree_2")
    points = data.features
    posed = certificates.problems(data.labels, data.class_names)
    solutions = certificates.certify(points, posed, [10], SOLVERS)
    names = {"dataset": "tree_2_yang2024", "embedding": "given", "dimension": 2}
    rows = optimality_gaps.long_table([names | {"solutions": solutions}])
    ((_, _, signs),) = posed
    figure = draw_hyperplanes(rows, points, signs > 0)
    figure.suptitle("tree_2 of yang2024: one subtree against the rest, C = 10")
    figure.savefig(PICTURE, dpi=150)


if __name__ == "__main__":
    main()
