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
    """Classes of these dotted names, which pickles then name; within, no such module is another."""
    modules = {origin.rpartition(".")[0] for origin in origins}
    modules |= {m.rsplit(".", k)[0] for m in modules for k in range(m.count(".") + 1)}
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update((name, ModuleType(name)) for name in modules)
    made = []
    for origin in origins:
        module, _, name = origin.rpartition(".")
        made.append(type(name, (), {"__module__": module}))
        setattr(sys.modules[module], name, made[-1])
    try:
        yield made
    finally:
        for name, module in before.items():
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module


def key_vectors(
    path, names, vectors, beside=False, origin="poincare.PoincareKeyedVectors", protocol=4
):
    """Write a file of gensim's `KeyedVectors.save`."""
    with named(f"gensim.models.{origin}") as (cls,):
        found = cls()
        found.vector_size, found.index_to_key = np.shape(vectors)[1], list(names)
        found.key_to_index = {name: k for k, name in enumerate(names)}
        if beside:
            np.save(f"{path}.vectors.npy", vectors)
        else:
            found.vectors = vectors
        path.write_bytes(pickle.dumps(found, protocol))
    return path


class Tensor:
    """An array that `torch_file` writes as PyTorch writes a tensor, of float32."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float32)


# Numbers in a storage before those of a tensor.
BEFORE = 3
KINDS = {"FloatStorage": "f4", "DoubleStorage": "f8", "HalfStorage": "f2", "BFloat16Storage": "f4"}
KINDS |= {"BoolStorage": "?"}


def torch_file(
    path,
    content,
    *,
    transposed=False,
    damaged=False,
    manifold=False,
    kind="FloatStorage",
    big=False,
):
    """Write a file of ``torch.save``; tensors are `Tensor`, by columns if `transposed`.

    If `manifold`, they are within the ManifoldTensor of HypLL.
    """
    origins = [f"torch.{kind}", "torch._utils._rebuild_tensor_v2"]
    origins.append("hypll.tensors.manifold_tensor.ManifoldTensor")
    with named(*origins) as (storage, rebuild, wrapper), zipfile.ZipFile(path, "w") as archive:
        kept = []

        class Stored:
            def __init__(self, values):
                self.key = str(len(kept))
                values = np.append(np.zeros(BEFORE), values.ravel("F" if transposed else "C"))
                values = values.astype(f"{'>' if big else '<'}{KINDS[kind]}")
                if kind == "BFloat16Storage":
                    values = (values.view("<u4") >> 16).astype("<u2")
                kept.append(values)

        class Pickler(pickle.Pickler):
            def persistent_id(self, obj):
                if isinstance(obj, Stored):
                    return ("storage", storage, obj.key, "cpu", kept[int(obj.key)].size)
                return None

            def reducer_override(self, obj):
                if not isinstance(obj, Tensor):
                    return NotImplemented
                order = "F" if transposed else "C"
                stride = tuple(step // 4 for step in obj.values.copy(order).strides)
                size = tuple(k + damaged for k in obj.values.shape)
                return rebuild, (Stored(obj.values), BEFORE, size, stride, False, {})

        if manifold:
            content = dict(content)
            for name, value in content.items():
                content[name] = wrapper()
                content[name].tensor, content[name].man_dim = value, -1
        stream = BytesIO()
        Pickler(stream, protocol=2).dump(content)
        archive.writestr("points/data.pkl", stream.getvalue())
        archive.writestr("points/byteorder", "big" if big else "little")
        for key, values in enumerate(kept):
            archive.writestr(f"points/data/{key}", values.tobytes())
    return path
