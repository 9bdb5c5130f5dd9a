"""Which models divide the plane by geodesics, and the Lorentz normals of these."""

import numpy as np


def hyperplane_normals(model):
    """Lorentz normals at curvature -1, shape (n_problems, d + 1); no row if there are none.

    Positive for the second of two classes, for each class in one-vs-rest, and for the second of
    each pair in one-vs-one. Those of a softmax are where the logit of a class is zero.

    Examples
    --------
    >>> from noneuclid import HyperboloidPerceptron
    >>> X = [[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]]
    >>> model = HyperboloidPerceptron(chart="poincare", random_state=0).fit(X, [1, 1, 0, 0])
    >>> hyperplane_normals(model).shape
    (1, 3)
    """
    found = getattr(model, "_boundary_normals", None)
    return np.empty((0, 3)) if found is None else found()


def problem_classes(model):
    """Code of the class that each binary problem sets apart; None for two classes and for pairs.

    Examples
    --------
    >>> from noneuclid import HyperboloidPerceptron
    >>> X = [[0.5, 0.1], [-0.4, 0.3], [-0.4, -0.3]]
    >>> model = HyperboloidPerceptron(chart="poincare", random_state=0).fit(X, [0, 1, 2])
    >>> problem_classes(model), problem_classes(model.set_params(multi_class="ovo"))
    ([0, 1, 2], [None, None, None])
    """
    fitted = model._left.tolist()
    if len(fitted) > 2 and getattr(model, "multi_class", "ovr") == "ovr":
        return fitted
    return [None] * len(model.coef_)
