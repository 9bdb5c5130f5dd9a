"""Section "How the methods were run": class weights, candidate settings and scores of each."""

from noneuclid_compare.report.section import Section, table

KEYS = ("class_weight", "candidates")


class Settings(Section):
    """A row for each method; on the page if the configuration treats all methods alike."""

    name = "settings"
    title = "How the methods were run"
    template = "table.html.j2"

    def entry(self, config):
        """`candidates`: number asked for, and of each method with its reason for fewer."""
        if not any(key in config for key in KEYS):
            return None
        from noneuclid_compare.config import candidates

        return {
            "class_weight": config.get("class_weight"),
            "candidates": config.get("candidates"),
            "methods": {
                name: {"candidates": candidates.count(method), "fewer": method.get("fewer", "")}
                for name, method in config["methods"].items()
            },
        }

    def saved_tables(self, entry):
        """The table with all digits."""
        return [table("settings")]

    def tables(self, run):
        """The same rows, with all digits."""
        from noneuclid_compare.report.tables import score_tables, setting_rows

        found = setting_rows.table(run, run.entries[self.name])
        return {"settings.tsv": score_tables.to_tsv(found)}

    def values(self, run):
        """`note`, `heads`, `rows` and the address of the table."""
        from noneuclid_compare.report.tables import setting_rows

        entry = run.entries[self.name]
        found = setting_rows.table(run, entry)
        return {
            "menu": "Settings",
            "note": setting_rows.note(found, entry, run.names),
            "heads": setting_rows.heads(run.metric),
            "rows": setting_rows.rows(found, run),
            "saved": ["tables/settings.tsv"],
        }


SECTION = Settings()
