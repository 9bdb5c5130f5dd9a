"""Arrays in files that gensim and PyTorch pickle, read without running anything of the pickle.

A pickle names the functions that rebuild its objects. Here every name becomes a class that only
notes what the pickle passes to it, so nothing is imported and nothing is called. Arrays are then
rebuilt from the notes of the few functions that numpy and PyTorch use.
"""

import pickle
import zipfile
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_compare.data.files.arrays import read_array, reading

GENSIM, TORCH = (".kv", ".model"), (".pt", ".pth")
# Attributes of gensim 4 and of earlier versions.
_NAMES = ("index_to_key", "index2word", "index2entity")
_STORAGES = {
    "DoubleStorage": "f8",
    "FloatStorage": "f4",
    "HalfStorage": "f2",
    "BFloat16Storage": "u2",
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "u1",
}
# What rebuilds an array of numpy, before and since version 2: up to protocol 4 of pickle, and in 5.
_ARRAYS = {f"numpy.{core}.multiarray._reconstruct" for core in ("core", "_core")}
_BUFFERS = {f"numpy.{core}.numeric._frombuffer" for core in ("core", "_core")}
_BALL = "gensim.models.poincare.PoincareKeyedVectors"


class _Note(dict):
    """An object of a pickle: `origin` names its class, `args` and `state` are what it was given."""

    origin = ""

    def __new__(cls, *args, **_):
        """Note the arguments."""
        note = super().__new__(cls)
        note.args, note.state = args, None
        return note

    def __init__(self, *args, **_):
        # Not those of dict.
        super().__init__()

    def __setstate__(self, state):
        self.state = state

    def append(self, item):
        """Items of a list are not needed."""

    def extend(self, items):
        """Items of a list are not needed."""


class _Notes(pickle.Unpickler):
    """Unpickler that imports nothing."""

    def find_class(self, module, name):
        """A class of notes."""
        return type("_Note", (_Note,), {"origin": f"{module}.{name}"})

    def persistent_load(self, pid):
        """PyTorch's name of a storage."""
        return pid


def read_gensim(path, vectors=None):
    """Names, vectors and whether they are points of the Poincaré ball, of gensim's `save`.

    `vectors` is the file of the vectors that gensim writes for large models, by default beside.
    """
    with reading(path, "gensim's KeyedVectors", _CURE), open(path, "rb") as stream:
        # Bytes, because texts of Python 2 have no known encoding.
        found, part = _Notes(stream, encoding="bytes").load(), ""
        state = _state(found)
        # A model holds them as an attribute.
        for key in ("kv", "wv"):
            if key in state:
                found, part = state[key], f".{key}"
                state = _state(found)
        names = next((state[key] for key in _NAMES if key in state), None)
        require(
            isinstance(names, list) and all(isinstance(name, str | int) for name in names),
            f"{path} holds {_called(found)} without names of vectors: save "
            f"model.kv or model.wv of gensim, or {_CURE}",
        )
        values = state.get("vectors")
        if values is None:
            values = read_array(vectors or beside(path, part))
        else:
            values = _numpy(values, path)
    require(
        values.ndim == 2 and len(values) == len(names),
        f"{path}: {len(names)} names, but vectors of shape {values.shape}: {_CURE}",
    )
    return [str(name) for name in names], values, _origin(found) == _BALL


_CURE = "save it by model.kv.save_word2vec_format('points.txt')"


def beside(path, part=""):
    """Where gensim saves the vectors of large models."""
    return Path(f"{path}{part}.vectors.npy")


