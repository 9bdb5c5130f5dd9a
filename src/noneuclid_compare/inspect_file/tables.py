"""A look at a table: what each column is, also by its name: identifier, group of rows, nothing."""

import re

import numpy as np

from noneuclid.embeddings.base import is_distances
from noneuclid.errors import InputError, require
from noneuclid.interfaces.numbers import EXACT
from noneuclid_compare import wording
from noneuclid_compare.data.files.arrays import listing, require_names
from noneuclid_compare.data.files.categories import names_of, why_none
from noneuclid_compare.data.files.tables import (
    as_labels,
    form_of,
    is_index,
    is_quantity,
    read_table,
    rows_of_table,
    words_of,
)
from noneuclid_compare.data.own.samples import LARGEST
from noneuclid_compare.data.own.texts import MISSING, is_missing
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file import groups, scales, suspicious

# Names that identifiers have: the last word, or all of the name.
_LAST = {"id", "uid", "uuid", "guid", "key", "barcode", "idx", "accession", "mrn", "ssn"}
_WHOLE = {"code", "index", "nr", "sample", "subject", "patient", "participant", "record", "serial"}
_WHOLE |= {"row", "rowname", "rownames", "obs", "observation", "case", "specimen", "instance"}
_WHOLE |= {"individual"}
# Last words of names of columns that say where or when a row was measured, before "nr". The second
# ones are groups only by themselves or after a word of `_KINDS`.
_GROUPS = {"batch", "plate", "lane", "donor", "patient", "subject", "participant", "individual"}
_GROUPS |= {"hospital", "clinic", "lab", "cohort", "household", "family", "animal", "mouse", "cage"}
_GROUPS |= {"litter", "slide", "session", "experiment"}
_LOOSE = {"run", "site", "center", "centre", "fold", "group", "cluster", "well", "chip", "block"}
_LOOSE |= {"replicate", "split", "study"}
_KINDS = {"cv", "test", "train", "seq", "sequencing", "library", "sample", "study", "batch"}
_KINDS |= {"plate", "outer"}
_KINDS |= {"recording", "medical", "recruitment", "technical", "biological", "treatment"}
_NUMBER = {"nr", "no", "num", "number", "id", "uid", "idx", "code", "index", "key", "label"}
# Words of measurements and counts: "cells_per_donor", "n_patients", "age_of_patient".
_MEASURE = {"per", "in", "of", "to", "at", "from", "by", "n", "num", "number", "total", "count"}
_MEASURE |= {"log", "mean", "age", "years", "days", "time", "dist", "distance", "score", "size"}
_MEASURE |= {"level", "levels", "stroke", "strokes", "signal", "rate", "ratio"}
_COMMA = r"\s*[+-]?\d+(,\d+)?\s*"
_THOUSANDS = r"\s*[+-]?[1-9]\d{0,2}(,\d{3})+\s*"
# So many different texts show whether they hold numbers with units.
_ENOUGH = 1000
# Whole numbers of so many values may be codes of categories.
_MOST_CODES = 10
_IN_ORDER = "names in the order of the file, or of a well-known scale: their positions"
# So few rows may be numbers from one to the next by chance.
_COUNTED = 10


def candidates(path):
    """Columns that may hold classes."""
    table, _ = read_table(path)
    # Of wide tables the first and the last columns; the columns between are measurements.
    names = list(table.columns)
    names = names if len(names) <= 400 else names[:200] + names[-200:]
    return looks.candidates({name: table[name].tolist() for name in names}), list(table.columns)


