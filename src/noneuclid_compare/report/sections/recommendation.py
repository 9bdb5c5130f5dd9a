"""Section "What to use on these data": a model of each data set, and how to use it."""

from pathlib import PurePath

from noneuclid_compare import plugins
from noneuclid_compare.config import defaults
from noneuclid_compare.report.section import Section, table

# What the loaders of the user's own files read, by suffix.
FORMATS = {
    "table_file": ("csv", "tsv", "txt", "parquet"),
    "anndata_file": ("h5ad",),
    "array_file": ("npz", "npy", "txt", "vec", "bin", "kv", "model", "pt", "pth"),
    "graph_file": ("gml", "graphml", "gexf", "net", "csv", "tsv", "txt", "edges", "edgelist"),
    "feature_table": ("biom", "tsv"),
}
# The texts of more data sets are folded, and those of many more are left out: the section is for
# the data of a user, and what it needs is an argument of a command.
UNFOLDED, MOST = 3, 30


class Recommendation(Section):
    """What to use on each data set, its evidence, and the code that uses it."""

    name = "recommendation"
    title = "What to use on these data"

    def entry(self, config):
        """`sources` of the data sets and `pairs`; none for a study or for over `MOST` data sets."""
        if "datasets" not in config or len(config["datasets"]) > MOST:
            return None
        if any(key in config for key in plugins.items("STUDIES", ("routes",))):
            return None
        datasets, kept = config["datasets"], {"models": config.get("keep_models", True)}
        return {
            "sources": {name: source(dataset) | kept for name, dataset in datasets.items()},
            "pairs": [
                [name, e] for name, dataset in datasets.items() for e in dataset["embeddings"]
            ],
        }

    def reads(self, entry):
        """Rules for new rows."""
        return [f"map/{dataset}/{embedding}.npz" for dataset, embedding in entry["pairs"]]

    def saved_tables(self, entry):
        """The recommendations."""
        return [table("recommendations")]

    def tables(self, run):
        """The recommendations with all digits."""
        from noneuclid_compare.report.tables import recommendation_rows, score_tables

        found = recommendation_rows.table(run, self.placing(run))
        return {"recommendations.tsv": score_tables.to_tsv(found)}

    def placing(self, run):
        """Pairs of a data set and an embedding that places new rows."""
        from noneuclid_compare.report.tables import recommendation_rows

        return recommendation_rows.placing(run.results, run.entries[self.name]["pairs"])

    def values(self, run):
        """`rows`, one for each data set, and whether they are `folded`."""
        from noneuclid_compare.report.tables import prediction_code, recommendation_rows

        sources = {
            name: prediction_code.with_reference(one, run.results.parent)
            for name, one in run.entries[self.name]["sources"].items()
        }
        rows = recommendation_rows.rows(run, self.placing(run), sources)
        return {"menu": "What to use", "rows": rows, "folded": len(rows) > UNFOLDED}


def source(dataset):
    """What code that reads new samples must know of an entry under `datasets:`."""
    params = dataset.get("params", {})
    path = str(dataset.get("files", {}).get("data", ""))
    suffix = PurePath(path.removesuffix(".gz")).suffix[1:]
    own = suffix in FORMATS.get(dataset["use"], ())
    network = defaults.KINDS.get(dataset["use"]) == "graph"
    return {
        "path": path if own else "",
        "suffix": suffix if own else "edges" if network else "npz",
        "network": network,
        "features": params.get("features") or "",
    }


SECTION = Recommendation()
