"""Stage draw: the disk of one embedded data set, with each method's decision regions.

Points of a product space have a picture for each factor.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from noneuclid.geometry import charts, spaces
from noneuclid.plots import disk_regions, disk_views
from noneuclid_compare import io
from noneuclid_compare.config import load_by_name
from noneuclid_compare.data import targets
from noneuclid_compare.records import Disk, Embedded, Predictions
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.figures import page_figures, product
from noneuclid_compare.report.names import Names
from noneuclid_compare.stages.launch import launch


def main(argv=None):
    """Parse the arguments, read points, models and predictions, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, required=True)
    parser.add_argument("--methods", type=json.loads, required=True, help="JSON: name to class")
    parser.add_argument("--models", type=Path, help="folder of this pair's models, if kept")
    parser.add_argument("--train", type=Path, required=True, help="folder of this pair's runs")
    parser.add_argument(
        "--output", type=Path, nargs=5, required=True, help="npz, tsv, png, svg, pdf"
    )
    parser.add_argument("--names", type=Names.from_json, default=Names(), help="JSON, see names")
    args = parser.parse_args(argv)

    embedded = io.read_record(args.points, Embedded)
    predictions = [
        io.read_record(args.train / method / "0.npz", Predictions) for method in args.methods
    ]
    numeric = embedded.target is not None
    edges = targets.edges(embedded.target, embedded.labels) if numeric else None
    space = spaces.product_of(embedded.chart)
    planar = embedded.dimension == 2 and space is None
    kept = [
        read_model(args.models / f"{method}.skops", use)
        for method, use in args.methods.items()
        if planar and args.models
    ]
    if space is None:
        points = disk_regions.flatten(embedded.points, embedded.chart, embedded.curvature)
    else:
        points = disk_regions.flatten(
            spaces.convert(embedded.points, embedded.chart, "tangent"), "tangent"
        )
    view = disk_views.of(points) if planar else disk_views.PLAIN
    decided = [decide(model, edges, view) for model in kept]
    disk = Disk(
        dataset=embedded.about["dataset"]["name"],
        embedding=embedded.about["embedding"]["name"],
        methods=tuple(args.methods),
        points=view.draw(points),
        labels=embedded.labels,
        class_names=embedded.class_names,
        dimension=embedded.dimension,
        held_out=np.array([held_out(p, len(embedded.labels), edges) for p in predictions]),
        regions=np.array(decided) if decided else None,
        edges=edges,
        references=references(kept, view) if kept else None,
        scale=view.scale,
        space="" if space is None else str(space),
        coordinates=None if space is None else embedded.points,
    )
    io.write_record(args.output[0], disk)
    io.write_table(args.output[1], disk_figure.tabulate_disk(disk))
    if space is None:
        figure = disk_figure.draw_disk(disk, names=args.names)
    else:
        figure = product.draw_product(disk, args.names)
    page_figures.write_figure(figure, args.output[2].with_suffix(""))


def read_model(path, use):
    """A kept model; the configuration names its class."""
    return io.read_model(path, trusted=[load_by_name.trusted_types(use)])


def decide(kept, edges=None, view=disk_views.PLAIN):
    """Decision regions of a kept model."""
    return disk_regions.regions(
        kept["estimator"],
        kept["class_names"],
        kept["chart"],
        curvature=kept["curvature"],
        edges=edges,
        view=view,
    )


def references(models, view=disk_views.PLAIN):
    """Points in the unit disk that the hyperplanes of kept models pass through: position, x, y."""
    found = [np.empty((0, 3))]
    for k, model in enumerate(models):
        fitted = getattr(model["estimator"], "best_estimator_", model["estimator"])
        points = getattr(fitted, "reference_points_", np.empty((0, 3)))
        places = np.unique(charts.convert(points, "hyperboloid", "poincare").round(12), axis=0)
        found.append(np.column_stack([np.full(len(places), k), view.draw(places)]))
    return np.concatenate(found)


def held_out(predictions, n, edges=None):
    """Code predicted for each of `n` rows when it was held out; `NOTHING` if it never was."""
    codes = np.full(n, disk_regions.NOTHING, dtype=np.int16)
    predicted = predictions.predicted
    codes[predictions.rows] = predicted if edges is None else targets.codes_of(predicted, edges)
    return codes


if __name__ == "__main__":
    launch(main)
