"""Stage predict: label new samples, or give their numbers, by a model that the stage train kept.

Not part of the workflow: the command ``noneuclid predict`` runs it.
"""

import argparse
import sys
from pathlib import Path

from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.models import new_samples
from noneuclid_compare.models.kept_model import read_model
from noneuclid_compare.stages.launch import launch, reader_may_leave
from noneuclid_compare.wording import printable

# Options that say how to read the samples.
OPTIONS = ("chart", "id", "drop", "decimal", "features", "reference", "missing_genes", "error_rate")


def main(argv=None):
    """Parse the arguments, read model and samples, predict, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    run(parser.parse_args(argv))


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .skops of results/models")
    parser.add_argument(
        "data",
        type=Path,
        metavar="DATA",
        help="samples: csv, tsv, txt, parquet, npz, npy or h5ad; a folder of images; of a network, "
        "edges of new nodes",
    )
    parser.add_argument(
        "--trust", nargs="+", default=[], metavar="NAME", help="modules and FILE.py of own methods"
    )
    parser.add_argument("--output", type=Path, help="TSV, or .parquet; default: standard output")
    parser.add_argument(
        "--chart",
        choices=(*charts.COORDINATES, charts.SPACE_ONLY),
        help="DATA holds points of the embedding in this chart",
    )
    parser.add_argument("--id", help="column of a table that names the samples")
    parser.add_argument("--drop", nargs="+", default=[], help="columns that are not features")
    parser.add_argument(
        "--decimal", choices=[".", ","], help="mark in a text table; default: that of training"
    )
    parser.add_argument(
        "--features",
        help="array of an npz; X, raw, layers/NAME or obsm/NAME of an h5ad; default: that of "
        "training",
    )
    parser.add_argument(
        "--reference",
        type=Path,
        metavar="H5AD",
        help="the training cells, on whose principal components the new cells are projected",
    )
    parser.add_argument(
        "--missing-genes",
        choices=("error", "mean"),
        default="error",
        help="of new cells with raw counts: genes of training that DATA does not have are an "
        "error, or have their means of training",
    )
    parser.add_argument(
        "--error-rate",
        type=float,
        metavar="RATE",
        help="add the columns label, a class or 'unknown', and prediction_set: about this share of "
        "new samples, or of those of new groups, may have a wrong label, such as 0.1",
    )
    parser.set_defaults(run=run)


def run(args):
    """Label the samples; warnings go to standard error, the table to the output."""
    model = read_model(args.model, args.trust)
    options = {name: getattr(args, name) for name in OPTIONS}
    table, notes, far = new_samples.labelled(
        model, args.data, args.model, written=new_samples.in_shell, **options
    )
    for sentence in notes:
        print(f"note: {printable(sentence)}", file=sys.stderr)
    if far:
        print(f"warning: {far}", file=sys.stderr)
    if numbers := new_samples.numbers_of_classes(model, table):
        print(f"predicted: {numbers}", file=sys.stderr)
    if args.output is None:
        with reader_may_leave():
            table.to_csv(sys.stdout, sep="\t", index=False)
    else:
        io.write_table(args.output, table)


if __name__ == "__main__":
    launch(main)
