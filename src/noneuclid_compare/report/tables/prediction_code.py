"""The command and the Python code that use a kept model, ready to copy.

A `source` says what new samples look like: see `sections.recommendation.source`. If the embedding
has no rule for new rows it also has the `chart` of the points that the model takes.
"""

import json
import shlex

from noneuclid_compare import wording
from noneuclid_compare.config import registry
from noneuclid_compare.models import projections
from noneuclid_compare.report import style


def with_reference(source, folder):
    """The source of cells with the file whose components new cells are projected on, if it can."""
    path = folder / source["path"]
    principal = source.get("features") == projections.PRINCIPAL and path.suffix == ".h5ad"
    if principal and path.is_file() and projections.has_loadings(path):
        return source | {"reference": source["path"]}
    return source


def command(path, source, use):
    """The shell command that labels new samples by a model of the class `use`."""
    words = ["noneuclid", "predict", path, new_file(source), "--output", "predicted.tsv"]
    for option, value in _options(source).items():
        words += [f"--{option}", value]
    return shlex.join([*words, *(["--trust", *trust(use)] if trust(use) else [])])


def _options(source):
    """Options that differ from the defaults."""
    own = "chart" not in source and "reference" in source
    return {"reference": source["reference"]} if own else {}


def new_file(source):
    """Name of a file of new samples."""
    return "points.npz" if "chart" in source else f"new.{source['suffix']}"


def trust(use):
    """Modules and files that must be trusted to load a model of the class `use`.

    Examples
    --------
    >>> trust("sklearn.svm.SVC"), trust("xgboost.XGBClassifier"), trust("mine.py:Tree")
    ([], ['xgboost'], ['mine.py'])
    """
    own = registry.FILE.fullmatch(use)
    if own:
        return [own["file"]]
    root, dot, _ = use.partition(".")
    ships = style.ships(use) or root in ("noneuclid", "sklearn")
    return [root] if dot and not ships else []


def lines(path, source, use):
    """Python code that labels new samples as the command does: few lines without indentation."""
    trusted = f", trust={json.dumps(trust(use))}" if trust(use) else ""
    options = "".join(f", {key}={json.dumps(value)}" for key, value in _options(source).items())
    about = f"columns as in {source['path']}" if source["path"] else "features as in training"
    if source.get("network"):
        about = "edges that join new nodes to known ones"
    if "chart" in source:
        about = f"X: points of the embedding, chart {wording.signature(source['chart'])}"
    return "\n".join(
        [
            "from noneuclid_compare import load_model",
            f"model = load_model({json.dumps(path)}{trusted})",
            f"answer = model.predict_file({json.dumps(new_file(source))}{options})  # {about}",
            "print(answer)  # the same table as the command; model.predict(rows) takes arrays",
            'answer.to_csv("predicted.tsv", sep="\\t", index=False)',
        ]
    )
