"""Readable names of methods, data sets and embeddings: the one place that makes them.

A name is the `label:` of the configuration; else, for a method, that of its class; else the
identifier in words. Names that two entries would share are made from the identifiers.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

PARTS = ("methods", "datasets", "embeddings")

# Words of identifiers that are not written in small letters.
_WORDS = {
    "auroc": "AUROC", "euclidean": "Euclidean", "gaussian": "Gaussian", "gaussians": "Gaussians",
    "hilbert": "Hilbert", "klein": "Klein", "knn": "k-NN", "labne": "LaBNE", "lda": "LDA",
    "lorentz": "Lorentz", "mds": "MDS", "pca": "PCA", "pbmc68k": "PBMC68k", "pgd": "PGD",
    "poincare": "Poincaré", "rbf": "RBF", "sdp": "SDP", "svc": "SVM",
    "svm": "SVM", "svr": "SVR", "tsne": "t-SNE", "umap": "UMAP", "weber": "Weber",
    "xgboost": "XGBoost",
}  # fmt: skip
# Classes whose name alone does not read well.
_CLASSES = {
    "DummyClassifier": "",
    "DummyRegressor": "",
    "GaussianNB": "Gaussian naive Bayes",
    "GeodesicKNeighborsClassifier": "geodesic k nearest neighbours",
    "GeodesicKNeighborsRegressor": "geodesic k nearest neighbours",
    "GradientBoostingClassifier": "gradient boosting",
    "GradientBoostingRegressor": "gradient boosting",
    "HilbertNearestClassifier": "Hilbert nearest centre",
    "HistGradientBoostingClassifier": "gradient boosting",
    "HistGradientBoostingRegressor": "gradient boosting",
    "HyperbolicHistGradientBoostingClassifier": "hyperbolic gradient boosting",
    "HyperbolicHistGradientBoostingRegressor": "hyperbolic gradient boosting",
    "HyperbolicKernelRidge": "hyperbolic kernel ridge",
    "HyperbolicNystroemClassifier": "hyperbolic kernel with landmarks",
    "KNeighborsClassifier": "k nearest neighbours",
    "KNeighborsRegressor": "k nearest neighbours",
    "LinearSVC": "linear SVM",
    "LinearSVR": "linear SVR",
    "MLPClassifier": "neural network",
    "MLPRegressor": "neural network",
    "PoincareSecondOrderPerceptron": "second-order Poincaré perceptron",
    "PoincareStrategicPerceptron": "strategic Poincaré perceptron",
    "Ridge": "ridge regression",
    # Its kernel decides what it is.
    "SVC": "",
    "SVR": "",
    "ShuffledLabelsClassifier": "shuffled labels",
}
# Baselines on the original features, which the page names apart from all others.
BASELINES = {
    "original_logistic": "logistic regression",
    "original_forest": "random forest",
    "original_svm": "SVM with Gaussian kernel",
    "original_celltypist": "CellTypist's model on genes",
    "original_ridge": "ridge regression",
    "original_forest_regressor": "random forest",
    "original_svr": "support vector regression",
}
_FORESTS = "original_forest", "original_forest_regressor"
_IDENTIFIERS = {
    "methods": {"majority": "majority class", "shuffled": "shuffled labels"},
    "datasets": {"karate": "karate club", "wordnet": "WordNet"},
    "embeddings": {
        "given": "as given",
        "hydra": "Hydra",
        "labne": "LaBNE",
        "lifted_pca": "lifted PCA",
        "log_ratio": "log-ratio embedding",
        "original": "no embedding",
    },
    "solvers": {
        "moment": "moment relaxation",
        "optimal": "branch and bound",
        "pgd": "gradient descent",
        "sdp": "SDP relaxation",
    },
}


@dataclass(frozen=True)
class Names:
    """Readable names of what a run has.

    Attributes
    ----------
    labels : dict of dict
        `label:` of the configuration by part (a key of `PARTS`) and identifier.
    classes : dict
        Dotted class of each method.
    plain, forests : str
        What pipelines without an embedding read, and forests among them if it is something else.
    """

    labels: dict = field(default_factory=dict)
    classes: dict = field(default_factory=dict)
    plain: str = "without embedding"
    forests: str = ""

    @classmethod
    def from_json(cls, text):
        """Names from what `of_config` gives, as JSON."""
        return cls(**json.loads(text))

    def in_text(self, part, identifier):
        """Name within a sentence.

        Examples
        --------
        >>> names = Names(classes={"svm": "noneuclid.PoincareSVC", "tree": "lab.Tree"})
        >>> [names.in_text("methods", name) for name in ("svm", "tree", "my_forest", "svm C=1")]
        ['Poincaré SVM', 'tree', 'my forest', 'Poincaré SVM C=1']
        """
        # Methods with several settings are named after both.
        stem, blank, setting = str(identifier).partition(" ")
        return self._names(part).get(stem, _in_words(part, stem)) + blank + setting

    def head(self, part, identifier):
        """Name at the start of a sentence, in tables and in figures.

        Examples
        --------
        >>> Names().head("datasets", "random_tree"), Names().head("embeddings", "lifted_pca")
        ('Random tree', 'Lifted PCA')
        """
        return capital(self.in_text(part, identifier))

    def method(self, identifier):
        """`head` of a method."""
        return self.head("methods", identifier)

    def place(self, method):
        """What a method without embedding reads.

        Examples
        --------
        >>> names = Names(plain="on log-ratios", forests="on proportions")
        >>> names.place("original_forest"), names.place("original_svm")
        ('on proportions', 'on log-ratios')
        """
        return (self.forests if method in _FORESTS else "") or self.plain

    def solver(self, identifier):
        """Name of a solver of the certificates within a sentence."""
        return self.in_text("solvers", identifier)

    def pair(self, dataset, embedding):
        """Names of a data set and an embedding.

        Examples
        --------
        >>> Names().pair("karate", "hydra")
        ('Karate club', 'Hydra')
        """
        return self.head("datasets", dataset), self.head("embeddings", embedding)

    @cached_property
    def _methods(self):
        """Name of each method that is known to the run."""
        known = self.labels.get("methods", {})
        classes = {name: one for name, one in self.classes.items() if name not in BASELINES}
        own = {name: _in_words("methods", name) for name in {**classes, **known}}
        best = {name: _of_class(path) or own[name] for name, path in classes.items()}
        # From the best to the safest: the identifier, which is unique.
        for spare in (own, {name: name for name in own}):
            times = Counter(capital(text) for text in ({**own, **best, **known}).values())
            best = {
                name: text if times[capital(text)] == 1 else spare[name]
                for name, text in best.items()
            }
        return {**BASELINES, **own, **best, **known}

    def _names(self, part):
        """Name of each identifier that is known to the run."""
        return self._methods if part == "methods" else self.labels.get(part, {})


def of_config(config):
    """Arguments of `Names` from a configuration."""
    classes = {name: method["use"] for name, method in config["methods"].items()}
    return {"labels": labels(config), "classes": classes}


def labels(config):
    """`label:` of the configuration by part and identifier; see `Names`."""
    return {
        part: {name: one["label"] for name, one in config[part].items() if "label" in one}
        for part in PARTS
        if part in config
    }


def capital(text):
    """Text with a capital at its start; names such as t-SNE keep their small letter.

    Examples
    --------
    >>> capital("random forest"), capital("k-NN"), capital("t-SNE 5"), capital("")
    ('Random forest', 'k-NN', 't-SNE 5', '')
    """
    return text if re.match("[a-z]-[A-Z]", text) else text[:1].upper() + text[1:]


def _in_words(part, identifier):
    """An identifier in words.

    Examples
    --------
    >>> _in_words("methods", "hyperboloid_svm_pgd"), _in_words("datasets", "karate")
    ('hyperboloid SVM PGD', 'karate club')
    """
    known = _IDENTIFIERS.get(part, {}).get(identifier)
    words = [_WORDS.get(word.lower(), word) for word in identifier.split("_")]
    return known or " ".join(filter(None, words)) or identifier


def _of_class(path):
    """Readable name of a public class, of this package or scikit-learn; "" of any other.

    Examples
    --------
    >>> _of_class("noneuclid.HyperbolicRandomForestClassifier"), _of_class("noneuclid.HilbertSVC")
    ('hyperbolic random forest', 'Hilbert SVM')
    >>> _of_class("sklearn.linear_model.LogisticRegression"), _of_class("my_file.py:Forest")
    ('logistic regression', '')
    """
    name = path.rpartition(".")[2]
    if not path.startswith(("sklearn.", "noneuclid.")):
        return ""
    if name in _CLASSES:
        return _CLASSES[name]
    stem = re.sub("(Classifier|Regressor)$", "", name)
    words = re.findall("[A-Z]+(?![a-z])|[A-Z][a-z]+", stem)
    return " ".join(_WORDS.get(word.lower(), word.lower()) for word in words)