def read_torch(path):
    """Tensors and lists of texts of a file that ``torch.save`` wrote, by name; "" of a single one.

    Names of dictionaries within others are joined by points. ``torch.load`` with `weights_only`
    refuses the state dicts of HypLL, whose parameters are objects that hold a tensor.
    """
    cure = "write numpy.savez('points.npz', X=tensor.detach().cpu().numpy())"
    with reading(path, "a file of torch.save", cure), zipfile.ZipFile(path) as archive:
        (pickled,) = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        folder = pickled.removesuffix("data.pkl")
        big = f"{folder}byteorder" in archive.namelist()
        big = big and archive.read(f"{folder}byteorder") == b"big"
        with archive.open(pickled) as stream:
            content = _Notes(stream).load()
        found = {}
        for name, value in _flat(content):
            if isinstance(value, list):
                found[name] = np.array(value, dtype=str)
            elif (tensor := _tensor(value)) is not None:
                found[name] = _torch(tensor, archive, folder, ">" if big else "<", path, name)
    return found


def _state(found):
    """Attributes of an object."""
    return found.state if isinstance(found, _Note) and isinstance(found.state, dict) else {}


def _origin(found):
    """Class of an object, also where ``copyreg._reconstructor`` makes it, in protocols 0 and 1."""
    origin = getattr(found, "origin", "")
    if origin in ("copyreg._reconstructor", "copy_reg._reconstructor") and found.args:
        return getattr(found.args[0], "origin", "")
    return origin


def _called(found):
    """Class of an object in words; a damaged pickle may name any text."""
    return repr((_origin(found) or type(found).__name__)[:60])


def _numpy(note, path):
    """Array from what numpy pickles: shape, type, order and bytes."""
    if _origin(note) in _BUFFERS:
        content, kind, shape, order = note.args
        by_column = order == "F"
    else:
        known = _origin(note) in _ARRAYS and isinstance(note.state, tuple)
        require(known, f"{path}: the vectors are {_called(note)}: {_CURE}")
        _, shape, kind, by_column, content = note.state
    if _origin(content) == "_codecs.encode":
        # Protocols below 3 have no bytes.
        content = content.args[0].encode("latin-1")
    name, order = str(kind.args[0]), str(kind.state[1]).replace("|", "=")
    require(name in ("f2", "f4", "f8"), f"{path}: the vectors are of type {name[:60]!r}: {_CURE}")
    values = np.frombuffer(content, dtype=np.dtype(f"{order}{name}"))
    return values.reshape(shape, order="F" if by_column else "C")


def _flat(content, before=""):
    """Names and values of dictionaries within each other."""
    if "tensor" in _state(content):
        # A ManifoldTensor of HypLL.
        yield from _flat(content.state["tensor"], before)
    elif isinstance(content, dict) and not _tensor(content):
        for key, value in content.items():
            yield from _flat(value, f"{before}.{key}" if before else str(key))
    elif not isinstance(content, list) or (content and all(isinstance(x, str) for x in content)):
        yield before, content


def _tensor(note):
    """Arguments that rebuild a tensor, of a parameter those of its tensor; None of another note."""
    if not isinstance(note, _Note) or not note.args:
        return None
    if note.origin == "torch._utils._rebuild_parameter":
        return _tensor(note.args[0])
    return note.args if note.origin == "torch._utils._rebuild_tensor_v2" else None


def _torch(tensor, archive, folder, order, path, name):
    """Array of a tensor: elements of a storage from an offset, by strides."""
    (_, storage, key, *_), offset, size, stride, *_ = tensor
    kind = _STORAGES.get(storage.origin.rpartition(".")[2])
    if kind is None:
        raise InputError(
            f"{path}: tensor {name!r} is a {storage.origin[:60]!r}; save it as float32"
        )
    values = np.frombuffer(archive.read(f"{folder}data/{key}"), dtype=np.dtype(f"{order}{kind}"))
    if storage.origin.endswith("BFloat16Storage"):
        # The upper half of float32.
        values = (values.astype(np.uint32) << 16).view(np.float32)
    elif storage.origin.endswith("BoolStorage"):
        values = values != 0
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    whole = min((offset, *size, *stride)) >= 0 and (0 in size or last < len(values))
    require(whole, f"{path}: tensor {name!r} has fewer numbers than its shape: the file is damaged")
    steps = [step * values.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(values[offset:], size, steps, writeable=False)