def look(path, label):
    """An entry for a table with this column of labels."""
    table, names = read_table(path, [label])
    table.columns = columns = [str(column) for column in table.columns]
    require_names(path, "column", columns, [label])
    decimal = "," if _has_commas(table.drop(columns=label)) else "."
    if decimal == ",":
        table, names = read_table(path, [label], decimal)
    found = looks.Found("table_file", {"data": path}, {"label": label})
    found.facts.append(("size", f"{len(table)} rows, {len(columns)} columns"))
    labels = as_labels(table[label], path, {*MISSING}, decimal)
    looks.read_labels(found, labels, label)
    if decimal == ",":
        found.set("decimal", ",", "decimal commas")
    columns = {
        name: table[name] for name in table.columns if name != label and _is_whole(table[name])
    }
    if (chosen := groups.choose(found, columns, labels, group_word)) is not None:
        table = table.drop(columns=chosen)
    table = table.assign(**_marked(table.drop(columns=label), decimal))
    roles = _roles(table.drop(columns=label))
    found.problems += roles["problems"]
    table = table.assign(**{name: codes_of_text(table[name]) for name in roles["category"]})
    _set_names(found, roles, names)
    if found.params.get("numeric"):
        _move_copies(found, roles, table, labels, label)
    _move_identifiers(found, roles, table)
    _set_features(found, roles, table, path)
    if not found.params.get("numeric"):
        _give_away(found, table, roles["feature"], label)
    return found


def holds_distances(path):
    """Whether the columns of numbers of a table are a matrix of distances."""
    table, _ = read_table(path)
    return is_distances(table.select_dtypes("number").to_numpy(dtype=np.float64))


def without_label(path):
    """Columns of numbers of a table without labels, shape (n, p), and names of those left out.

    Left out are names and numbers of the rows.
    """
    table, _ = read_table(path)
    columns = [str(column) for column in table.columns]
    require(
        not all(_is_number(name) for name in columns) or columns[0].isdigit(),
        f"{path}: the first line holds numbers, not names of columns: add a line of names, or save "
        "a matrix of distances as .npy",
    )
    roles = _roles(table)
    left_out = [*roles["names"], *roles["numbering"]]
    kept = [name for name in columns if name not in left_out]
    rows = rows_of_table(path, features=kept).features
    for row, column in np.argwhere(~np.isfinite(rows))[:1]:
        raise InputError(
            f"{path}: column {kept[column]!r}, row {row} has no finite value: fill it in, or "
            "remove the row or the column"
        )
    return rows, left_out


def _is_whole(values):
    """Whether a column holds text or whole numbers."""
    return values.dtype.kind not in "fc" or not (values.dropna() % 1).any()


def _has_commas(table):
    """Whether a column of text holds numbers with decimal commas, and nothing else."""
    for _, values in _texts(table):
        known = _known(values)
        marked = known[known.str.contains(",")]
        # Where each comma is followed by three digits, it may separate thousands.
        if (
            len(marked)
            and known.str.fullmatch(_COMMA).all()
            and not marked.str.fullmatch(_THOUSANDS).all()
        ):
            return True
    return False


def _known(values):
    """Values of a column of text that are not missing, as text."""
    return values[[not is_missing(value) for value in values]].astype(str)


def _marked(table, decimal):
    """Columns of text that are numbers, with marks of missing values such as ?, by name."""
    import pandas

    found = {}
    for name, values in _texts(table):
        known = _known(values.astype(object))
        if decimal == ",":
            known = known.where(~known.str.contains(".", regex=False), "")
            known = known.str.replace(",", ".", regex=False)
        numbers = pandas.to_numeric(known, errors="coerce")
        if len(known) and (numbers.abs() <= EXACT).all():
            found[name] = numbers.reindex(values.index)
    return found


def codes_of_text(values):
    """Codes of a column of categories, NaN where a value is missing."""
    import pandas

    codes = pandas.factorize(_known(values.astype(object)).reindex(values.index))[0].astype(float)
    return np.where(codes < 0, np.nan, codes)


def _texts(table):
    """Columns that are not numbers."""
    kinds = table.dtypes.map(lambda kind: getattr(kind, "kind", "O"))
    return [(name, table[name]) for name in table.columns[(~kinds.isin([*"iufb"])).to_numpy()]]


