"""Files of vectors as word2vec, gensim and PyTorch write them, written without these packages."""

import pickle
import sys
import zipfile
from contextlib import contextmanager
from io import BytesIO
from types import ModuleType

import numpy as np


def word_vectors(names, vectors, binary=False, head=None):
    """Content of a file of `save_word2vec_format`."""
    n, d = np.shape(vectors)
    lines = [(head or f"{n} {d}").encode()]
    for name, vector in zip(names, vectors, strict=True):
        numbers = np.asarray(vector, "<f4").tobytes() if binary else None
        text = " ".join(repr(float(x)) for x in vector).encode()
        lines.append(name.encode() + b" " + (numbers if binary else text))
    return lines[0] + b"\n" + b"".join(lines[1:]) if binary else b"\n".join([*lines, b""])


@contextmanager
def named(*origins):
    """Classes of these dotted names, which pickles then name; the modules exist within."""
    before, made = dict(sys.modules), []
    for origin in origins:
        module, _, name = origin.rpartition(".")
        parts = module.split(".")
        for k in range(1, len(parts) + 1):
            sys.modules.setdefault(".".join(parts[:k]), ModuleType(".".join(parts[:k])))
        made.append(type(name, (), {"__module__": module}))
        setattr(sys.modules[module], name, made[-1])
    try:
        yield made
    finally:
        for name in set(sys.modules) - set(before):
            del sys.modules[name]


def key_vectors(path, names, vectors, beside=False, origin="poincare.PoincareKeyedVectors"):
    """Write a file of gensim's `KeyedVectors.save`."""
    with named(f"gensim.models.{origin}") as (cls,):
        found = cls()
        found.vector_size, found.index_to_key = np.shape(vectors)[1], list(names)
        found.key_to_index = {name: k for k, name in enumerate(names)}
        if beside:
            np.save(f"{path}.vectors.npy", vectors)
        else:
            found.vectors = vectors
        path.write_bytes(pickle.dumps(found, protocol=4))
    return path


class Tensor:
    """An array that `torch_file` writes as PyTorch writes a tensor, of float32."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float32)


def torch_file(path, content, *, transposed=False, damaged=False, manifold=False):
    """Write a file of ``torch.save``; tensors are `Tensor`, by columns if `transposed`.

    If `manifold`, they are within the ManifoldTensor of HypLL.
    """
    origins = ["torch.FloatStorage", "hypll.tensors.manifold_tensor.ManifoldTensor"]
    with named(*origins) as (storage, wrapper), zipfile.ZipFile(path, "w") as archive:
        # A function, as only its name matters.
        rebuild = type("_rebuild_tensor_v2", (), {"__module__": "torch._utils"})
        sys.modules["torch._utils"] = ModuleType("torch._utils")
        sys.modules["torch._utils"]._rebuild_tensor_v2 = rebuild
        kept = []

        class Stored:
            def __init__(self, values):
                self.key, self.size = str(len(kept)), values.size
                kept.append((values.T if transposed else values).tobytes())

        class Pickler(pickle.Pickler):
            def persistent_id(self, obj):
                if isinstance(obj, Stored):
                    return ("storage", storage, obj.key, "cpu", obj.size)
                return None

            def reducer_override(self, obj):
                if not isinstance(obj, Tensor):
                    return NotImplemented
                values = obj.values
                steps = np.array(values.T.strides if transposed else values.strides) // 4
                steps = tuple(np.array(values.T.copy().strides)[::-1] // 4) if transposed else steps
                stride = tuple(int(step) for step in steps)
                size = tuple(k + damaged for k in values.shape)
                return rebuild, (Stored(values), 0, size, stride, False, {})

        if manifold:
            content = dict(content)
            for name, value in content.items():
                content[name] = wrapper()
                content[name].tensor, content[name].man_dim = value, -1
        stream = BytesIO()
        Pickler(stream, protocol=2).dump(content)
        archive.writestr("points/data.pkl", stream.getvalue())
        archive.writestr("points/byteorder", "little")
        for key, values in enumerate(kept):
            archive.writestr(f"points/data/{key}", values)
    return path
