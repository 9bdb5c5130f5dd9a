"""Section "Held-out groups": what the folds leave out, and what random folds would have shown."""

from noneuclid_compare.report.section import Section, table

HEADS = ("data set", "pipeline", "{metric}, new groups", "random folds", "difference")
MIXED = (
    "Folds mix the rows of {mixed} of {groups} ({what}), as the configuration asks; scores for new "
    "ones can be lower."
)
WHOLE = "Folds leave out whole groups ({what}): {groups}, {folds}."
SPECTRAL = "spectral coordinates"  # the features of networks without features
NEVER = " Never held out: {never}."
SEEN = " {embeddings} saw all groups, without labels."
# Of the best pipeline, and of the one that random folds would have ranked first.
MORE = " Random folds would have changed the score of {name} by {gap}{chance}"
FIRST = " and that of {name}, their best one, by {gap}{chance}"
NONE = " No interval for random folds: {obstacle}."
CHANCE = {True: " (the interval contains 0)", False: ""}
NOTE = (
    "A fold leaves out whole groups, whose rows resemble each other. Scores are of all held-out "
    "rows of the first repeat together; random folds have the same number of folds and the "
    "settings chosen before. The 95 % interval is a jackknife over groups, which are independent "
    "where rows are not, with the variance raised for training rows that folds share."
)
COLUMNS = ["dataset", "embedding", "method", "grouped", "random", "difference", "low", "high"]


class RandomFolds(Section):
    """Of data sets with `groups`, a row for each pipeline, from the stage random_folds."""

    name = "random_folds"
    title = "Held-out groups"
    template = "table.html.j2"

    def entry(self, config):
        """`datasets` with groups, `runs` of those whose folds leave groups out, and `repeats`."""
        from noneuclid_compare.config import configuration

        names = [
            name
            for name, one in config.get("datasets", {}).items()
            if "groups" in one.get("params", {})
        ]
        if not names:
            return None
        runs = configuration.group_runs(config)
        return {"datasets": names, "runs": runs, "repeats": config.get("repeats", 1)}

    def reads(self, entry):
        """Folds, and records of the stage."""
        repeats = range(entry["repeats"])
        folds = [f"split/{name}/{repeat}.npz" for name in entry["datasets"] for repeat in repeats]
        return folds + ["random_folds/{}/{}/{}.json".format(*run) for run in entry["runs"]]

    def saved_tables(self, entry):
        """One row for each pipeline."""
        return [table("random_folds")]

    def tables(self, run):
        """The table with all digits."""
        from noneuclid_compare.report.tables import score_tables

        return {"random_folds.tsv": score_tables.to_tsv(self.found(run))}

    def warning(self, run):
        """What the folds of each data set leave out."""
        from noneuclid_compare.report import style

        found = self.found(run)
        found = found.loc[[style.family(m, run.classes) != "floor" for m in found["method"]]]
        said = [self.sentence(run, name, found) for name in run.entries[self.name]["datasets"]]
        return "Groups.", " ".join(said)

    def values(self, run):
        """`note`, `heads` and `rows` of the table."""
        from noneuclid_compare.report import style
        from noneuclid_compare.report.tables import pipelines

        rows = []
        for one in self.found(run).itertuples():
            name = pipelines.in_words((one.embedding, one.method), run.names)
            scores = [style.score(value, run.metric) for value in (one.grouped, one.random)]
            gap = pipelines.gap(one.difference, one.low, one.high, run.metric)
            rows.append([run.names.head("datasets", one.dataset), name, *scores, gap])
        label = style.metric_label(run.metric)
        return {
            "menu": "Groups",
            "note": NOTE,
            "heads": [head.format(metric=label) for head in HEADS],
            "rows": rows,
            "saved": ["tables/random_folds.tsv"],
        }

    def found(self, run):
        """Scores of all pipelines by the metric of the report, the best of a data set first."""
        import pandas as pd

        rows = []
        for key in run.entries[self.name]["runs"]:
            scores = run.read_json("random_folds/{}/{}/{}.json".format(*key))["scores"]
            if run.metric in scores:
                rows.append([*key, *(scores[run.metric][name] for name in COLUMNS[3:])])
        found = pd.DataFrame(rows, columns=COLUMNS)
        order = found.assign(worst=-found["grouped"])
        order = order.sort_values(["dataset", "worst"], kind="stable")
        return order[COLUMNS].reset_index(drop=True)

    def sentence(self, run, dataset, found):
        """What the folds of a data set leave out, and what random ones would have shown."""
        from noneuclid_compare import wording
        from noneuclid_compare.report import names
        from noneuclid_compare.report.tables import pipelines

        split, *_ = run.splits(dataset)
        texts = {
            "what": split.about["grouped_by"],
            "groups": wording.count(split.about["n_groups"], "group"),
            "folds": wording.count(split.n_folds, "fold"),
            "mixed": split.about["mixed_groups"],
        }
        if texts["mixed"]:
            return MIXED.format(**texts)
        said = WHOLE.format(**texts)
        if never := split.about["n_groups"] - run.tested_groups[dataset]:
            said += NEVER.format(never=wording.count(never, "group"))
        if seen := transductive(run, dataset):
            said += SEEN.format(embeddings=names.capital(wording.listed(seen)))
        here = found[found["dataset"] == dataset].set_index(["embedding", "method"])
        if here.empty:
            keys = [key for key in run.entries[self.name]["runs"] if key[0] == dataset]
            records = [run.read_json("random_folds/{}/{}/{}.json".format(*key)) for key in keys]
            reasons = dict.fromkeys(one["obstacle"] for one in records if "obstacle" in one)
            return said + "".join(NONE.format(obstacle=reason) for reason in reasons)
        best = tuple(run.of_datasets[dataset].best[["embedding", "method"]])
        best = best if best in here.index else here.index[0]
        first = here["random"].idxmax()
        for row, template in {best: MORE, first: FIRST if first != best else MORE}.items():
            one = here.loc[row]
            low, high = one["low"], one["high"]
            said += template.format(
                name=pipelines.in_words(row, run.names),
                gap=pipelines.gap(one["difference"], low, high, run.metric),
                chance=CHANCE[bool(low <= 0 <= high)],
            )
        return said + "."


def transductive(run, dataset):
    """Names of the embeddings of a data set that were fitted to its test rows, too."""
    from noneuclid_compare.records import ORIGINAL

    seen = [one for one in run.runs if one["dataset"] == dataset and one["transductive"]]
    found = {one["embedding"]: run.names.in_text("embeddings", one["embedding"]) for one in seen}
    return list((found | {ORIGINAL: SPECTRAL} if ORIGINAL in found else found).values())


SECTION = RandomFolds()