def _roles(table):
    """Names of the columns by what each is."""
    texts = dict(_texts(table))
    numbers = table.drop(columns=list(texts))
    keys = ("feature", "gaps", "numbering", "long", "text", "names", "category", "problems")
    roles = {key: [] for key in keys}
    values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    missing = np.isnan(values)
    with np.errstate(invalid="ignore"):
        whole = numbers.dtypes.map(lambda kind: kind.kind in "iu").to_numpy(dtype=bool)
        gaps = (np.abs(values) > LARGEST).any(axis=0) | missing.all(axis=0)
        long = whole & (np.abs(values) > EXACT).any(axis=0)
        steps = np.diff(np.sort(values, axis=0), axis=0)
        rises = (np.diff(values, axis=0) > 0).all(axis=0)
    named = np.array([is_quantity(name) for name in numbers.columns], dtype=bool)
    numbering = (steps == 1).all(axis=0) & (len(values) >= _COUNTED) & ~named
    rising = rises & whole & (len(values) >= _COUNTED)
    silent = np.array([says_nothing(name) for name in numbers.columns], dtype=bool)
    counting = suspicious.counts_rows(values) & silent
    for k, name in enumerate(numbers.columns):
        role = "long" if long[k] else "gaps" if gaps[k] else "feature"
        roles["numbering" if numbering[k] or is_index(name) else role].append(name)
    for name, column in texts.items():
        # Numbers with a few other texts among them are a measurement.
        measured = 2 * sum(map(_is_number, column)) >= len(column)
        different = column.notna().all() and column.nunique() == len(column) and not measured
        problem = "" if different else _about_text(name, column.astype(object))
        roles["names" if different else "text" if problem else "category"].append(name)
        roles["problems"] += [problem] if problem else []
    usable = set(roles["feature"])
    roles["missing"] = [name for name in numbers.columns[missing.any(axis=0)] if name in usable]
    roles["missing"] += [
        name for name in roles["category"] if any(map(is_missing, texts[name].astype(object)))
    ]
    orders = {name: _order_of(texts[name]) for name in roles["category"]}
    roles["ordered"] = {name: levels for name, levels in orders.items() if levels}
    roles["feature"] += roles["category"]
    roles["rising"] = [name for name in numbers.columns[rising] if name in usable]
    roles["counting"] = [name for name in numbers.columns[counting] if name in usable]
    roles["constant"] = [
        name
        for name in numbers.columns[(missing | (values == values[0])).all(axis=0)]
        if name in usable and name not in roles["missing"]
    ]
    return roles


def _order_of(values):
    """Levels of a category in the order of the file, or of a well-known scale; empty without."""
    if getattr(values.dtype, "ordered", False):
        return names_of(values.cat.categories).tolist()
    return scales.in_order([*{*names_of(_known(values.astype(object)).unique())}])


def _is_number(value):
    """Whether a text is a number, perhaps with commas."""
    try:
        float(str(value).replace(",", ""))
    except ValueError:
        return False
    return True


def _set_names(found, roles, names):
    """Choose the column of sample names; the others of its kind are no features."""
    named = [*roles["names"], *roles["numbering"]]
    if names is not None:
        found.facts.append(("id", "the first column, which has no name, or the index"))
    elif named:
        found.set("id", named[0], "names of the samples")
        what = "text, different in each row"
        if not roles["names"]:
            what = f"it numbers the rows; {suspicious.KEEP_ALL}"
        found.facts.append(("id", f"{named[0]}: {what}"))
    if len(named) > (names is None):
        others = named[names is None :]
        keep = f"; {suspicious.KEEP_ALL}" if {*others} & {*roles["numbering"]} else ""
        said = f"{listing(others, 8)}: names or numbers of the rows{keep}"
        found.facts.append(("no feature", said))
    roles["left out"] = named if names is not None else named[1:]


