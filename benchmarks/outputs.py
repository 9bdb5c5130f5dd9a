"""Data of the papers, and the tables that the programs here may replace."""

import os
import sys
from pathlib import Path

MIRROR = Path(os.environ.get("NONEUCLID_MIRROR") or "resources/data")


def paper_file(*parts):
    """A file or folder of the papers' data; without it the program ends in one line."""
    path = MIRROR.joinpath(*parts)
    if not path.exists():
        sys.exit(
            f"{path} is missing; download it with `noneuclid fetch`, or set NONEUCLID_MIRROR to "
            "the folder that has the papers' data"
        )
    return path


def options_of(parser, table, chosen=()):
    """Options of the command line; `output` is `table`, or None where another option is given.

    `table` is a path or a function of the options; those in `chosen` do not make a run a part.
    """
    words = "default: the table of this program, if no option is given that makes the run smaller"
    parser.add_argument("--output", type=Path, help=words)
    options = parser.parse_args()
    table = table(options) if callable(table) else table
    values = {name: value for name, value in vars(options).items() if name not in chosen}
    given = [name for name, value in values.items() if value != parser.get_default(name)]
    if not given:
        options.output = table
    elif options.output is None:
        print(f"{table.name} is not replaced by a run with {', '.join(given)}: give --output FILE")
    return options
