"""Sections of figures that the configuration asks for, one for each illustration."""

from noneuclid_compare.report.section import Section


class Illustrations(Section):
    """Figures of the stage illustrate, each illustration under its own title."""

    name = "illustration"

    def entry(self, config):
        """Names of the illustrations."""
        return list(config.get("illustrations", {})) or None

    def reads(self, entry):
        """Titles and captions; they change with the figures."""
        return [f"illustrate/{name}.json" for name in entry]

    def parts(self, run):
        """A part for each illustration."""
        (part,) = super().parts(run)
        return [part | self._values(run, name) for name in run.entries[self.name]]

    def _values(self, run, name):
        texts = run.read_json(f"illustrate/{name}.json")
        figures = [
            run.picture(
                f"report/figures/{name}/{one['name']}",
                one["text"],
                formats=one["formats"],
                id=f"{name}-{one['name']}",
            )
            for one in texts["figures"]
        ]
        about = {"id": f"{self.name}-{name}", "menu": texts["title"], "figures": figures}
        return texts | about


SECTION = Illustrations()
