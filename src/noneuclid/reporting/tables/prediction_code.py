"""The command and the Python code that use a kept model, ready to copy.

A `source` says what new samples look like: see `sections.recommendation.source`. If the embedding
has no rule for new rows it also has the `chart` of the points that the model takes.
"""

import json
import shlex

from noneuclid.datasets.files import tables
from noneuclid.experiment import public_names
from noneuclid.reporting import style

FAR = 'answer["far"] = model.far(rows)  # True: far from the training data, a guess'


def with_separator(source, folder):
    """The source of a table with the separator of its file, if that is in the folder of the run."""
    path = folder / source["path"]
    if source["path"] and f".{source['suffix']}" in tables.TEXT and path.is_file():
        return source | {"separator": tables.separator_of(path)}
    return source


def command(path, source, use):
    """The shell command that labels new samples by a model of the class `use`."""
    trusted = ["--trust", *trust(use)] if trust(use) else []
    return shlex.join(
        ["noneuclid", "predict", path, new_file(source), "--output", "predicted.tsv", *trusted]
    )


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
    own = public_names.FILE.fullmatch(use)
    if own:
        return [own["file"]]
    root, dot, _ = use.partition(".")
    ships = use in style.SHIPPED or root in ("noneuclid", "sklearn")
    return [root] if dot and not ships else []


def lines(path, source, use, far=True):
    """Python code that loads the model and labels new samples: at most ten lines, no indentation.

    `far`: the model keeps training points, from which new ones may be far.
    """
    trusted = f", trust={json.dumps(trust(use))}" if trust(use) else ""
    imported, read = _reading(source)
    return "\n".join(
        [
            *(f"import {name}" for name in (*imported, "pandas as pd")),
            "from noneuclid import load_model",
            f"model = load_model({json.dumps(path)}{trusted})",
            *read,
            'answer = pd.DataFrame({"predicted": model.predict(rows)})',
            *([FAR] if far else []),
            "print(answer)",
            'answer.to_csv("predicted.tsv", sep="\\t")',
        ]
    )


def _reading(source):
    """Modules, and lines that read `rows`."""
    file, suffix = json.dumps(new_file(source)), source["suffix"]
    if "chart" in source:
        about = f"# X: points of the embedding, chart {source['chart']}"
        return ["numpy as np"], [f'rows = np.load({file})["X"]  {about}']
    if f".{suffix}" in tables.TABLES:
        like = f"# columns as in {source['path']}"
        return [], [
            f"table = {_table(file, source)}  {like}",
            "rows = table[model.columns].to_numpy(float)",
        ]
    if suffix == "h5ad":
        return ["anndata"], [f"cells = anndata.read_h5ad({file})", _cells(source["features"])]
    array = f"[{json.dumps(source['features'])}]" if suffix == "npz" else ""
    return ["numpy as np"], [f"rows = np.load({file}){array}  # features as in training"]


def _table(file, source):
    """Expression that reads a table as the workflow does."""
    if source["suffix"] == "parquet":
        return f"pd.read_parquet({file})"
    separator = source.get("separator", "\t" if source["suffix"] == "tsv" else ",")
    options = "" if separator == "," else f", sep={json.dumps(separator)}"
    options += "" if source["decimal"] == "." else f", decimal={json.dumps(source['decimal'])}"
    return f"pd.read_csv({file}{options})"


def _cells(features):
    """Line that takes the features of cells."""
    part, _, name = features.partition("/")
    if part == "obsm":
        return f"rows = cells.obsm[{json.dumps(name)}]  # on the components of the training cells"
    layer = f"layer={json.dumps(name)}" if part == "layers" else ""
    return f"rows = cells.to_df({layer})[model.columns].to_numpy(float)"
