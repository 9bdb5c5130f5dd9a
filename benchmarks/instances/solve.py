"""Best known objectives and bounds of the instances, by the solvers of noneuclid.

    python benchmarks/instances/solve.py [INSTANCE ...] [--seconds 60] [--tol 1e-6]

Each instance has a process of its own with a limit of processor seconds, and budgets that grow. An
objective is kept only if check.py's exact evaluation finds it better than the known one, a bound
only if it is better and no known solution contradicts it. Known solutions of instances that differ
in C alone are tried too. Writes best.tsv and solutions/ after each instance, so the command can be
stopped and repeated; instances that are solved to `tol` are skipped, unless they are named.
"""

import argparse
import math
import multiprocessing
import resource
import time
import warnings
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Decimal, localcontext
from importlib.metadata import version

import check
import exact_balls
import exact_hyperboloid
import generate
import numpy as np

from noneuclid.geometry import lorentz
from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.soft_margin import soft_margin
from noneuclid.solvers.hyperboloid.certified import global_optimum

BUDGETS = (200, 2_000, 20_000)  # slices, or programs
_ROUNDING = Decimal("1e-15")  # relative, of a bound: C/√2 in doubles
_DIGITS = 20  # of an objective, rounded to the side that is reached
COLUMNS = ("name", "objective", "bound", "gap", "objective_by", "bound_by", "seconds")


def propose(instance, tol):
    """Solutions, as decimals by key, each with a bound, by growing budgets."""
    if instance.problem == "hyperboloid":
        yield from _propose_normals(instance, tol)
        return
    facets = generate.facets_of(instance)
    for budget in BUDGETS:
        settings = {"tol": tol, "max_iter": budget}
        if instance.problem == "hard":
            fit = hard_margin(instance.points, instance.signs, *facets, instance.metric, **settings)
        else:
            settings["C"] = instance.C
            fit = soft_margin(instance.points, instance.signs, *facets, instance.metric, **settings)
        yield (
            {"w": _decimals(fit.w), "c": Decimal(fit.c), "r": Decimal(fit.radius)},
            fit.upper_bound,
        )
        if fit.status == "optimal":
            return


def _propose_normals(instance, tol):
    points = lorentz.from_spatial(instance.points)
    nearly_zero = np.eye(1, points.shape[1], 1)[0] * 1e-30
    yield {"w": _decimals(nearly_zero)}, -math.inf
    for budget in BUDGETS:
        fit = global_optimum.solve(
            points, instance.signs, instance.C, tol=0.5 * tol, max_slices=budget
        )
        bound = fit.lower_bound
        yield {"w": _decimals(fit.w)}, bound
        yield {"w": [Decimal(repr(float(x))) for x in fit.w]}, bound
        if fit.gap <= tol:
            return


def _decimals(numbers):
    return [Decimal(float(x)) for x in numbers]


def repair(instance, solution):
    """The solution moved to the feasible side of rounding."""
    if instance.problem == "hyperboloid":
        w = solution["w"]
        if exact_hyperboloid.lorentz_square(w) >= 0:
            return solution
        with localcontext() as context:
            context.prec, context.rounding = 40, ROUND_DOWN
            length = sum(x * x for x in w[1:]).sqrt()
            return {"w": [length.copy_sign(w[0]), *w[1:]]}
    r = solution["r"]
    if instance.problem == "soft":
        cap = exact_balls.largest_radius(instance, exact_balls.facets(instance))
        with localcontext() as context:
            context.prec = 40
            least = exact_balls.LEAST_RADIUS * cap * (1 + Decimal("1e-38"))
            return {**solution, "r": max(least, min(r, cap * (1 - Decimal("1e-38"))))}
    for digits in range(16, 5, -1):
        tried = {**solution, "r": r * (1 - Decimal(10) ** -digits)}
        if not check.evaluate(instance, tried)[0]:
            return tried
    return solution


def _work(name, tol, seconds, connection):
    """Send what is found until the limit of processor time ends the process."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    warnings.simplefilter("ignore")
    for found in propose(generate.load(name), tol):
        connection.send((time.process_time(), *found))
    connection.close()


def run(name, tol, seconds):
    """All that a process of its own finds within its limit: (seconds, solution, bound)."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(name, tol, seconds, theirs))
    process.start()
    theirs.close()
    try:
        while True:
            yield ours.recv()
    except EOFError:
        process.join()
        if process.exitcode:
            print(f"{name}: stopped, exit code {process.exitcode}", flush=True)