def _move_copies(found, roles, table, labels, label):
    """Take columns that are the target in another unit from the features."""
    known = [not is_missing(value) for value in labels]
    target, names = np.array(labels[known], dtype=float), roles["feature"]
    values = table[names].to_numpy(dtype=np.float64, na_value=np.nan)[known]
    complete = ~np.isnan(values)
    roles["copies"], roles["near"] = [], []
    for rows in np.unique(complete, axis=1).T:
        some = np.flatnonzero((complete == rows[:, None]).all(axis=0))
        both = suspicious.copies_of(target[rows], values[rows][:, some])
        for role, copies in zip(("copies", "near"), both, strict=True):
            roles[role] += [names[some[k]] for k in copies]
    done = "kept; if unknown when you predict, add to `drop`, or all scores are too good"
    found.problems += [
        *suspicious.about_copies(roles["copies"], label, True, "left out (drop)"),
        *suspicious.about_copies(roles["near"], label, False, done),
    ]
    roles["feature"] = [name for name in names if name not in roles["copies"]]
    parts = [
        name
        for name, column, rows in zip(names, values.T, complete.T, strict=True)
        if name in roles["feature"] and suspicious.cuts(column[rows], target[rows], len(names))
    ]
    if parts:
        how = f"thresholds of {label} give its values"
        found.problems.append(suspicious.about_given_away(parts, how))


def _move_identifiers(found, roles, table):
    """Take identifiers from the features; name others that may number rows or groups."""
    unique = [
        name
        for name in roles["feature"]
        if name not in roles["category"]
        and suspicious.differ(table[name])
        and not (table[name] % 1).any()
    ]
    # An index may also be a measurement, such as one of refraction.
    named = [
        name
        for name in unique
        if is_named_so(name)
        and (words_of(name) != ["index"] or suspicious.is_in_order(table[name]))
    ]
    unique = [name for name in unique if suspicious.identifies(table[name])]
    counting = [name for name in unique if name in roles["counting"] and name not in named]
    found.problems += suspicious.about_identifiers(named, "with the name of an identifier")
    found.problems += suspicious.about_identifiers(counting, "almost consecutive, in order")
    others = [name for name in unique if name not in {*named, *counting, *roles["rising"]}]
    found.problems += suspicious.about_identifiers(others)
    roles["identifiers"] = [*named, *counting]
    for role in ("feature", "rising"):
        roles[role] = [name for name in roles[role] if name not in roles["identifiers"]]
    known = {*others, *roles["rising"], *roles["constant"], *roles.get("near", [])}
    groups = [
        name
        for name in roles["feature"]
        if name not in {*known, *roles["category"]} and numbers_groups(name, table[name])
    ]
    found.problems += suspicious.about_groups(groups)


def _set_features(found, roles, table, path):
    """Leave out what cannot be a feature, and say what is left."""
    left_out, reasons = list(roles["left out"]), []
    if roles["text"]:
        reasons.append("text")
    if roles["long"]:
        reasons.append("identifiers")
        found.problems.append(
            f"{listing(roles['long'], 5)}: integers beyond 2^53, which are identifiers: left out "
            "(drop)"
        )
    if roles["gaps"]:
        reasons.append("infinite or no values")
        _check_gaps(found, roles, table, path)
    for role, reason in (("identifiers", "identifiers"), ("copies", "copies of the label")):
        if roles.get(role):
            reasons += [reason] if reason not in reasons else []
            left_out += roles[role]
    left_out += [*roles["text"], *roles["long"], *roles["gaps"]]
    require(
        len(roles["feature"]) > 1,
        f"{path}: {len(roles['feature'])} columns of numbers or categories are left as features "
        f"({listing(roles['feature'], 5)}); embeddings need two or more, and edges of a network "
        "the header source, target",
    )
    _set_kinds(found, roles, table)
    if left_out:
        why = [*(["names or numbers of rows"] if roles["left out"] else []), *reasons]
        found.set("drop", left_out, ", ".join(why))
    if roles["constant"]:
        found.problems.append(
            f"{listing(roles['constant'], 5)}: the same value in every row, no information: add to "
            "`drop` or leave it, the results are the same"
        )
    if roles["rising"]:
        found.problems.append(
            f"{listing(roles['rising'], 5)}: integers that rise from row to row, as numbers of "
            "samples do: if so, add to `drop`"
        )


