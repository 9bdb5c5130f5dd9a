"""Section "Which links are predicted?": held-out edges of networks against pairs without edge."""

from noneuclid_compare.report.section import Section, table

NOTE = (
    "A tenth of the edges is held out, and the embedding is fitted to the others, which join the "
    "same components. Each score must tell held-out edges from as many pairs of nodes without an "
    "edge, of one component each: an embedding by its distance, the others by the edges alone. AUC "
    "is 0.5 for a score by chance. Intervals (95 %) over repeats are those of the corrected "
    "resampled t-test."
)


class LinkPrediction(Section):
    """A row for each score on each network, from the stage link_prediction."""

    name = "link_prediction"
    title = "Which links are predicted?"
    template = "table.html.j2"

    def entry(self, config):
        """`files` of the stage."""
        sets = config.get("datasets", {})
        named = [name for name, entry in sets.items() if entry.get("link_prediction")]
        repeats = range(config.get("repeats", 1))
        files = [f"link_prediction/{name}/{repeat}.json" for name in named for repeat in repeats]
        return {"files": files} if named else None

    def reads(self, entry):
        """Records of all repeats."""
        return entry["files"]

    def saved_tables(self, entry):
        """One row for each network and score."""
        return [table("link_prediction")]

    def tables(self, run):
        """The table with all digits."""
        from noneuclid_compare.report.tables import score_tables

        return {"link_prediction.tsv": score_tables.to_tsv(self.found(run))}

    def found(self, run):
        """See `link_rows.table`."""
        from noneuclid_compare.report.tables import link_rows

        return link_rows.table([run.read_json(path) for path in run.entries[self.name]["files"]])

    def values(self, run):
        """`note`, `heads`, `rows` and the address of the table."""
        from noneuclid_compare.report.tables import link_rows

        return {
            "menu": "Links",
            "note": NOTE,
            "heads": ["network", "score", "AUC", "95 % interval", "average precision", "edges"],
            "rows": link_rows.rows(self.found(run), run.names),
            "saved": ["tables/link_prediction.tsv"],
        }


SECTION = LinkPrediction()
