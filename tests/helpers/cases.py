"""Tables of cases that are one test: all of them run, and every one that fails is named."""

import inspect
from contextlib import contextmanager
from functools import wraps

import pytest


@contextmanager
def _apart(fixtures):
    """The fixtures of one case: what it patches or prints, the next one does not see."""
    if "capsys" in fixtures:
        fixtures["capsys"].readouterr()
    if "monkeypatch" not in fixtures:
        yield fixtures
        return
    with fixtures["monkeypatch"].context() as patch:
        yield fixtures | {"monkeypatch": patch}


def each_of(names, values, ids=repr):
    """As `pytest.mark.parametrize`, but one test, which raises the failures of all cases."""
    names = names.replace(" ", "").split(",") if isinstance(names, str) else names
    values = list(values)

    def decorate(test):
        signature = inspect.signature(test)

        @wraps(test)
        def run(**fixtures):
            failed, skipped = [], []
            for k, value in enumerate(values):
                row = [value] if len(names) == 1 else value
                try:
                    with _apart(fixtures) as own:
                        test(**own, **dict(zip(names, row, strict=True)))
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except (Exception, pytest.fail.Exception) as error:
                    name = [str(ids(part)) for part in row] if callable(ids) else ids[k]
                    error.add_note(f"in the case {name}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(values)} cases", failed)
            if len(skipped) == len(values):
                raise skipped[0]

        rest = [p for name, p in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=rest)
        return run

    return decorate
