"""Section "From raw data to labels": hyperbolic against flat routes at equal dimension."""

from noneuclid.reporting.section import Section, table


class Routes(Section):
    """Embedding and classifier, both chosen on training rows, against the best flat pair."""

    name = "routes"
    title = "From raw data to labels"
    key = "routes"

    def entry(self, config):
        """See `experiment.routes.entry`."""
        if self.key not in config:
            return None
        from noneuclid.experiment import routes

        return routes.entry(config)

    def saved_tables(self, entry):
        """All routes with all digits."""
        return [table("routes")]

    def tables(self, run):
        """The table of routes."""
        from noneuclid.reporting.tables import score_tables

        return {"routes.tsv": score_tables.to_tsv(run.routes)}

    def values(self, run):
        """`groups`: a table by dimension, labels per class and depth; texts."""
        from noneuclid.reporting import style
        from noneuclid.reporting.tables import route_rows

        entry, metric = run.entries[self.name], run.metric
        width = style.score(entry["equivalence"], metric)
        return {
            "menu": "Raw data to labels",
            "metric": style.metric_label(metric),
            "width": width + (" points" if style.in_percent(metric) else ""),
            "fewest": route_rows.FEWEST,
            "groups": route_rows.groups(run.routes, entry, metric, run.names),
        }


SECTION = Routes()
