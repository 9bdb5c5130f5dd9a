"""Constructors that repeat the parameters of another class, for scikit-learn's `get_params`."""

from inspect import Parameter, Signature, signature


def build_constructor(model, own, without=()):
    """Build an `__init__` with the parameters of `model` and `own` (name to default), by keyword.

    A default of `own` replaces that of `model`. The signature names every parameter with its
    default, for `get_params`, `clone` and help; names in `without` are left out.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> signature(build_constructor(Ridge, {"chart": "klein"}, signature(Ridge).parameters))
    <Signature (self, /, *, chart='klein')>
    """
    kept = dict(signature(model).parameters)
    kept |= {name: Parameter(name, Parameter.KEYWORD_ONLY, default=own[name]) for name in own}
    parameters = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY)
        for name, parameter in kept.items()
        if name not in without
    ]
    listed = Signature([Parameter("self", Parameter.POSITIONAL_ONLY), *parameters])

    def __init__(self, **given):
        bound = listed.bind(self, **given)
        bound.apply_defaults()
        for parameter in parameters:
            setattr(self, parameter.name, bound.arguments[parameter.name])

    __init__.__signature__ = listed
    return __init__


class WithOwnParameters:
    """Mixin: `class B(A, own={"a": 0.0})` has the parameters of A and its own."""

    def __init_subclass__(cls, own=None, **kwargs):
        if own is not None:
            cls.__init__ = build_constructor(cls.__base__, own)
        super().__init_subclass__(**kwargs)
