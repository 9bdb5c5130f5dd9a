"""The sections of the page, in order. A new section is a module in `sections` and a line here."""

from noneuclid.reporting.sections.certificates import Certificates
from noneuclid.reporting.sections.datasets import Datasets
from noneuclid.reporting.sections.findings import Findings
from noneuclid.reporting.sections.illustrations import Illustrations
from noneuclid.reporting.sections.paired_tests import PairedTests
from noneuclid.reporting.sections.provenance import Provenance
from noneuclid.reporting.sections.published import Published
from noneuclid.reporting.sections.scale import Scale
from noneuclid.reporting.sections.study import Study
from noneuclid.reporting.sections.wins import Wins

SECTIONS = (
    Findings(),
    Study(),
    PairedTests(),
    Wins(),
    Datasets(),
    Illustrations(),
    Certificates(),
    Published(),
    Scale(),
    Provenance(),
)


def entries(config):
    """What the sections on the page need of the configuration, by name of the section."""
    found = {section.name: section.entry(config) for section in SECTIONS}
    return {name: entry for name, entry in found.items() if entry is not None}


def on_page(entries):
    """Sections that have an entry."""
    return [section for section in SECTIONS if section.name in entries]
