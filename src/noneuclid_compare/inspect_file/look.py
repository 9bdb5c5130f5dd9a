"""From a file to an entry under `datasets`, by the loader that reads it."""

from collections import Counter
from pathlib import Path

import numpy as np

from noneuclid.classifiers.default_chart import likely_chart
from noneuclid.embeddings.feature_scaling import standardises
from noneuclid.errors import InputError, require
from noneuclid.geometry.charts import CHARTS, SPACE_ONLY
from noneuclid_compare import wording
from noneuclid_compare.config import defaults, load_by_name, registry
from noneuclid_compare.data.files.arrays import listing, suffix_of
from noneuclid_compare.data.files.edge_lists import GRAPHS
from noneuclid_compare.data.files.feature_tables import is_feature_table
from noneuclid_compare.data.files.graph_formats import holds_matrix
from noneuclid_compare.data.files.tables import TABLES
from noneuclid_compare.data.files.vectors import NAMED
from noneuclid_compare.data.files.word_vectors import holds_word_vectors
from noneuclid_compare.evaluation.splits import groups_of, make_split
from noneuclid_compare.inspect_file import (
    arrays,
    cells,
    compositions,
    feature_tables,
    file_summary,
    graph_files,
    images,
    suspicious,
    tables,
    vectors,
)
from noneuclid_compare.inspect_file.suffixes import SUFFIXES

# Hydra takes four matrices of rows by rows: 3 GB.
LARGEST_OF_HYDRA = 10_000
# Beyond, a run on default folds takes hours; with one fold no difference could be tested.
MANY_ROWS, MANY_FOLDS = 20_000, 3
# Methods without embedding that take minutes, up to so many rows.
FAST_BASELINES, MOST_ROWS_OF_BASELINES = ("original_logistic", "original_forest"), 100_000
# Parts up to which `hilbert_svm` takes minutes: of 240 rows, a fit takes 5 s for 50 parts, 11 s for
# 200 and 155 s for 500.
MOST_PARTS = 200
# Columns that the embeddings of default need.
MOST_COMPONENTS = 5
_MEASURED = (
    "rows are read as measurements; for points of an embedding, set chart "
    f"({', '.join((*CHARTS, SPACE_ONLY))}: MERU, HyCoCLIP) and curvature under params, and "
    "embeddings: [given] for the data set"
)
# What is printed at most.
MOST_FILES, MOST_PROBLEMS = 10, 20
ROWS = {"graph_file": "node", "anndata_file": "cell", "feature_table": "sample"}
ROWS |= {"image_file": "image"}


def reader_of(path, labels=None):
    """The module that looks at a file, by its suffix and, of text, its first lines."""
    if path.is_dir():
        return images
    suffix = suffix_of(path)
    require(
        suffix in SUFFIXES,
        f"{path}: {suffix or 'no'} suffix; the files that are read end in {', '.join(SUFFIXES)}",
    )
    if suffix in NAMED or holds_word_vectors(path):
        return vectors
    if is_feature_table(path):
        return feature_tables
    matrix = suffix == ".npz" and holds_matrix(path)
    if suffix in GRAPHS or matrix or graph_files.is_edge_list(path):
        return graph_files
    if suffix in TABLES:
        return tables if labels is None else graph_files
    if suffix == ".h5ad":
        return cells
    return images if labels is None and images.are_images(path) else arrays


def files_in(path):
    """The file itself, a folder of images, or the data files of a folder, of one kind."""
    if not path.is_dir() or images.are_images(path):
        return [path]
    files = [file for file in sorted(path.iterdir()) if file.is_file()]
    files = [file for file in files if suffix_of(file) in SUFFIXES and file.name[0] != "."]
    require(files, f"{path} is a folder without data: files end in {', '.join(SUFFIXES)}")
    kinds = Counter(suffix_of(file) for file in files)
    require(
        len(kinds) == 1,
        f"{path} holds files of several kinds ({listing([f'{n} {s}' for s, n in kinds.items()])}): "
        "give one file, or a folder of one kind",
    )
    return files


def needs_label(path):
    """Whether a label must be named; arrays with a split and folders of images have one."""
    return not (path.is_dir() or (suffix_of(path) == ".npz" and arrays.has_split(path)))


def only_label(path, labels, features=None):
    """The label, if a file of labels of arrays or vectors holds one alone."""
    reader = None if labels is None else reader_of(path, labels)
    return reader.only_label(path, labels, features) if reader in (arrays, vectors) else None


def candidates(path, labels=None):
    """Names that may be labels, with their numbers of classes, and all names."""
    reader = reader_of(path, labels)
    if reader in (tables, cells):
        return reader.candidates(path)
    return reader.candidates(path, labels)


