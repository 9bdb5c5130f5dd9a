"""
A table of patients
===================

Several rows belong to one patient, some values are missing, and one column is text. This tutorial shows how much random folds
flatter a method on such a table, and how missing values and categories are prepared on training rows alone.
"""

# %%
# Data
# ----
# Thirty patients have eight visits each. The level of a patient differs from that of others far more than the disease shifts it, so two
# visits of one patient are alike. Every tenth value is missing.
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from noneuclid import HyperbolicRandomForestClassifier

rng = np.random.default_rng(0)
patient = np.repeat(np.arange(30), 8)
ill = patient % 2 == 1
values = rng.normal(size=(30, 6))[patient] + 0.3 * rng.normal(size=(240, 6))
values[ill, :3] += 1
values[rng.random(values.shape) < 0.1] = np.nan
table = pd.DataFrame(values.round(3), columns=[f"marker_{k}" for k in range(6)])
table["smoker"] = rng.choice(["never", "once", "daily"], size=30)[patient]
table.insert(0, "patient", [f"p{k:02}" for k in patient])
table["diagnosis"] = np.where(ill, "ill", "healthy")
print(table.head(3))

# %%
# Missing values and categories
# -----------------------------
# In a pipeline, medians and categories are learned from the training rows of each fold. A missing text is a category of its own.
X, y = table.drop(columns=["patient", "diagnosis"]), table["diagnosis"]
prepare = make_column_transformer(
    (
        make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()),
        make_column_selector(dtype_include=float),
    ),
    (OneHotEncoder(handle_unknown="ignore"), ["smoker"]),
)

# %%
# Folds of rows, folds of patients
# --------------------------------
# In random folds, other visits of a test patient are training rows: a method that recognises patients appears to diagnose them. In folds
# of whole patients it cannot. Only the second score is what to expect for a new patient.
methods = {
    "logistic regression": LogisticRegression(),
    "forest": RandomForestClassifier(random_state=0),
    "hyperbolic forest": HyperbolicRandomForestClassifier(random_state=0),
}
settings = {"n_splits": 5, "shuffle": True, "random_state": 0}
of_rows = list(StratifiedKFold(**settings).split(X, y))
of_patients = list(StratifiedGroupKFold(**settings).split(X, y, table["patient"]))
for name, method in methods.items():
    model = make_pipeline(prepare, method)
    random = cross_val_score(model, X, y, cv=of_rows).mean()
    whole = cross_val_score(model, X, y, cv=of_patients).mean()
    print(f"{name:20} random folds {random:.2f}, whole patients {whole:.2f}")

# %%
# From a file
# -----------
# ``noneuclid init`` finds all three: the column of patients, categories and missing values.
folder = Path(tempfile.mkdtemp())
table.to_csv(folder / "visits.csv", index=False)


def shell(command):
    """Run a command of noneuclid as in a shell, and print its output."""
    program = [sys.executable, "-m", "noneuclid_compare", *command.split()[1:]]
    done = subprocess.run(program, cwd=folder, check=True, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout or done.stderr}")


shell("noneuclid init visits.csv --label diagnosis")

# %%
# The configuration has them as ``groups``, ``categories`` and ``missing_values``; ``stratified_group_kfold`` keeps patients whole.
print((folder / "visits/config.yaml").read_text().partition("# What is left out")[0])

# %%
# Next
# ----
# * ``noneuclid run`` in that folder compares methods. Its page has the scores of random folds next to those of whole patients, with
#   the interval of the difference.
# * Other schemes, such as one study held out at a time: :doc:`/own_data`.
# * Answers with a stated error rate for new patients: :class:`noneuclid.ConformalClassifier`, with ``groups``.
