"""Constructors that repeat the parameters of another class, for scikit-learn's `get_params`."""

from inspect import Parameter, Signature, signature


def set_constructor(cls, model, own, without=(), positional=()):
    """Give `cls` an `__init__` with the parameters of `model` and `own` (name to default).

    A default of `own` replaces that of `model`. The signature names every parameter with its
    default, for `get_params`, `clone` and help; names in `without` are left out. Those in
    `positional` come first, the others are given by keyword.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> class Mine:
    ...     pass
    >>> set_constructor(Mine, Ridge, {"chart": "klein"}, signature(Ridge).parameters)
    >>> signature(Mine)
    <Signature (*, chart='klein')>
    """
    kept = dict(signature(model).parameters)
    kept |= {name: Parameter(name, Parameter.KEYWORD_ONLY, default=own[name]) for name in own}
    kinds = dict.fromkeys(positional, Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [
        kept[name].replace(kind=kinds.get(name, Parameter.KEYWORD_ONLY))
        for name in dict.fromkeys([*positional, *kept])
        if name not in without
    ]
    listed = Signature([Parameter("self", Parameter.POSITIONAL_ONLY), *parameters])

    def __init__(self, *args, **given):
        try:
            bound = listed.bind(self, *args, **given)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None
        bound.apply_defaults()
        for parameter in parameters:
            setattr(self, parameter.name, bound.arguments[parameter.name])

    __init__.__signature__ = listed
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    cls.__init__ = __init__


class WithOwnParameters:
    """Mixin: `class B(A, own={"a": 0.0})` has the parameters of A and its own."""

    def __init_subclass__(cls, own=None, **kwargs):
        if own is not None:
            set_constructor(cls, cls.__base__, own)
        super().__init_subclass__(**kwargs)
