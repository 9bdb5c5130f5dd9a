"""Section "Do isometries change predictions?": every method on points moved by isometries."""

from noneuclid_compare.report.section import Section, table


class Isometries(Section):
    """Differences of the score after isometries, from the stage isometries."""

    name = "isometries"
    title = "Do isometries change predictions?"
    key = "isometries"
    files = ("evaluate/isometries.parquet", "evaluate/isometries.json")

    def saved_tables(self, entry):
        """One row for each method and distance."""
        return [table("isometries", "dependence on isometries", "isometries")]

    def tables(self, run):
        """The table with all digits."""
        from noneuclid_compare.report.tables import score_tables

        return {"isometries.tsv": score_tables.to_tsv(self.found(run))}

    def values(self, run):
        """See `isometry_rows.section`; and `metric`."""
        from noneuclid_compare.report import style
        from noneuclid_compare.report.tables import isometry_rows

        notes = run.read_json("evaluate/isometries.json")
        found = isometry_rows.section(self.found(run), notes, run.metric, run.names)
        return found | {"menu": "Isometries", "metric": style.metric_label(run.metric)}

    def found(self, run):
        """See `isometry_rows.table`."""
        from noneuclid_compare.report.tables import isometry_rows

        moved = run.read_table("evaluate/isometries.parquet")
        failed = run.read_json("evaluate/isometries.json")["failed"]
        return isometry_rows.table(run.scores, moved, failed, run.metric, run.classes)


SECTION = Isometries()
