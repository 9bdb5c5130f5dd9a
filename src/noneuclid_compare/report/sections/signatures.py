"""Section "Which curvature do these data want?": products of one dimension, by held-out pairs."""

from noneuclid_compare.report.section import Section, table

HEADS = ["signature", "held-out distortion", "95 % interval", "minus flat", "together 95 %"]


class Signatures(Section):
    """A table for each data set with `signatures:`, from the stage signatures."""

    name = "signatures"
    title = "Which curvature do these data want?"

    def entry(self, config):
        """`files` of the stage."""
        sets = config.get("datasets", {})
        files = [f"signatures/{name}.json" for name, entry in sets.items() if entry.get(self.name)]
        return {"files": files} if files else None

    def reads(self, entry):
        """Records of the data sets."""
        return entry["files"]

    def saved_tables(self, entry):
        """One row for each data set and signature."""
        return [table(self.name)]

    def tables(self, run):
        """The table with all digits."""
        import pandas as pd

        from noneuclid_compare.report.tables import score_tables

        rows = [
            {"dataset": found["dataset"]}
            | row
            | {"curvatures": " ".join(f"{c:.6g}" for c in row["curvatures"])}
            for found in self.found(run)
            for row in found["signatures"]
        ]
        return {"signatures.tsv": score_tables.to_tsv(pd.DataFrame(rows))}

    def found(self, run):
        """Records of the stage."""
        return [run.read_json(path) for path in run.entries[self.name]["files"]]

    def values(self, run):
        """`heads`, and of each data set a `title`, the `answer`, `text` and `rows`."""
        from noneuclid_compare.embed import compared_signatures as texts
        from noneuclid_compare.report.names import capital

        shown = []
        for found in self.found(run):
            lines = [texts.compared(found), *texts.likeness(found)]
            shown.append(
                {
                    "title": run.names.head("datasets", found["dataset"]),
                    "answer": texts.answer(found),
                    "text": " ".join(f"{capital(line)}." for line in lines),
                    "rows": texts.cells(found),
                }
            )
        return {"menu": "Curvature", "heads": HEADS, "tables": shown}


SECTION = Signatures()