def _set_kinds(found, roles, table):
    """Say which features are categories and which have missing values, and set both."""
    ordered = roles["ordered"]
    plain = [name for name in roles["category"] if name not in ordered]
    if plain:
        found.set("categories", plain, "text of few values: a column of 0 and 1 for each")
    if ordered:
        found.set("ordered", ordered, _IN_ORDER)
    missing = [name for name in roles["missing"] if name in roles["feature"]]
    if missing:
        count = int(table[missing].isna().to_numpy().sum())
        where = wording.count(len(missing), "column")
        said = f"{wording.count(count, 'missing value')} in {where}: medians, and a mark"
        found.set("missing_values", "impute", said)
    codes = [
        name
        for name in roles["feature"]
        if name not in roles["category"]
        and 2 < table[name].nunique() <= _MOST_CODES
        and not ((table[name] % 1 > 0).any() or is_quantity(name))
    ]
    if codes:
        said = "used as numbers; add to `categories` if they are codes"
        found.facts.append(("few values", f"{listing(codes, 5)}: {said}"))


def _about_text(name, values):
    """Problem with a column of text that is no category, and its remedy; empty if it is one."""
    import pandas

    known = _known(values)
    numbers = pandas.to_numeric(known, errors="coerce")
    bad = known[numbers.isna()]
    if 0 < 2 * len(bad) <= len(known):
        return (
            f"{name}: {len(bad)} of {len(known)} values are no numbers, the first "
            f"{bad.iloc[0]!r} in row {bad.index[0]}: left out (drop); correct them to use it"
        )
    some = known.drop_duplicates()[:_ENOUGH]
    forms = {row: form for row, text in some.items() if (form := form_of(text.strip()))}
    if 2 * len(forms) > len(some):
        row, (what, remedy) = next(iter(forms.items()))
        return (
            f"{name}: {known[row]!r} in row {row} and others are {what}: left out (drop); to use "
            f"it, {remedy}"
        )
    if suspicious.identifies(known):
        return (
            f"{name}: text, {known.nunique()} different values in {len(known)} rows, which "
            "identify rows: left out (drop)"
        )
    if names_groups(name) and known.nunique() > 1:
        return (
            f"{name}: text with {wording.count(known.nunique(), 'value')} and the name of a batch "
            f"or group: left out (drop). {suspicious.MIXED}; if it is a property of the samples, "
            "move it to `categories`"
        )
    said = f"{name}: text with {wording.count(known.nunique(), 'value')} cannot be a feature"
    if known.nunique() + (len(known) < len(values)) < 2:
        return f"{said}: left out (drop)"
    why = why_none(known.value_counts().tolist())
    why = why or ("it has the name of an identifier" if is_named_so(name) else "")
    return f"{said}, {why}: left out (drop); group its values to use it" if why else ""


def _check_gaps(found, roles, table, path):
    """Leave out columns without values or with infinite ones, unless most columns have some."""
    gaps = roles["gaps"]
    values = table[gaps].to_numpy(dtype=np.float64, na_value=np.nan)
    bad = ~(np.abs(values) <= LARGEST)
    if len(gaps) > len(roles["feature"]):
        raise InputError(
            f"{path}: {len(gaps)} of {len(gaps) + len(roles['feature'])} columns have infinite or "
            f"no values (row {int(bad.any(axis=1).argmax())}, column "
            f"{gaps[int(bad.any(axis=0).argmax())]!r} is one); empty these cells in the file"
        )
    counts = zip(gaps, bad.sum(axis=0).tolist(), strict=True)
    each = [f"{name} ({wording.count(count, 'row')})" for name, count in counts]
    found.problems.append(
        f"infinite or no values in {listing(each, 5)}: left out (drop); empty these cells in the "
        "file to use the columns"
    )


