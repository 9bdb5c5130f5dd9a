"""Copies of fitted estimators."""

import pickle

import skops.io
from sklearn.base import clone


def copies_of(model, X, y):
    """The fitted model after pickle, after skops, and fitted again."""
    plain = skops.io.dumps(model)
    trusted = skops.io.get_untrusted_types(data=plain)
    # scikit-learn before 1.7 names its compiled losses `_loss.Cy...`.
    known = ("noneuclid.", "sklearn.", "_loss.Cy")
    assert all(name.startswith(known) for name in trusted), trusted
    yield pickle.loads(pickle.dumps(model))
    yield skops.io.loads(plain, trusted=trusted)
    yield clone(model).fit(X, y)
