"""A configuration file before anything is built of it: its size, depth and repeated keys."""

from pathlib import Path

import yaml

from noneuclid.errors import InputError
from noneuclid_compare.config.expand_entries import DEEPEST

# Characters of a file, and of what it says with every alias written out.
LARGEST = 1_000_000


def check(path):
    """Refuse a file that is too large or too deep, or contains itself."""
    if (size := Path(path).stat().st_size) > LARGEST:
        raise InputError(
            f"the file has {size} bytes, but a configuration has at most {LARGEST}: write entries "
            "that differ in a value with `each`, and list the columns to `drop`"
        )
    with Path(path).open(encoding="utf-8") as stream:
        _check_size(yaml.parse(stream, Loader=yaml.SafeLoader))


def _check_size(events):
    """As `check`, of what the parser sees; aliases are counted, not followed."""
    # Characters of each node with an anchor; None while it is not at its end.
    sizes, open_nodes = {}, [(None, 0)]
    for event in events:
        anchor, size = getattr(event, "anchor", None), 0
        line = f"line {event.start_mark.line + 1}"
        if isinstance(event, yaml.CollectionStartEvent):
            if len(open_nodes) > DEEPEST + 1:
                raise InputError(f"{line}: more than {DEEPEST} levels deep; reduce the nesting")
            open_nodes.append((anchor, 2))
            sizes[anchor] = None
            continue
        if isinstance(event, yaml.AliasEvent):
            size = sizes.get(anchor, 0)
            if size is None:
                raise InputError(f"{line}: *{anchor} contains itself; write its values out")
        elif isinstance(event, yaml.ScalarEvent):
            size = sizes[anchor] = len(event.value) + 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size = open_nodes.pop()
            sizes[anchor] = size
        open_nodes[-1] = (open_nodes[-1][0], open_nodes[-1][1] + size)
        if open_nodes[-1][1] > LARGEST:
            raise InputError(
                f"{line}: more than {LARGEST} characters with every alias (*name) written out; "
                "use fewer aliases of aliases"
            )


def read(path):
    """Read a configuration file that `check` has accepted."""
    try:
        check(path)
        config = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    # A ValueError: text that is not UTF-8, the date 2020-13-01, a number of 5000 digits.
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    if not isinstance(config, dict):
        raise InputError(f"{path} has no keys: give a configuration (config/README.md)")
    return config
