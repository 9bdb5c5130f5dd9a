"""Names of entries become names of files, which other systems compare and reserve differently."""

import re

from noneuclid.errors import require
from noneuclid_compare.config.expand_entries import PARTS

# Devices of Windows, with any suffix; Windows drops a dot at the end.
_OF_WINDOWS = re.compile(r"(con|prn|aux|nul|(com|lpt)\d)(\..*)?|.*\.", re.IGNORECASE)


def check(config):
    """Refuse names that macOS or Windows cannot tell apart, or does not keep."""
    for part in (*PARTS, "illustrations"):
        seen = {}
        for name in config.get(part, {}):
            first = seen.setdefault(name.casefold(), name)
            require(
                first == name,
                f"{part}: {first} and {name} are one file on macOS and Windows; rename one",
            )
            require(
                not _OF_WINDOWS.fullmatch(name),
                f"{part}/{name}: Windows keeps no file of this name; rename the entry",
            )
