"""Small tables, and files of them as other tools write them; how a loader refuses one."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from noneuclid.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 3))
TYPES = ["T", "B", "T", "NK", "B", "T"]
CODES, NAMES = [2, 0, 2, 1, 0, 2], ("B", "NK", "T")


def loaded(module, path, labels=None, **settings):
    files = {"data": Path(path)} | ({"labels": Path(labels)} if labels else {})
    return module.load(files, 0, **settings)


def refused(message, module, path, labels=None, **settings):
    with pytest.raises(InputError, match=message) as caught:
        loaded(module, path, labels, **settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def cut(path, part=0.5):
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])
    return path


def frame(**more):
    return pandas.DataFrame(X, columns=["a", "b", "c"]).assign(type=TYPES, **more)
