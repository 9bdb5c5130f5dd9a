"""Section "Result": three sentences, one plot, one disk."""

from noneuclid_compare.report import names
from noneuclid_compare.report.section import Section, table


class Verdict(Section):
    """What the page opens with; it fits on one screen."""

    name = "verdict"
    title = "Result"

    def entry(self, config):
        """`labels`: readable names that the configuration gives; see `names.Names`."""
        return {"labels": names.labels(config)}

    def saved_tables(self, entry):
        """The one table of this screen."""
        return [table("pipelines", "which pipeline", "pipelines")]

    def tables(self, run):
        """Differences and pipelines by the metric of the report, with all digits."""
        from noneuclid_compare.report.figures import effects
        from noneuclid_compare.report.tables import score_tables

        found = effects.tabulate_effects(run.openings.get(run.metric))
        return {"pipelines.tsv": score_tables.to_tsv(found)}

    def values(self, run):
        """`openings`: sentences and plot by metric; `disk`, the picture."""
        from noneuclid_compare.report.tables import opening

        effects, disk = run.pictures(self.title)
        return {
            "openings": [opening.view(found) for found in run.openings.values()],
            "warnings": [*filter(None, (one.warning(run) for one in _sections(run)))],
            "files": effects["files"],
            "disk": disk if run.disks else None,
        }


def _sections(run):
    from noneuclid_compare.report import section_list

    return section_list.on_page(run.entries)


SECTION = Verdict()
