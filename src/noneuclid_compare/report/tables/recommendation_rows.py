"""What to use on each data set, by `noneuclid_compare.evaluation.recommendations`, in words."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from noneuclid_compare import io, wording
from noneuclid_compare.embed.original_features import NO_NEW_NODES
from noneuclid_compare.evaluation import recommendations, verdicts
from noneuclid_compare.report import style
from noneuclid_compare.report.names import capital
from noneuclid_compare.report.tables import prediction_code, provenance_rows

ORIGINAL = "original"  # the embedding that hands the features through
TEST = "corrected resampled t-test over the folds, Holm's correction, 5 %"
# Linear models of the coordinates.
LINEAR = ("sklearn.linear_model.", "baseline_logistic", "baseline_ridge")
COLUMNS = [
    *("dataset", "embedding", "method", "mean", "low", "high", "better", "folds", "candidates"),
    *("baseline_embedding", "baseline", "over_baseline", "over_baseline_low"),
    *("over_baseline_high", "runner_up_embedding", "runner_up", "over_runner_up"),
    *("over_runner_up_low", "over_runner_up_high", "places_new_rows"),
]


@dataclass(frozen=True)
class Case:
    """The candidates of one data set and the recommendation.

    `found` is None if there is no candidate; `placing` are embeddings that place new rows, and
    `instead` is the recommendation among candidates on these, if `found` chose none of them.
    """

    dataset: str
    found: recommendations.Recommendation
    left_out: list
    placing: set
    instead: recommendations.Recommendation | None


def cases(scores, metric, classes, placing):
    """A `Case` of each data set; candidates are pairs (embedding, method).

    `placing` has the pairs (dataset, embedding) that place new rows.
    """
    larger = style.higher_is_better(metric)
    real = [m for m in scores["method"].unique() if style.family(m, classes) != "floor"]
    real = [m for m in real if style.is_usable(m, classes)] or real
    values, ratio = verdicts.values_of(scores, metric, larger, real)
    found = []
    for dataset in scores["dataset"].unique():
        if dataset not in values.index.get_level_values("dataset"):
            continue
        table = values.xs(dataset).unstack("embedding").swaplevel(axis="columns")
        table = table.dropna(how="all", axis="columns").dropna(how="all")
        whole = table.dropna(axis="columns")
        ratios = ratio.xs(dataset).groupby(level=["repeat", "fold"]).first()[whole.index]
        here = {embedding for name, embedding in placing if name == dataset}
        order = simplest_first(scores[scores["dataset"] == dataset], classes, here)
        asked = ratios.mean(skipna=False), order
        best, instead = recommendations.recommend(whole, *asked), None
        if best is None:
            continue
        usable = [candidate for candidate in whole.columns if candidate[0] in here]
        if best.chosen[0] not in here and usable:
            instead = recommendations.recommend(whole[usable], *asked)
        left_out = [candidate for candidate in table.columns if candidate not in whole.columns]
        found.append(Case(dataset, best, left_out, here, instead))
    return found


def simplest_first(scores, classes, placing):
    """Candidates of one data set in an order that no score decides.

    First those without embedding; then linear models, other Euclidean methods, all others; then
    embeddings that place new rows; then the order of the configuration.
    """
    pairs = scores[["embedding", "method"]].drop_duplicates()
    known = list(pairs.itertuples(index=False, name=None))

    def key(candidate):
        embedding, method = candidate
        return embedding != ORIGINAL, _tier(method, classes), embedding not in placing

    return sorted(known, key=key)


def _tier(method, classes):
    """0: linear, 1: another Euclidean method, 2: any other."""
    if style.family(method, classes) != "Euclidean":
        return 2
    return 0 if classes.get(method, method).startswith((*LINEAR, "logistic")) else 1


def table(cases, metric):
    """The table to be saved: one row for each data set, columns `COLUMNS`."""
    sign = 1 if style.higher_is_better(metric) else -1
    rows = []
    for case in cases:
        best = case.found
        ends = sorted((sign * best.low, sign * best.high))
        row = [case.dataset, *best.chosen, sign * best.means[best.chosen], *ends, best.better]
        row += [best.folds, len(best.means), *best.baseline]
        row += [best.over_baseline[key] for key in ("difference", "low", "high")]
        row += best.runner_up or ("", "")
        row += [best.over_runner_up[key] for key in ("difference", "low", "high")]
        rows.append([*row, best.chosen[0] in case.placing])
    return pd.DataFrame(rows, columns=COLUMNS)


@dataclass(frozen=True)
class Drawn:
    """The candidate whose decision regions open the page, and whether it is recommended.

    If not, the recommendation is a method without embedding, and this is the leader of the others.
    """

    dataset: str
    embedding: str
    method: str
    recommended: bool


def drawn(cases, pairs, leader=None):
    """`Drawn` of the first data set among the `pairs` (dataset, embedding) with disks, or None.

    Where the recommendation has no embedding, the method is the `leader` of the verdict if it was
    run, on the embedding where its mean is highest.
    """
    for case in cases:
        means = case.found.means
        embedded = [
            candidate
            for candidate in means.index
            if candidate[0] != ORIGINAL and (case.dataset, candidate[0]) in pairs
        ]
        if case.found.chosen in embedded:
            return Drawn(case.dataset, *case.found.chosen, True)
        if embedded and case.found.chosen[0] == ORIGINAL:
            led = [candidate for candidate in embedded if candidate[1] == leader]
            return Drawn(case.dataset, *means[led or embedded].idxmax(), False)
    return None


def rows(cases, run, sources):
    """Texts of each data set for the page; `sources`: see `prediction_code.source`."""
    return [_Words(case, run, sources[case.dataset]).values() for case in cases]


class _Words:
    """The texts of one data set."""

    def __init__(self, case, run, source):
        self.case, self.run, self.source, self.metric = case, run, source, run.metric

    def values(self):
        best = self.case.found
        return {
            "dataset": self.case.dataset,
            "name": self._name("datasets", self.case.dataset),
            "use": capital(self._named(best.chosen)),
            "short": f"{self._named(best.chosen)}: {self._score(best)}" + self._late(best, " ({})"),
            "sentence": self._sentence()
            + self._late(best, " {}: see Provenance before you use it."),
            "score": capital(self._score(best)),
            "baseline": ""
            if best.chosen == best.baseline
            else self._against(best.baseline, best.over_baseline),
            "runner_up": best.runner_up and self._against(best.runner_up, best.over_runner_up),
            "basis": self._basis(),
            "models": self._models() if self.source.get("models", True) else [],
        }

    def _name(self, part, identifier):
        names = getattr(self.run, "names", None)
        return names.in_text(part, identifier) if names else identifier

    def _named(self, candidate):
        """A candidate in words."""
        embedding, method = candidate
        text = self._name("methods", method)
        if embedding == ORIGINAL:
            return f"{text} without embedding"
        if embedding == "given":
            return f"{text} on the given coordinates"
        return f"{text} on {self._name('embeddings', embedding)}"

    def _sentence(self):
        """The recommendation in one sentence, which says that it rests on one data set."""
        best = self.case.found
        start = f"Use {self._named(best.chosen)}: on this one data set "
        others = len(best.means) - 1
        if not others:
            return f"{start}it is the only candidate, so that nothing is compared."
        if not best.tested:
            return (
                f"{start}it has the best score. Each candidate has one value, so that differences "
                "cannot be tested: use several folds or repeats."
            )
        if not best.better:
            rest = f"none of the {others} other candidates" if others > 1 else "the other candidate"
            verb = "is" if others > 1 else "is not"
            return f"{start}{rest} {verb} significantly better, and this is the simplest."
        text = (
            f"{start}it is significantly better than {self._named(best.baseline)}, the simplest "
            f"candidate, by {self._size(best.over_baseline)}"
        )
        if best.chosen == best.leader:
            return f"{text}."
        return f"{text}, and not significantly worse than {self._named(best.leader)}."

    def _late(self, best, form):
        """How many fits of the chosen candidate did not converge; empty if all did."""
        key = (self.case.dataset, *best.chosen)
        names = ("dataset", "embedding", "method")
        found = provenance_rows.late(
            [run for run in self.run.runs if tuple(run[name] for name in names) == key]
        )
        return found and form.format(found)

    def _size(self, gap):
        """By how much the chosen candidate is better, with the interval."""
        unit = " points" if style.in_percent(self.metric) else ""
        ends = self._reach(gap["low"], gap["high"])
        return f"{style.score(gap['difference'], self.metric)}{unit}{ends}"

    def _against(self, candidate, gap):
        """Another candidate, its mean, and how far that is from the mean of the chosen one."""
        best = self.case.found
        sign = 1 if style.higher_is_better(self.metric) else -1
        # In the direction of the metric, and of the word.
        size, *ends = (round(-sign * gap[key], 9) for key in ("difference", "low", "high"))
        word = "higher" if size > 0 else "lower"
        turned = sorted(end if size > 0 else -end for end in ends)
        unit = " points" if style.in_percent(self.metric) else ""
        text = f"{capital(self._named(candidate))}, {self._number(best.means[candidate])}: "
        words = f"{style.score(abs(size), self.metric)}{unit} {word}" if size else "no difference"
        return f"{text}{words}{self._reach(*turned)}."

    def _reach(self, low, high):
        return f" ({style.interval(low, high, self.metric, plus=False) or 'no interval'})"

    def _number(self, value):
        sign = 1 if style.higher_is_better(self.metric) else -1
        unit = "\u00a0%" if style.in_percent(self.metric) else ""
        return f"{style.score(sign * value, self.metric)}{unit}"

    def _score(self, best):
        """Mean of the chosen candidate of a recommendation, with its interval."""
        text = f"{style.metric_words(self.metric)} {self._number(best.means[best.chosen])}"
        if np.isnan(best.low):
            return text
        sign = 1 if style.higher_is_better(self.metric) else -1
        low, high = sorted((sign * best.low, sign * best.high))
        if style.higher_is_better(self.metric):
            # No mean is above the largest value, which is 1 for all of these.
            high = min(high, 1.0)
        if self.metric != "r2":
            # Nor below 0, for all others.
            low = max(low, 0.0)
        return f"{text} ({style.score(low, self.metric)} to {style.score(high, self.metric)})"

    def _basis(self):
        """What the evidence consists of, and what it does not show."""
        best = self.case.found
        text = f"One data set, {wording.count(best.folds, 'test fold')}, "
        text += f"{wording.count(len(best.means), 'candidate')}. "
        if best.chosen != best.baseline:
            text += "The same folds chose the candidate, so its score is slightly optimistic. "
        if any(
            run["transductive"]
            for run in self.run.runs
            if (run["dataset"], run["embedding"]) == (self.case.dataset, best.chosen[0])
        ):
            text += (
                "The embedding was fitted on test rows too, without their labels: scores on rows "
                "that it has not seen may be lower. "
            )
        if self.case.left_out:
            left = wording.listed(map(self._named, self.case.left_out), most=3)
            text += f"Not compared, because some folds have no value: {left}. "
        return text + "It shows nothing about other data."

    def _models(self):
        """The model of the recommendation, and one that places new rows if that one does not."""
        case = self.case
        found = [self._model(case.found.chosen, "")]
        if case.found.chosen[0] in case.placing:
            return found
        embedding = case.found.chosen[0]
        found[0]["remark"] = (
            NO_NEW_NODES
            if embedding == ORIGINAL
            else f"The embedding {self._name('embeddings', embedding)} has no rule for new rows: "
            "this model labels points that were embedded together with the training rows, but no "
            "new features."
        )
        if case.instead is None and embedding != ORIGINAL:
            found[0]["remark"] += (
                " No embedding of this data set places new rows: embed them together with the old "
                "ones, or add an embedding that has a rule, such as lifted_pca for tables."
            )
        if case.instead is None:
            return found
        return [*found, self._model(case.instead.chosen, self._instead())]

    def _instead(self):
        """Why the second model."""
        best, instead = self.case.found, self.case.instead
        text = f"For new rows, use {self._named(instead.chosen)}: {self._score(instead)}, "
        lost = best.means[best.chosen] - instead.means[instead.chosen]
        unit = " points" if style.in_percent(self.metric) else ""
        worse = "lower" if lost >= 0 else "higher"
        if not style.higher_is_better(self.metric):
            worse = "higher" if lost >= 0 else "lower"
        text += f"{style.score(abs(lost), self.metric)}{unit} {worse} than above."
        return text + self._late(instead, " {}: see Provenance before you use it.")

    def _model(self, candidate, remark):
        embedding, method = candidate
        path = f"results/models/{self.case.dataset}/{embedding}/{method}.skops"
        places = embedding in self.case.placing
        chart = next(run["chart"] for run in self.run.runs if run["method"] == method)
        source = self.source if places else self.source | {"chart": chart}
        asked = path, source, self.run.classes.get(method, "")
        labels = places or embedding != ORIGINAL
        return {
            "title": capital(self._named(candidate)),
            "remark": remark,
            "path": path,
            "link": f"../{path.removeprefix('results/')}",
            "novelty": embedding != ORIGINAL,
            "command": prediction_code.command(*asked) if labels else "",
            "code": prediction_code.lines(*asked) if labels else "",
        }


def placing(results, pairs):
    """Pairs (dataset, embedding) whose embedding has a rule for new rows."""
    found = set()
    for dataset, embedding in pairs:
        _, rule = io.read_header(results / f"map/{dataset}/{embedding}.npz")
        if rule.get("kind", "none") != "none":
            found.add((dataset, embedding))
    return found