def _give_away(found, table, features, label):
    """Name features that are the label in other words, or from which it may be computed."""
    table = table[[not is_missing(value) for value in table[label]]]
    labels = np.unique(table[label].astype(str).to_numpy(), return_inverse=True)[1]
    few = [name for name in features if table[name].dtype.kind in "iubf"] if labels.any() else []
    said = {}
    for name in few[:1000]:
        values = table[name].to_numpy(float)
        known = ~np.isnan(values)
        codes = np.unique(labels[known], return_inverse=True)[1]
        if how := suspicious.gives_away(codes, values[known], len(few)):
            said.setdefault(how, []).append(name)
    for how, names in said.items():
        found.problems.append(suspicious.about_given_away(names, how))


def is_named_so(name):
    """Whether a column has the name of an identifier.

    Its last word decides. Plurals are counts; names with a measure or a last digit measure.

    Examples
    --------
    >>> [is_named_so(name) for name in ("patientID", "sample_nr", "SampleNo", "caseid", "index")]
    [True, True, True, True, True]
    >>> [is_named_so(name) for name in ("acid", "cases", "NO2", "ID50", "key_length", "signal_key")]
    [False, False, False, False, False, False]
    """
    words = words_of(name)
    if not words or str(name)[-1].isdigit() or is_quantity(name) or _MEASURE & {*words[:-1]}:
        return False
    if words[-1] in _LAST:
        return True
    while len(words) > 1 and words[-1] in _NUMBER:
        words.pop()
    return len(words) == 1 and _without(words[0], ("id", "no", "nr", ""), _WHOLE) in _WHOLE


def says_nothing(name):
    """Whether the name of a column says nothing on a measurement: "X", "V1", "id".

    Examples
    --------
    >>> [says_nothing(name) for name in ("X", "V1", "nr", "caseid", "weight_g", "NO", "NO2")]
    [True, True, True, True, False, False, False]
    """
    short = re.fullmatch(r"(?!NO$)([A-Za-z]\d*|[A-Za-z]{2})?", str(name).strip())
    return bool(short) or is_index(name) or is_named_so(name)


def numbers_groups(name, values):
    """Whether a column has the name of a batch or a group of rows, and whole numbers.

    Examples
    --------
    >>> numbers = np.array([1.0, 2, 2])
    >>> numbers_groups("site", numbers), numbers_groups("site", numbers / 2)
    (True, False)
    """
    return names_groups(name) and not (np.asarray(values) % 1 > 0).any()


def names_groups(name):
    """Whether a column has the name of a batch or a group of rows.

    Examples
    --------
    >>> [names_groups(name) for name in ("plate_nr", "site", "batchid", "cv_fold")]
    [True, True, True, True]
    >>> [names_groups(name) for name in ("run_time", "n_donors", "age_group")]
    [False, False, False]
    """
    before, last = _group_words(name)
    return last in _GROUPS or (last in _LOOSE and before <= _KINDS)


def group_word(name):
    """The word of a name that may say what the groups are, empty for measurements.

    Examples
    --------
    >>> [group_word(name) for name in ("patientID", "samples", "width", "cells_per_donor")]
    ['patient', 'sample', 'width', '']
    """
    return _group_words(name)[1]


def _group_words(name):
    """The last word of a name that is no number, and the words before it."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _NUMBER:
        words.pop()
    if not words or _MEASURE & {*words}:
        return set(), ""
    *before, last = words
    known = _GROUPS | _LOOSE | {"sample", "specimen"}
    return {*before}, _without(last, ("id", "no", "nr", "es", "s", ""), known)


def _without(word, endings, known):
    """One of the `known` names without an ending, in the forms "batches", "donors", "batchid"."""
    found = (word.removesuffix(end) for end in endings)
    return next((one for one in found if one in known), word)