def look(path, label, labels=None, features=None):
    """An entry for a file, loaded and split as the workflow will do it."""
    path = Path(path)
    reader = reader_of(path, labels)
    require(
        features is None or reader in (arrays, cells, images, vectors),
        f"{path}: --features names a matrix of an .h5ad, or an array of an .npz or .pt file",
    )
    require(
        labels is None or reader in (graph_files, arrays, vectors, feature_tables),
        f"{path}: --labels belongs to networks, arrays, vectors and BIOM; labels of this file are "
        "in it",
    )
    options = {"labels": labels, "features": features}
    result = reader.look(path, label, **{k: v for k, v in options.items() if v is not None})
    function = registry.path_of(result.use, "load")
    result.dataset = dataset = load_by_name.call(function, result.files, 0, **result.params)
    # Embeddings of compositions have no faster form for many rows.
    closed = dataset.kind == "features" and dataset.n <= MANY_ROWS
    closed = closed and dataset.column_kinds is None
    if closed and compositions.set_parameters(result, dataset.features):
        result.dataset = dataset = load_by_name.call(function, result.files, 0, **result.params)
    grouped, usual = {}, defaults.SPLITS["folds"]
    if dataset.groups is not None:
        grouped = defaults.SPLIT_OF_GROUPS
        most = MANY_FOLDS if _has_many_rows(dataset) else usual
        if (folds := min(most, len(dataset.group_names))) < usual:
            result.entry["split"] = {"folds": folds}
    elif dataset.target is None and "scheme" not in result.entry.get("split", {}):
        counts = np.bincount(dataset.labels, minlength=len(dataset.class_names))
        sizes = dict(zip(dataset.class_names, counts.tolist(), strict=True))
        folds = MANY_FOLDS if _has_many_rows(dataset) else usual
        file_summary.check_sizes(result, sizes, ROWS.get(result.use, "row"), folds)
    split = defaults.SPLITS | grouped | result.entry.get("split", {})
    fixed = dataset.fixed_fold
    try:
        names, groups = dataset.class_names, groups_of(dataset)
        make_split(dataset.labels, names, 0, 0, fixed, groups, **split)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    _say_features(result)
    _say_copies(result, label)
    if _has_many_rows(dataset):
        _choose_for_many_rows(result)
    else:
        _choose_embeddings(result)
    if dataset.kind == "composition" and dataset.target is None:
        _choose_for_many_parts(result)
    return result


def _has_many_rows(dataset):
    kinds = ("features", "expression", "images")
    return dataset.n > MANY_ROWS and dataset.target is None and dataset.kind in kinds


def _choose_for_many_rows(result):
    """An embedding and methods whose cost grows about as the rows, and few folds."""
    methods, n = list(defaults.ON_MANY_ROWS), result.dataset.n
    baselines = list(FAST_BASELINES) if n <= MOST_ROWS_OF_BASELINES else False
    chosen = {"embeddings": ["hyperbolic_umap"], "methods": methods, "baselines": baselines}
    result.entry |= chosen
    result.sections["repeats"] = 1
    said = f"hyperbolic_umap, fast methods and one repeat, because of {n} rows; "
    said += "a Gaussian SVM" if baselines else "methods"
    said += " without embedding may take hours; baselines: true adds "
    said += "it" if baselines else "them"
    result.facts.append(("run", said))


def _choose_for_many_parts(result):
    """Leave out the Hilbert SVM of many parts."""
    p = result.dataset.features.shape[1]
    if p > MOST_PARTS:
        chosen = [name for name in defaults.ON_COMPOSITIONS if name != "hilbert_svm"]
        result.entry["methods"] = chosen
        result.facts.append(("run", f"without hilbert_svm, which takes hours for {p} parts"))


