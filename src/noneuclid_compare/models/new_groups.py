"""Groups of new rows, such as donors, that a model was not trained on."""

from collections import Counter

from noneuclid_compare import wording
from noneuclid_compare.data.files import arrays, feature_tables, tables
from noneuclid_compare.data.files.word_vectors import holds_word_vectors
from noneuclid_compare.data.own.row_groups import texts_of
from noneuclid_compare.data.own.texts import is_missing, missing_of


def about_unseen(model, data, decimal="."):
    """Sentence on groups of a file that training did not have, in a list.

    They are in the column that named the groups in training, of a table or of obs.
    """
    name, missing = model.get("grouped_by"), missing_of(model.get("missing"), "the model")
    values = () if name is None else _column(data, name, missing, decimal)
    counts = Counter(texts_of([value for value in values if not is_missing(value, missing)]))
    unseen = [one for one in counts if one not in {*model["group_names"]}]
    if not unseen:
        return []
    each = [f"{one} ({wording.count(counts[one], 'row')})" for one in unseen]
    return [f"Groups ({name}) that training did not have: {arrays.listing(each, 5)}."]


def _column(path, name, missing, decimal):
    """Values of a column of a table or of obs, (n,); none where there is no such column."""
    if arrays.suffix_of(path) == ".h5ad":
        obs = arrays.obs_of(path)
        return obs[name].to_numpy(dtype=object) if name in obs.columns else ()
    table = arrays.suffix_of(path) in tables.TABLES
    if not table or holds_word_vectors(path) or feature_tables.is_feature_table(path):
        return ()
    named = name in tables.columns_of(path)
    return tables.read_labels(path, name, missing, decimal) if named else ()
