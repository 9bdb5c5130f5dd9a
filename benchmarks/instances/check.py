"""Check a claimed solution of an instance.

    python benchmarks/instances/check.py INSTANCE SOLUTION

SOLUTION is a file of lines "key, tab, numbers": w, on a polytope also c and r, and the objective
that is claimed; README.md defines them. Numbers are decimals of any length and are taken exactly.
Prints the objective, and whether it is better than the best known one, within 1e-6 of it, or
worse; or "not feasible" with the reason. Exit status 1 if the solution is refused. This module
does not import noneuclid.
"""

import sys
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

import exact_balls
import exact_hyperboloid
import generate

TRUE = Decimal("1e-9")  # relative error of a claimed objective
ROUNDING = Decimal("1e-15")  # of the best known objective, which has 20 digits
WITHIN = Decimal("1e-6")  # of the best known objective; on a polytope absolute
_KEYS = {"hyperboloid": ("w", "objective"), "hard": ("w", "c", "r", "objective")}
_KEYS["soft"] = _KEYS["hard"]


@dataclass(frozen=True)
class Verdict:
    """Outcome of a check."""

    feasible: bool
    text: str
    objective: Decimal | None = None  # exact, rounded to 60 digits or more


def read_solution(path, problem):
    """Numbers of a solution by key: a list for w, else one number."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, *numbers = line.split()
        try:
            found[key] = [Decimal(number) for number in numbers]
        except InvalidOperation:
            raise ValueError(f"{path}: {key} is not a list of decimal numbers") from None
    for key in _KEYS[problem]:
        if not found.get(key) or not all(x.is_finite() for x in found[key]):
            raise ValueError(
                f"{path}: no finite numbers for {key}; give {', '.join(_KEYS[problem])}"
            )
    return {key: found[key] if key == "w" else found[key][0] for key in _KEYS[problem]}


def evaluate(instance, solution):
    """Fault or "", and the exact objective."""
    exact = exact_hyperboloid if instance.problem == "hyperboloid" else exact_balls
    return exact.evaluate(instance, solution)


def best_known(name, folder=generate.FOLDER):
    """Best known objective and bound, decimals; None if there is none."""
    for row in generate.read_table(folder / "best.tsv"):
        if row["name"] == name:
            return Decimal(row["objective"]), Decimal(row["bound"])
    return None


def check(instance, solution, best):
    """Verdict on a solution, beside (objective, bound) that are known."""
    fault, value = evaluate(instance, solution)
    if fault:
        return Verdict(False, f"not feasible: {fault}")
    claimed = solution["objective"]
    minimise = instance.problem == "hyperboloid"
    if abs(claimed - value) > TRUE * abs(value):
        side = "small" if claimed < value else "large"
        return Verdict(
            False, f"not feasible: the objective is {value:.12g}; {claimed:.12g} is too {side}"
        )
    if best is None:
        return Verdict(True, f"objective {value:.12g}; no other is known", value)
    known, bound = best
    gain, rest = (known - value, value - bound) if minimise else (value - known, bound - value)
    unit = abs(known) if minimise else Decimal(1)
    if rest < 0:
        return Verdict(
            True,
            f"objective {value:.12g} contradicts the bound {bound:.12g} by {float(-rest):.1e}",
            value,
        )
    if gain > ROUNDING * unit:
        text = f"better than best known by {float(gain):.1e}"
    elif -gain <= WITHIN * unit:
        text = f"within {max(0.0, float(-gain)):.1e} of best known"
    else:
        text = f"worse than best known by {float(-gain):.1e}"
    return Verdict(
        True, f"objective {value:.12g}, {text}; at most {float(rest):.1e} from the optimum", value
    )


def main(name, path):
    """Print the verdict; 1 if the solution is refused."""
    try:
        instance = generate.load(name)
        verdict = check(instance, read_solution(Path(path), instance.problem), best_known(name))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{name}: {verdict.text}")
    return int(not verdict.feasible)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
