"""A small run of five jobs, which the tests of faults disturb."""

from comparing import comparable

CONFIG = {
    "seed": 3,
    "repeats": 1,
    "splits": {"scheme": "stratified_kfold", "folds": 2},
    "search": {"folds": 2, "scoring": "accuracy"},
    "datasets": {
        "gaussians": {
            "use": "hyperbolic_gaussians",
            "params": {"n_classes": 2, "n_samples_per_class": 12, "n_features": 2},
            "embeddings": ["given"],
        }
    },
    "embeddings": {"given": {"use": "given"}},
    "methods": {
        "tree": {"use": "sklearn.tree.DecisionTreeClassifier", "chart": "poincare"},
        "majority": {"use": "sklearn.dummy.DummyClassifier"},
    },
    "report": {"title": "Faults", "metric": "accuracy"},
}
ACQUIRE = "results/acquire/gaussians.npz"
EMBED = "results/embed/gaussians/given.npz"
SPLIT = "results/split/gaussians/0.npz"
TREE = "results/train/gaussians/given/tree/0.npz"
MAJORITY = "results/train/gaussians/given/majority/0.npz"
MODEL = "results/models/gaussians/given/tree.skops"
DRAW = "results/draw/gaussians/given.npz"
TARGETS = [TREE, MAJORITY]


def results(folder):
    return comparable(folder / "results")


def forget_tree(folder):
    """Remove what one train job made."""
    for path in [*(folder / TREE).parent.iterdir(), folder / MODEL]:
        path.unlink()
