"""Section "Every data set and pipeline": the scores behind the result, by each metric."""

from noneuclid_compare.report.section import Section, table


class Scores(Section):
    """A row for each pipeline, trivial baselines included, and a column for each data set."""

    name = "scores"
    title = "Every data set and pipeline"

    def entry(self, config):
        """Arguments of `sweep.draw_sweep`, if the configuration has a sweep."""
        sweep = config.get("report", {}).get("sweep")
        return {"sweep": {"pattern": sweep} if isinstance(sweep, str) else sweep}

    def saved_tables(self, entry):
        """Scores and times of each pipeline on each data set."""
        return [table("scores_by_dataset", "scores", "scores_by_dataset", latex=True)]

    def tables(self, run):
        """Texts of this table."""
        from noneuclid_compare.report.tables import exports, score_tables

        found = score_tables.summarise(run.everything, run.metric)
        return exports.both("scores_by_dataset", found, exports.SCORES)

    def values(self, run):
        """`parts`, a table for each metric, and figures."""
        from noneuclid_compare.report.tables import pipeline_scores

        return {
            "menu": "Scores",
            "parts": [pipeline_scores.part(run, metric) for metric in run.metrics],
            "figures": run.pictures(self.title),
        }


SECTION = Scores()