def _say_features(result):
    """Say what the features are, and in which units."""
    dataset, facts = result.dataset, result.facts
    if dataset.features is None:
        lengths = "without lengths" if dataset.weights is None else "with lengths"
        facts.append(("network", f"{dataset.n} nodes, {len(dataset.edges)} edges {lengths}"))
    elif dataset.kind == "images":
        shape = " x ".join(map(str, dataset.about["image_shape"]))
        facts.append(("images", f"{dataset.n} of {shape} (rows, columns, channels)"))
        facts.append(("classes", listing(dataset.class_names, 12)))
    else:
        named = dataset.about.get("columns")
        every = columns = named or [f"column {k}" for k in range(dataset.features.shape[1])]
        result.problems += suspicious.about_names(columns, "columns")
        kinds = dataset.column_kinds or [None] * len(columns)
        numbers = [k for k, kind in enumerate(kinds) if kind is None]
        columns, values = [columns[k] for k in numbers], dataset.features[:, numbers]
        said = f"{len(columns)} columns of numbers"
        if dataset.kind == "features" and named:
            said += f": {listing(columns, 8)}"
        facts.append(("features", said))
        if numbers:
            result.problems += suspicious.about_codes(values, columns)
            scaled = standardises("auto", dataset, "init")
            facts.append(("scales", _scales(values, columns, scaled)))
        named_so = []
        if dataset.kind in ("features", "expression") and dataset.column_kinds is None:
            points = _about_points(dataset.features)
            result.problems += points
            if result.use == "array_file" and not (named or points):
                facts.append(("note", _MEASURED))
        if dataset.kind == "features" and dataset.column_kinds is None:
            named_so = compositions.problems(dataset.features)
            result.problems += named_so
        if result.use == "table_file" and dataset.kind == "features" and not named_so:
            compositions.add_hint(result, values, columns, every)
    unsaid = [text for text in dataset.about.get("oddities", []) if "left out" not in text]
    facts += [("note", text) for text in unsaid if "no name" not in text]


def _scales(values, columns, scaled):
    """The units of columns, by the smallest and the largest standard deviation."""
    scales = np.nanstd(values, axis=0)
    low, high = int(np.where(scales > 0, scales, np.inf).argmin()), int(scales.argmax())
    return (
        f"standard deviations {scales[low]:.3g} ({columns[low]}) to {scales[high]:.3g} "
        f"({columns[high]}); embeddings "
        + ("divide each column by its own" if scaled else "keep them")
    )


def _say_copies(result, label):
    """Say which rows occur more than once and, of a number to predict, which columns copy it."""
    dataset = result.dataset
    if dataset.features is None:
        return
    outcomes = dataset.labels if dataset.target is None else dataset.target
    result.problems += suspicious.about_rows(dataset.features, outcomes.tolist())
    # Of a table the columns are known by now.
    if dataset.target is not None and result.use != "table_file":
        exact, near = suspicious.copies_of(dataset.target, dataset.features)
        names = dataset.about.get("columns") or range(1, dataset.features.shape[1] + 1)
        done = "kept; remove it from the file, or all scores are too good"
        for chosen, is_exact in ((exact, True), (near, False)):
            copies = [f"column {names[k]}" for k in chosen]
            result.problems += suspicious.about_copies(copies, label, is_exact, done)


def _about_points(features):
    """Problem with rows that look like points of hyperbolic space, in a list."""
    found = likely_chart(features)
    if found is None or (features >= 0).all():
        return []
    names, place = found
    inside = ", project_to_ball: true" if "rim" in place else ""
    return [
        f"all {len(features)} rows lie {place}, as the points of an embedding do: they are read as "
        f"measurements and embedded again; if they are points, add under params chart: "
        f"{' or '.join(names)}{inside}, and set embeddings: [given] for the data set"
    ]


def _choose_embeddings(result):
    """Choose embeddings for many rows or few columns."""
    data, usual = result.dataset, defaults.OF_KIND[result.dataset.kind]
    chosen, why = list(usual), []
    if data.n > LARGEST_OF_HYDRA and "hydra" in usual:
        chosen = [name for name in usual if name != "hydra"] or ["deepwalk"]
        why.append(f"hydra takes much memory beyond {LARGEST_OF_HYDRA} rows")
    if data.kind != "graph" and data.features.shape[1] < MOST_COMPONENTS:
        chosen = [name for name in chosen if name != "lifted_pca_5"]
        why += ["there are few columns"] * ("lifted_pca_5" in usual)
    if why:
        result.entry["embeddings"] = chosen
        result.facts.append(("embedding", f"{', '.join(chosen)}, because {' and '.join(why)}"))


def described(results):
    """Lines on what was found: facts of the first file, sizes of the others, problems of all."""
    (first, result), *others = results.items()
    lines = [f"{first} (read by {result.use})"]
    lines += [f"  {word:<12}{text}" for word, text in result.facts]
    for path, other in others[:MOST_FILES]:
        counts = f"{other.dataset.n} rows, {len(other.dataset.class_names)} classes"
        lines.append(f"{path}: {counts}")
    if len(others) > MOST_FILES:
        lines.append(f"and {len(others) - MOST_FILES} more files")
    said = {}
    for path, one in results.items():
        for text in one.problems:
            said.setdefault(text, []).append(path.name)
    problems = [
        f"problem: {f'{listing(names, 3)}: ' if others else ''}{text}"
        for text, names in said.items()
    ]
    if len(problems) > MOST_PROBLEMS:
        more = f"problem: {len(problems) - MOST_PROBLEMS} more; the configuration shows all"
        problems = [*problems[:MOST_PROBLEMS], more]
    return [wording.printable(line) for line in lines + problems]
