"""
Embeddings of another program
=============================

You have points or features that another program has written: word2vec's text, numpy, PyTorch, or MERU's coordinates on the
hyperboloid. This tutorial joins them by name to a file of labels, and names their chart.
"""

# %%
# Points of a tree
# ----------------
# A tree stands for the output of your program: its nodes are embedded in the Poincaré disk. The label of a node is its branch, and is in
# another file, in another order.
import subprocess
import sys
import tempfile
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from noneuclid import HyperboloidSVC, RefinedHydra

folder = Path(tempfile.mkdtemp())
rng = np.random.default_rng(0)
tree = nx.balanced_tree(3, 4)
points = RefinedHydra(chart="poincare", random_state=0).fit_transform(tree)[13:]
names = [f"word{k}" for k in range(13, 121)]
topics = [f"topic{nx.shortest_path(tree, 0, k)[2]}" for k in range(13, 121)]
labels = pd.DataFrame({"word": names, "topic": topics})
labels.sample(frac=1, random_state=0).to_csv(folder / "topics.csv", index=False)
print(points.shape, labels["topic"].nunique(), "topics")


def shell(command):
    """Run a command of noneuclid as in a shell, and print its output."""
    program = [sys.executable, "-m", "noneuclid_compare", *command.split()[1:]]
    done = subprocess.run(program, cwd=folder, check=True, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout or done.stderr}")


# %%
# Text with names
# ---------------
# word2vec, fastText and gensim write a head, then a name and its numbers on each line. ``--labels`` joins the labels by name.
lines = [f"{name} {x:.9f} {y:.9f}" for name, (x, y) in zip(names, points, strict=True)]
(folder / "words.txt").write_text("\n".join([f"{len(points)} 2", *lines]))
shell("noneuclid init words.txt --labels topics.csv --label topic")
print((folder / "words/config.yaml").read_text().partition("# What is left out")[0])

# %%
# Arrays
# ------
# An array has no names: a column of the labels numbers its rows from 0. What is in an array may be measurements, so ``init`` sets no chart; it
# says which one is possible.
np.save(folder / "points.npy", points)
rows = labels.assign(row=range(len(labels)))[["row", "topic"]]
rows.sample(frac=1, random_state=1).to_csv(folder / "rows.csv", index=False)
shell("noneuclid init points.npy --labels rows.csv --label topic")
print((folder / "points/config.yaml").read_text().partition("# What is left out")[0])

# %%
# Coordinates of MERU
# -------------------
# MERU and HyCoCLIP write the coordinates of space on the hyperboloid, without time: ``chart: lorentz_space``. The target ``acquire_all`` reads
# the data alone, so a file that is not of this chart ends here.
space = 2 * points / (1 - (points**2).sum(axis=1, keepdims=True))
np.savez(folder / "meru.npz", X=space, y=np.array(topics))
configuration = """
datasets:
  meru:
    use: array_file
    files: {data: meru.npz}
    params: {chart: lorentz_space, curvature: 1.0}
    embeddings: [given]
"""
(folder / "config.yaml").write_text(configuration)
shell("noneuclid run acquire_all --cores 1")

# %%
# In Python
# ---------
# A classifier takes the points with their chart; those of MERU need their time first. As plain vectors, the same
# points are another geometry.
time = np.sqrt(1 + (space**2).sum(axis=1, keepdims=True))
for name, model, X in [
    ("Poincaré disk", HyperboloidSVC(chart="poincare"), points),
    ("hyperboloid", HyperboloidSVC(chart="hyperboloid"), np.hstack([time, space])),
    ("plain vectors", LogisticRegression(), points),
]:
    print(f"{name:14} {cross_val_score(model, X, topics, cv=3).mean():.3f}")

# %%
# Next
# ----
# * Files of gensim, PyTorch, geoopt and HypLL, binary word vectors, curvature: :doc:`/own_data`.
# * Which chart has my file? :doc:`/choose`.
