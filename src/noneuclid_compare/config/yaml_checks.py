"""A configuration file is read."""

from pathlib import Path

import yaml

from noneuclid.errors import InputError


def read(path):
    """Read a configuration file."""
    try:
        config = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist: correct the path") from error
    # A ValueError: text that is not UTF-8, the date 2020-13-01, a number of 5000 digits.
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    if not isinstance(config, dict):
        raise InputError(f"{path} has no keys: give a configuration (config/README.md)")
    return config
