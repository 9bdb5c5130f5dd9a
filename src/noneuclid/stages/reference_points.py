"""Stage reference_points: figures of the reference point of the Poincaré SVM for two classes."""

import argparse
from pathlib import Path

from noneuclid import io
from noneuclid.contracts import Embedded
from noneuclid.evaluation.reference_points import scene
from noneuclid.reporting import figures, reference_points
from noneuclid.stages.launch import launch


def main(argv=None):
    """Parse the arguments, read points and model, fit, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True, help="kept model, a PoincareSVC")
    parser.add_argument("--class", dest="classes", action="append", required=True, help="twice")
    parser.add_argument("--output", type=Path, required=True, help="folder")
    args = parser.parse_args(argv)

    model = io.read_model(args.model, trusted=["noneuclid."])["estimator"]
    shown = scene(io.read_record(args.points, Embedded), args.classes, model)
    for name, figure in reference_points.draw(shown).items():
        for format in figures.FORMATS:
            io.write_bytes(args.output / f"{name}.{format}", figures.to_bytes(figure, format))
    io.write_json(args.output / "texts.json", reference_points.texts(shown))


if __name__ == "__main__":
    launch(main)
