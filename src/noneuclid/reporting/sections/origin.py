"""Section "Does the origin matter?": every method on points moved by isometries."""

from noneuclid.reporting.section import Section, table


class Origin(Section):
    """Differences of the score after the move, from the stage move."""

    name = "origin"
    title = "Does the origin matter?"
    key = "isometries"
    files = ("evaluate/moved.parquet", "evaluate/moved.json")

    def saved_tables(self, entry):
        """One row for each method and distance."""
        return [table("origin", "dependence on the origin", "origin")]

    def tables(self, run):
        """The table with all digits."""
        from noneuclid.reporting.tables import score_tables

        return {"origin.tsv": score_tables.to_tsv(self.found(run))}

    def values(self, run):
        """See `origin_rows.section`; and `metric`."""
        from noneuclid.reporting import style
        from noneuclid.reporting.tables import origin_rows

        notes = run.read_json("evaluate/moved.json")
        found = origin_rows.section(self.found(run), notes, run.metric, run.names)
        return found | {"menu": "Origin", "metric": style.metric_label(run.metric)}

    def found(self, run):
        """See `origin_rows.table`."""
        from noneuclid.reporting.tables import origin_rows

        moved = run.read_table("evaluate/moved.parquet")
        failed = run.read_json("evaluate/moved.json")["failed"]
        return origin_rows.table(run.scores, moved, failed, run.metric, run.classes)


SECTION = Origin()
