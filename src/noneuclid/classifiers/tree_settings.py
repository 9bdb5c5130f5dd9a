"""Settings of the hyperbolic tree methods: those of scikit-learn's class and three more."""

from inspect import Parameter, Signature, signature
from numbers import Real

from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.geometry.charts import CHARTS

OWN = {
    "chart": ("tangent", [StrOptions(set(CHARTS))]),
    "curvature": (1.0, [Interval(Real, 0, None, closed="neither")]),
    "precision": ("float32", [StrOptions({"float32", "float64"})]),
}
"""Settings beyond scikit-learn's: default and constraint."""


def constructor(model, without=()):
    """`__init__` that takes the settings of a scikit-learn class and `OWN`, all by keyword.

    Parameters
    ----------
    model : class
    without : collection of str
        Settings to leave out.

    Returns
    -------
    function
        Its signature names every setting with its default, for `get_params`, `clone` and help.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> list(signature(constructor(DecisionTreeRegressor)).parameters)[-3:]
    ['chart', 'curvature', 'precision']
    """
    own = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, (value, _) in OWN.items()
    ]
    settings = [
        setting.replace(kind=Parameter.KEYWORD_ONLY)
        for setting in [*signature(model).parameters.values(), *own]
        if setting.name not in without
    ]
    listed = Signature([Parameter("self", Parameter.POSITIONAL_ONLY), *settings])

    def __init__(self, **given):
        bound = listed.bind(self, **given)
        bound.apply_defaults()
        for setting in settings:
            setattr(self, setting.name, bound.arguments[setting.name])

    __init__.__signature__ = listed
    return __init__
