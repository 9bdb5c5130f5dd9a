"""
Links and new nodes of a network
================================

A network grows. This tutorial predicts which pairs of nodes are joined, and labels nodes that arrive after training from their links
to known nodes.
"""

# %%
# Data
# ----
# Node t joins the m = 3 earlier nodes s with the smallest product of s and the angle between both: popular or similar ones
# (Papadopoulos et al., Nature 489, 2012). The topic of a node is its quarter of the circle. The last 30 of 300 nodes arrive later.
import subprocess
import sys
import tempfile
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from noneuclid import Hydra, PoincareEmbedding

rng = np.random.default_rng(0)
n, n_known = 300, 270
angles = rng.uniform(0, 2 * np.pi, n)
graph = nx.complete_graph(3)
for t in range(3, n):
    between = np.pi - abs(np.pi - abs(angles[:t] - angles[t]))
    graph.add_edges_from((t, int(s)) for s in np.argsort(np.arange(1, t + 1) * between)[:3])
topics = np.array(["art", "law", "music", "sport"])[(angles // (np.pi / 2)).astype(int)]
known = graph.subgraph(range(n_known)).copy()
print(graph, "of which known:", known)

# %%
# Predict links
# -------------
# A tenth of the links is held out, and as many pairs without a link are drawn. The embedding sees only the other links. Near pairs should
# be joined. A product of degrees needs no geometry; compare with it.
edges = np.array(known.edges)
held = rng.permutation(len(edges))[: len(edges) // 10]
rest = known.copy()
rest.remove_edges_from(edges[held].tolist())
others = np.array(list(nx.non_edges(known)))
pairs = np.concatenate([edges[held], rng.permutation(others)[: len(held)]])
joined = np.arange(len(pairs)) < len(held)
degree = np.array([rest.degree[v] for v in rest])
print(f"{'degree product':20} AUC {roc_auc_score(joined, degree[pairs].prod(axis=1)):.2f}")
for model in (Hydra(chart="hyperboloid"), PoincareEmbedding(chart="hyperboloid", random_state=0)):
    X = model.fit_transform(rest)
    a, b = X[pairs.T]
    distance = np.arccosh(np.maximum(1, a[:, 0] * b[:, 0] - (a[:, 1:] * b[:, 1:]).sum(axis=1)))
    print(f"{type(model).__name__:20} AUC {roc_auc_score(joined, -distance):.2f}")

# %%
# The same from files
# -------------------
# ``link_prediction: true`` does this in a run, next to the labels of the nodes, with more scores that need no embedding.
folder = Path(tempfile.mkdtemp())
nx.write_edgelist(known, folder / "links.txt", data=False)
table = pd.DataFrame({"node": range(n), "topic": topics})
table[:n_known].to_csv(folder / "topics.csv", index=False)
configuration = """
datasets:
  web:
    use: graph_file
    files: {data: links.txt, labels: topics.csv}
    params: {label: topic}
    embeddings: [poincare]
    link_prediction: true
    baselines: false
repeats: 1
splits: {folds: 3}
embeddings: {poincare: {use: poincare_embedding}}
methods:
  neighbours: {use: noneuclid.GeodesicKNeighborsClassifier}
"""
(folder / "config.yaml").write_text(configuration)


def shell(command):
    """Run a command of noneuclid as in a shell, and print its output."""
    program = [sys.executable, "-m", "noneuclid_compare", *command.split()[1:]]
    done = subprocess.run(program, cwd=folder, check=True, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout or done.stderr}")


shell("noneuclid run --cores 2")
links = pd.read_csv(folder / "results/report/tables/link_prediction.tsv", sep="\t")
print(links.to_string(index=False))

# %%
# New nodes
# ---------
# The later nodes come as a file of their links. Each is placed at the mean of its known neighbours in hyperbolic space; links between two
# new nodes are not used.
later = graph.edge_subgraph([e for e in graph.edges if max(e) >= n_known])
nx.write_edgelist(later, folder / "new_links.txt", data=False)
shell(
    "noneuclid predict results/models/web/poincare/neighbours.skops new_links.txt "
    "--output labels.tsv"
)
labels = pd.read_csv(folder / "labels.tsv", sep="\t", index_col="sample")
print(labels.head(3))
print("accuracy:", np.mean(labels["predicted"] == topics[labels.index]).round(2))

# %%
# Next
# ----
# * Weighted edges, other formats, features of the nodes: :doc:`/own_data`.
# * What the table of links says: :doc:`/read_report`.
