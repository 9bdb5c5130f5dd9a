"""Peak memory of the stage acquire on made files of every kind: acquire_memory.tsv.

    python benchmarks/acquire_memory.py

Each file is read in a process of its own, whose largest resident size is compared with what
`noneuclid_compare.jobs.file_sizes` asks a scheduler for.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from noneuclid_compare.jobs import file_sizes

TABLE = Path(__file__).with_suffix(".tsv")
RNG = np.random.default_rng(0)


def table(path, n, p, make):
    """Save a table of n rows and p features."""
    frame = pd.DataFrame(make(n, p), columns=[f"x{k}" for k in range(p)])
    frame["label"] = np.resize(["a", "b"], n)
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return "table_file", {"data": path}, {"label": "label"}


def arrays(path, n, p, kind):
    """Save an npz."""
    X = RNG.integers(0, 200, size=(n, p)).astype(kind)
    np.savez(path, X=X, y=np.resize([0, 1], n))
    return "array_file", {"data": path}, {}


def cells(path, n, p, density):
    """Save an h5ad, sparse if the density is below 1."""
    import anndata

    if density < 1:
        X = sparse.random(n, p, density, format="csr", dtype=np.float32, rng=RNG)
    else:
        X = RNG.normal(size=(n, p)).astype(np.float32)
    obs = pd.DataFrame({"label": np.resize(["a", "b"], n)}, index=[f"c{k}" for k in range(n)])
    anndata.AnnData(X, obs=obs).write_h5ad(path, compression="lzf")
    return "anndata_file", {"data": path}, {"label": "label"}


def graph(path, n, m):
    """Save a graph of n nodes and about m edges with weights."""
    import networkx

    made = networkx.gnm_random_graph(n, m, seed=0)
    networkx.set_edge_attributes(made, {edge: 0.25 for edge in made.edges}, "weight")
    networkx.set_node_attributes(made, {k: "ab"[k % 2] for k in range(n)}, "label")
    settings = {"label": "label", "component": "keep", "length": "weight"}
    if path.suffix == ".txt":
        path.write_text("".join(f"{a} {b} {w}\n" for a, b, w in made.edges(data="weight")))
        labels = path.with_suffix(".csv")
        labels.write_text("node,label\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in range(n)))
        return "graph_file", {"data": path, "labels": labels}, settings
    {".gml": networkx.write_gml, ".graphml": networkx.write_graphml}[path.suffix](made, path)
    return "graph_file", {"data": path}, settings


def normal(n, p):
    """Numbers of all digits."""
    return RNG.normal(size=(n, p))


def counts(n, p):
    """Numbers of one digit."""
    return RNG.integers(0, 9, size=(n, p))


def cases(folder):
    """Name, and a function that makes the files of a case."""
    for n, p in ((10_000, 200),):
        yield f"table_{n}_{p}.csv", lambda path, n=n, p=p: table(path, n, p, normal)
        yield f"table_{n}_{p}.parquet", lambda path, n=n, p=p: table(path, n, p, normal)
    yield "counts.csv.gz", lambda path: table(path, 10_000, 50, counts)
    for n, p in ((20_000, 600),):
        yield f"bytes_{n}_{p}.npz", lambda path, n=n, p=p: arrays(path, n, p, np.uint8)
        yield f"integers_{n}_{p}.npz", lambda path, n=n, p=p: arrays(path, n, p, np.int64)
        yield f"doubles_{n}_{p}.npz", lambda path, n=n, p=p: arrays(path, n, p, np.float64)
        yield f"dense_{n}_{p}.h5ad", lambda path, n=n, p=p: cells(path, n, p, 1)
        yield f"sparse_{n}_{p}.h5ad", lambda path, n=n, p=p: cells(path, n, p, 0.1)
    for m in (50_000,):
        for suffix in ("txt", "gml", "graphml"):
            yield f"graph_{m}.{suffix}", lambda path, m=m: graph(path, m // 5, m)


def peak(loader, files, settings, output):
    """Peak resident memory of one acquire, in MB."""
    code = (
        "import sys\nfrom noneuclid_compare.stages import acquire\nacquire.main(sys.argv[1:])\n"
        # Unlike ru_maxrss it begins anew with the program, without the pages of this process.
        "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    )
    words = ["--name", "d", "--use", loader, "--seed", "0"]
    words += ["--files", json.dumps({role: str(path) for role, path in files.items()})]
    words += ["--params", json.dumps(settings), "--output", str(output)]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return int(done.stdout.split()[-1]) * 1024 / 1e6


def main():
    lines = ["file\tbytes\tpeak_mb\tneed_mb"]
    for name, make in cases(None):
        with tempfile.TemporaryDirectory() as folder:
            loader, files, settings = make(Path(folder) / name)
            size = sum(path.stat().st_size for path in files.values())
            need = file_sizes.acquire_mb(files.values(), settings, loader)
            used = peak(loader, files, settings, Path(folder) / "d.npz")
        lines.append(f"{name}\t{size}\t{used:.0f}\t{need}")
        print(lines[-1], flush=True)
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
