"""
Images from pixels
==================

You have a folder of images for each class. This tutorial compares methods on the pixels, and labels a folder of new images. With
PyTorch installed, it also trains a small convolutional network whose last layer is hyperbolic.
"""

# %%
# Folders of images
# -----------------
# Written digits of 8 by 8 pixels: a folder for each of four classes, and a folder of new images.
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.datasets import load_digits

folder = Path(tempfile.mkdtemp())
digits = load_digits(n_class=4)
for k, (pixels, label) in enumerate(zip(digits.images[:240], digits.target, strict=False)):
    place = folder / ("new" if k >= 200 else f"digits/{label}")
    place.mkdir(parents=True, exist_ok=True)
    Image.fromarray((15 * pixels).astype(np.uint8)).save(place / f"{k:03}.png")
print({path.name: len(list(path.iterdir())) for path in sorted(folder.glob("digits/*"))})


def shell(command):
    """Run a command of noneuclid as in a shell, and print its output."""
    program = [sys.executable, "-m", "noneuclid_compare", *command.split()[1:]]
    done = subprocess.run(program, cwd=folder, check=True, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout or done.stderr}")


# %%
# A configuration
# ---------------
# ``noneuclid init digits`` writes one with all methods. This one is smaller. A network reads the labels of the rows that it is fitted to,
# so ``test_fraction`` sets test images aside for all methods.
configuration = """
datasets:
  digits:
    use: image_file
    files: {data: digits}
    params: {test_fraction: 0.3}
    split: {scheme: fixed}
    baselines: false
repeats: 1
embeddings:
  lifted_pca: {use: lifted_pca, params: {n_components: 8}}
methods:
  logistic: {use: sklearn.linear_model.LogisticRegression, chart: tangent, params: {max_iter: 10000}}
  neighbours: {use: noneuclid.GeodesicKNeighborsClassifier}
"""
network = "  network: {use: hyperbolic_images, params: {n_components: 8, max_iter: 40}}\n"
best = "network" if find_spec("torch") else "lifted_pca"
if best == "network":
    configuration = configuration.replace("methods:\n", network + "methods:\n")
else:
    print("PyTorch is not installed, so no network is trained: pip install 'noneuclid[images]'")
(folder / "config.yaml").write_text(configuration)
print(configuration)

# %%
# Run it
# ------
shell("noneuclid run --cores 2")
scores = pd.read_csv(folder / "results/report/tables/scores_by_dataset.tsv", sep="\t")
print(scores[["embedding", "method", "mean"]].to_string(index=False))

# %%
# New images
# ----------
# A kept model labels a folder, a picture, or an ``.npz`` of pixels. Images have the size and the channels of training; any other is an error
# that names the file.
shell("noneuclid predict results/models/digits/lifted_pca/neighbours.skops new --output labels.tsv")
labels = pd.read_csv(folder / "labels.tsv", sep="\t")
print(labels.head(3).to_string(index=False))
print("accuracy:", np.mean(labels["predicted"] == digits.target[200:240]).round(2))

# %%
# Next
# ----
# * ``noneuclid init FOLDER --copy images`` compares a hyperbolic and a flat last layer, in 2 and in 16 dimensions.
# * Features of your own network: :doc:`/tutorials/plot_10_vectors`.
# * Other files of images, such as MNIST's: :doc:`/own_data`.