class Record:
    """Best known objective and bound of an instance, and the solution."""

    def __init__(self, instance, row=None):
        self.instance = instance
        self.minimise = instance.problem == "hyperboloid"
        self.side = 1 if self.minimise else -1  # times an objective: a cost
        worst = Decimal("inf") * self.side
        row = row or {"objective": worst, "bound": -worst}
        self.objective, self.bound = Decimal(row["objective"]), Decimal(row["bound"])
        self.objective_by, self.bound_by = row.get("objective_by", ""), row.get("bound_by", "")
        self.seconds, self.solution = row.get("seconds", ""), None

    @property
    def gap(self):
        """Distance of objective and bound; of the hyperboloid SVM relative to the objective."""
        if not self.objective.is_finite():
            return Decimal("inf")
        rest = self.side * (self.objective - self.bound)
        return rest / abs(self.objective) if self.minimise else rest

    def offer(self, solution, author):
        """Keep a solution if its exact objective is better; a word on what happened."""
        fault, value = check.evaluate(self.instance, solution)
        if fault:
            return f"not feasible: {fault}"
        with localcontext() as context:
            context.prec = _DIGITS
            context.rounding = ROUND_CEILING if self.minimise else ROUND_FLOOR
            value = +value
        if self.side * value >= self.side * self.objective:
            return "not better"
        self.objective, self.objective_by = value, author
        self.solution = {**solution, "objective": value}
        if self.side * (value - self.bound) < 0:
            self.bound, self.bound_by = Decimal("-inf") * self.side, ""
            return "better; contradicts the known bound, which is dropped"
        return "better"

    def offer_bound(self, bound, author):
        """Keep a bound if it is better and no known solution contradicts it."""
        if not math.isfinite(bound):
            return
        bound = Decimal(bound) - self.side * _ROUNDING * abs(Decimal(bound))
        with localcontext() as context:
            context.prec = _DIGITS
            context.rounding = ROUND_FLOOR if self.minimise else ROUND_CEILING
            bound = +bound
        if self.side * (self.objective - bound) < 0:
            print(f"{self.instance.name}: bound {bound} is contradicted by {self.objective}")
        elif self.side * (bound - self.bound) > 0:
            self.bound, self.bound_by = bound, author

    def row(self):
        """Cells of best.tsv."""
        cells = (self.instance.name, self.objective, self.bound, f"{self.gap:.2e}")
        return [*map(str, cells), self.objective_by, self.bound_by, self.seconds]


def improve(record, tol, seconds, author):
    """Run the solvers and keep what is better."""
    for spent, solution, bound in run(record.instance.name, tol, seconds):
        before = record.objective, record.bound
        record.offer(repair(record.instance, solution), author)
        record.offer_bound(bound, author)
        if (record.objective, record.bound) != before:
            record.seconds = f"{spent:.2f}"


def offer_relatives(record, rows, folder):
    """Try the known solutions of instances on the same rows, which differ in C."""
    known = generate.entries(folder)
    own = known[record.instance.name]
    for name, row in rows.items():
        same = (
            known[name][key] == own[key] for key in ("problem", "generator", "seed", "arguments")
        )
        if name != own["name"] and all(same):
            path = folder / "solutions" / f"{name}.tsv"
            solution = check.read_solution(path, own["problem"])
            record.offer(repair(record.instance, solution), row["objective_by"])


def write(record, folder):
    """Put a record into best.tsv, in the order of instances.tsv, and its solution into a file."""
    path = folder / "best.tsv"
    known = {row["name"]: list(row.values()) for row in generate.read_table(path)}
    known[record.instance.name] = record.row()
    rows = [COLUMNS, *(known[name] for name in generate.entries(folder) if name in known)]
    if record.solution:
        (folder / "solutions").mkdir(exist_ok=True)
        lines = [
            "\t".join([key, *map(str, numbers if isinstance(numbers, list) else [numbers])])
            for key, numbers in record.solution.items()
        ]
        file = folder / "solutions" / f"{record.instance.name}.tsv"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.write_text("\n".join("\t".join(row) for row in rows) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="INSTANCE")
    parser.add_argument("--seconds", type=int, default=60, help="of the processor, per instance")
    parser.add_argument("--tol", type=float, default=1e-6)
    parser.add_argument(
        "--by", default=f"noneuclid {version('noneuclid')}", help="name of the solvers"
    )
    options = parser.parse_args()
    folder = generate.FOLDER
    for name in options.names or generate.entries(folder):
        rows = {row["name"]: row for row in generate.read_table(folder / "best.tsv")}
        record = Record(generate.load(name), rows.get(name))
        if not options.names and record.gap <= Decimal(options.tol):
            continue
        before = record.objective
        offer_relatives(record, rows, folder)
        improve(record, options.tol, options.seconds, options.by)
        write(record, folder)
        note = "" if record.objective == before else ", better than before"
        print(f"{name}: {record.objective} gap {record.gap:.1e}{note}", flush=True)


if __name__ == "__main__":
    main()
