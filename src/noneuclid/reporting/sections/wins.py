"""Section "Who wins": the league by each metric, verdicts, and advice by kind of data."""

from noneuclid.reporting.section import Drawing, Section, table

FAMILIES = (
    "Blue disk: non-Euclidean method; orange square: Euclidean; grey diamond: floor, a "
    "baseline without information (largest class, mean, or shuffled labels); violet triangle: "
    "your own class."
)


def _league(run):
    from noneuclid.reporting.figures import league_figures

    figure = league_figures.draw_league(run.scores, run.metric, run.classes)
    return figure, league_figures.league_data(run.scores, run.metric)


def _accuracy_time(run):
    from noneuclid.reporting.figures import league_figures

    given = run.scores, run.metric, run.classes
    return league_figures.draw_accuracy_time(*given), league_figures.accuracy_time_data(*given)


def _sweep(run):
    from noneuclid.reporting.figures import sweeps

    sweep = run.entries[Wins.name]["sweep"]
    shown = {name: sweep[name] for name in ("pattern", "below") if name in sweep}
    figure = sweeps.draw(run.scores, run.metric, **sweep)
    return figure, sweeps.values(run.scores, run.metric, **shown)


def _sweep_text(run):
    from noneuclid.reporting.figures import sweeps

    return sweeps.caption(**run.entries[Wins.name]["sweep"])


DRAWINGS = (
    Drawing(
        "league",
        "Critical-difference diagram. Average rank of each method; grey ticks: its rank on each "
        "data set; whiskers: 95 % bootstrap interval over the data sets. Bars at the right join "
        "methods between which Nemenyi's test at 5 % finds no difference; the band joins the first"
        " method and those that do not differ from it. Both are drawn if every method has a rank "
        "on each of at least two data sets. The method with the first rank is not necessarily the "
        "best.",
        _league,
        "critical differences",
        "league",
    ),
    Drawing(
        "accuracy_time",
        "Mean of the metric over the data sets against the time of one fit, without the search for"
        " its settings (mean over folds, then median over data sets). Circled and joined: the "
        "Pareto front, methods that no other method beats in both. Floors are left out, methods "
        "that were run on part of the data are never on the front, and methods far below the "
        "others are drawn at the edge, with their value.",
        _accuracy_time,
        "accuracy against time",
        "accuracy_time",
    ),
)
SWEEP = Drawing("sweep", _sweep_text, _sweep)


class Wins(Section):
    """The league, the leader against every other method, and the best method by kind of data."""

    name = "wins"
    title = "Who wins"

    def entry(self, config):
        """Arguments of `sweeps.draw`, if the configuration has a sweep."""
        sweep = config.get("report", {}).get("sweep")
        return {"sweep": {"pattern": sweep} if isinstance(sweep, str) else sweep}

    def drawings(self, entry):
        """The diagram of ranks, accuracy against time, and the sweep."""
        return [*DRAWINGS, SWEEP] if entry["sweep"] else DRAWINGS

    def saved_tables(self, entry):
        """The league, scores by data set, the leader's tests, and the advice."""
        return [
            table("league", "league", "league", latex=True),
            table("tests", "the leader against every other", "tests", latex=True),
            table("kinds", "which method for which data", "kinds", latex=True),
            table("scores_by_dataset"),
        ]

    def tables(self, run):
        """Texts of these tables."""
        from noneuclid.reporting.tables import contrasts, exports, score_tables

        scores, metric, classes = run.scores, run.metric, run.classes
        verdict = contrasts.judge(scores, metric, classes)
        return {
            "league.tsv": score_tables.to_tsv(score_tables.league(scores, metric)),
            "league.tex": score_tables.to_latex(scores, metric, classes=classes),
            "scores_by_dataset.tsv": score_tables.to_tsv(score_tables.summarise(scores, metric)),
            **exports.both("tests", contrasts.contrasts(verdict), exports.TESTS),
            **exports.both("kinds", run.advised, exports.KINDS),
        }

    def values(self, run):
        """`leagues`, one for each metric, `advice`, `figures` and texts."""
        from noneuclid.reporting import style
        from noneuclid.reporting.tables import advice

        return {
            "leagues": run.leagues,
            "advice": advice.rows(run.advised, run.metric),
            "part": run.part,
            "metric": style.metric_label(run.metric),
            "families_note": FAMILIES,
            "figures": self.pictures(run),
        }
