"""Stage estimate: core-hours and memory of a configuration before it runs.

Not part of the workflow: the command ``noneuclid estimate`` runs it.
"""

import argparse
from pathlib import Path

import yaml

from noneuclid import configuration, costs, io, needs, provenance, registry
from noneuclid.contracts import Dataset, InputError
from noneuclid.stages.launch import launch

ROOT = provenance.SOURCE.parents[1]


def main(argv=None):
    """Parse the arguments, read configuration and laws, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    run(parser.parse_args(argv))


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument("--configfile", type=Path, default=ROOT / "config/config.yaml")
    parser.add_argument("--results", type=Path, default=Path("results"), help="for sizes of data")
    parser.add_argument("--costs", type=Path, default=ROOT / "resources/costs.tsv")
    parser.set_defaults(run=run)


def run(args):
    """Print the estimate of a configuration."""
    try:
        config = yaml.safe_load(args.configfile.read_text())
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"{args.configfile} cannot be read: {error}") from error
    configuration.check(config, ROOT / "workflow/schemas/config.schema.yaml")
    config = configuration.expanded(config)
    laws = costs.read_laws(args.costs)
    pairs = [(dataset, embedding) for dataset, embedding, _ in configuration.pairs(config)]
    sizes = {pair: size_of(config, *pair, args.results) for pair in pairs}
    print(costs.summary(config, sizes, laws))


def size_of(config, dataset, embedding, results):
    """Size of an embedded data set: from its result, or from settings of a generator, or None."""
    embedded, acquired = results / f"embed/{dataset}/{embedding}.npz", f"acquire/{dataset}.npz"
    dimension = config["embeddings"][embedding].get("settings", {}).get("dimension", 2)
    if embedded.is_file():
        return needs.size_of(embedded)
    if (results / acquired).is_file():
        found = io.read_record(results / acquired, Dataset)
        if found.kind == "points":
            dimension = found.features.shape[1]
        return costs.Size(len(found.labels), dimension, len(found.class_names))
    entry = config["datasets"][dataset]
    try:
        settings = registry.load(f"{entry['loader']}.DEFAULTS") | entry.get("settings", {})
    except InputError:
        return None
    return costs.size_of_generator(settings, dimension)


if __name__ == "__main__":
    launch(main)
