"""Progress bars of long fits on stderr, silent unless the fit asks for them."""

from contextlib import contextmanager
from contextvars import ContextVar

from tqdm import tqdm

_shown = ContextVar("shown", default=False)
_QUICK = 1.0  # s; an inner loop that takes less has no bar


@contextmanager
def shown(verbose):
    """Show, or hide, the bars of this thread in a block."""
    token = _shown.set(bool(verbose))
    try:
        yield
    finally:
        _shown.reset(token)


def bar(steps=None, desc=None, total=None, outermost=False):
    """`tqdm` bar over `steps`, or one that is moved by `update()`.

    Examples
    --------
    >>> with shown(False):
    ...     sum(bar(range(4), "step"))
    6
    """
    return tqdm(
        steps,
        desc=desc,
        total=total,
        disable=not _shown.get(),
        leave=outermost,
        delay=0 if outermost else _QUICK,
        mininterval=0.5,
    )
