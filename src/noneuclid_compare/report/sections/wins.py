"""Section "Who wins": the league by each metric, verdicts, and advice by kind of data."""

from noneuclid_compare.report.section import Section, table

FAMILIES = (
    "Symbols: blue disk, non-Euclidean method; orange square, Euclidean method; grey diamond, "
    "trivial baseline (majority class, mean or shuffled labels); violet triangle, your own class."
)


class Wins(Section):
    """The league, the leader against every other method, and the best method by kind of data."""

    name = "wins"
    title = "Who wins"

    def entry(self, config):
        """Arguments of `sweep.draw_sweep`, if the configuration has a sweep."""
        sweep = config.get("report", {}).get("sweep")
        return {"sweep": {"pattern": sweep} if isinstance(sweep, str) else sweep}

    def saved_tables(self, entry):
        """The league, scores by data set, the leader's tests, and the advice."""
        return [
            table("league", "league", "league", latex=True),
            table("tests", "the leader against every other", "tests", latex=True),
            table("kinds", "which method for which data", "kinds", latex=True),
            table("scores_by_dataset"),
            table("without_embedding"),
        ]

    def tables(self, run):
        """Texts of these tables."""
        from noneuclid_compare.report.tables import exports, leader_comparisons, score_tables

        scores, metric, classes = run.scores, run.metric, run.classes
        verdict = leader_comparisons.judge(scores, metric, classes)
        return {
            "league.tsv": score_tables.to_tsv(score_tables.league(scores, metric)),
            "league.tex": score_tables.to_latex(scores, metric, classes=classes),
            "scores_by_dataset.tsv": score_tables.to_tsv(score_tables.summarise(scores, metric)),
            "without_embedding.tsv": score_tables.to_tsv(run.without_embedding),
            **exports.both("tests", leader_comparisons.contrasts(verdict), exports.TESTS),
            **exports.both("kinds", run.advised, exports.KINDS),
        }

    def values(self, run):
        """`leagues`, one for each metric, `advice`, `figures` and texts."""
        from noneuclid_compare.report import style
        from noneuclid_compare.report.tables import findings, winners_by_kind

        # Data sets are the units of ranks and kinds, and their embeddings are not.
        several = run.leagues[0]["n_datasets"] > 1
        advice = winners_by_kind.rows(run.advised, run.metric, run.names) if several else []
        return {
            "leagues": run.leagues,
            "advice": advice,
            "no_ranks": "" if several else findings.NO_RANKS,
            "metric": style.metric_label(run.metric),
            "families_note": FAMILIES,
            "figures": [
                shown for shown in run.pictures(self.title) if several or shown["id"] != "league"
            ],
        }


SECTION = Wins()
