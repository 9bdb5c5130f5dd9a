"""Section "Errors in the tree of classes": distances between true and predicted classes."""

from noneuclid_compare.report.section import Section, table


class ClassTreeSection(Section):
    """Scores of the stage evaluate_tree."""

    name = "class_tree"
    title = "Errors in the tree of classes"
    files = ("evaluate/tree.parquet", "evaluate/tree.json")

    def entry(self, config):
        """Empty if a data set has a class tree."""
        sets = config.get("datasets", {}).values()
        return {} if any(entry.get("class_tree") is not None for entry in sets) else None

    def saved_tables(self, entry):
        """One row for each data set and method."""
        return [table("class_tree")]

    def tables(self, run):
        """The table with all digits."""
        from noneuclid_compare.report.tables import class_tree_rows

        return {"class_tree.tsv": class_tree_rows.to_tsv(self.found(run))}

    def values(self, run):
        """See `class_tree_rows.section`."""
        from noneuclid_compare.report.tables import class_tree_rows

        trees = run.read_json("evaluate/tree.json")
        return {"menu": "Tree of classes"} | class_tree_rows.section(
            self.found(run), trees, run.names
        )

    def found(self, run):
        """See `class_tree_rows.means`."""
        from noneuclid_compare.report.tables import class_tree_rows

        return class_tree_rows.means(run.read_table("evaluate/tree.parquet"))


SECTION = ClassTreeSection()
