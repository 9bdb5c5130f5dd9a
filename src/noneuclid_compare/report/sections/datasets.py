"""Section "Data sets & disks": the interactive disks, and a card for each data set."""

from noneuclid_compare import wording
from noneuclid_compare.report.section import Section, table


class Datasets(Section):
    """Data sets with their embeddings, and the predictions of each method."""

    name = "data"
    title = "Data sets & disks"

    def entry(self, config):
        """`groups`: kind of data in the user's own words, by data set."""
        datasets = config.get("datasets", {}).items()
        return {"groups": {name: data["group"] for name, data in datasets if "group" in data}}

    def saved_tables(self, entry):
        """Both tables."""
        return [table("confusion"), table("calibration")]

    def tables(self, run):
        """Confusion matrices and calibration."""
        from noneuclid_compare.report.tables import exports, score_tables

        return {
            "confusion.tsv": score_tables.to_tsv(exports.confusion(run.disks)),
            "calibration.tsv": score_tables.to_tsv(exports.calibration(run.reliabilities)),
        }

    def values(self, run):
        """`cards`, how many embedded data sets are `drawn` of `n_pairs`, and the viewer's data."""
        from noneuclid_compare.report import viewer
        from noneuclid_compare.report.tables import dataset_cards

        curvatures = {
            (card["dataset"]["name"], card["embedding"]["name"]): card["curvature"]
            for card in run.cards
        }
        disks = [disk for disk in run.disks if not disk.space]
        packed = viewer.pack(
            disks, run.scores, run.metric, curvatures, run.reliabilities, run.names
        )
        return {
            "cards": dataset_cards.cards(run.cards, run.names),
            "drawn": len(run.cards),
            "n_pairs": len(run.facts),
            "disks": len(packed["disks"]),
            "regions": any(disk.regions is not None for disk in disks),
            "products": [
                run.picture(
                    f"report/figures/disk/{disk.dataset}/{disk.embedding}",
                    f"{' · '.join(run.names.pair(disk.dataset, disk.embedding))} in "
                    f"{wording.signature(disk.space)}: "
                    "a picture of each factor.",
                    id=f"{disk.dataset}-{disk.embedding}",
                )
                for disk in run.disks
                if disk.space
            ],
            "script_data": {"viewer-data": packed},
        }


SECTION = Datasets()
