"""Section "Provenance and warnings": every run, its warnings, versions and checksums."""

from noneuclid_compare.report.section import Section


class Provenance(Section):
    """Where the numbers come from."""

    name = "provenance"
    title = "Provenance and warnings"

    def values(self, run):
        """`runs`, `warnings`, `versions`, `checksums`, and how many runs have warnings."""
        from noneuclid_compare import wording
        from noneuclid_compare.report.tables import provenance_rows

        runs = [row | _shown(row, run.names) for row in provenance_rows.run_rows(run.runs)]
        warnings = provenance_rows.warning_rows(run.runs)
        warned = sum(bool(row["warnings"]) for row in runs)
        return {
            "menu": "Provenance" if warned else "Provenance & warnings",
            "badge": f"{wording.count(warned, 'run')} with warnings" if warned else "",
            "runs": runs,
            "warnings": [row | _shown(row, run.names) for row in warnings],
            "versions": provenance_rows.version_rows(run.runs),
            "checksums": provenance_rows.checksum_rows(run.runs),
        }


def _shown(row, names):
    """Readable names of a row."""
    dataset, embedding = names.pair(row["dataset"], row["embedding"])
    method = names.method(row["method"])
    return {"shown": {"method": method, "dataset": dataset, "embedding": embedding}}


SECTION = Provenance()
