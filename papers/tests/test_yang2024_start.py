"""The program of yang2024 puts costs on all slacks of its start but the first."""

import pytest


def test_mosek_takes_the_shorter_of_two_lists():
    mosek = pytest.importorskip("mosek", reason="needs the package mosek; no licence")
    d, n, C = 3, 4, 7.0
    with mosek.Task() as task:
        task.appendvars(d + n)
        try:
            task.putclist(range(d + 1, d + n), [C] * n)  # src/models/soft.py, lines 106 to 109
        except TypeError as error:
            pytest.skip(f"mosek {mosek.Env.getversion()} refuses such lists: {error}")
        costs = [task.getcj(j) for j in range(d + n)]
    assert costs == [0.0] * (d + 1) + [C] * (n - 1)
