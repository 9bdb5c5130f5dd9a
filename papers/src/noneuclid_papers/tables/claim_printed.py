"""Effects that the papers print as a table of scores, from `papers/kept`, which has both numbers.

`PRINTED` maps the name of a claim to a function that yields its printed effects, in the unit of the
claim. Effects that a paper states in words are in `papers/printed/paper_claims.tsv`.
"""

from noneuclid_papers.tables.claim_comparisons import (
    ONE, POINTS, RELAXED, REST, by_method, over_sets, read,
)  # fmt: skip

VALUE = "published"


def printed(paper, **where):
    """Printed numbers of a paper, those without ours too; one column for each method."""
    table = read(paper)
    for column, value in where.items():
        table = table[table[column].isin([value] if isinstance(value, str) else value)]
    return by_method(table, VALUE)


def cho_real_networks():
    table = POINTS * printed("cho2019", table="table_1", variant="hyperbolic, d=2")
    yield from table["Hyperbolic SVM"] - table["Euclidean SVM"]


def cho_deepwalk():
    table = POINTS * printed("cho2019", table="table_1").unstack("variant")
    first = table["Hyperbolic SVM", "hyperbolic, d=2"]
    yield from first - table["Euclidean SVM", "DeepWalk, d=25"]


def pan_best():
    table = POINTS * printed("pan2023", table="table_iii", metric="accuracy")
    for rival in ("Euclidean SVM", "Hyperboloid SVM"):
        yield from table["Poincaré SVM"] - table[rival]


def pan_ten_times():
    table = printed("pan2023", table="table_iii", metric="runtime_s")
    yield from table["Hyperboloid SVM"] / table["Poincaré SVM"]


def pan_fewer_updates():
    table = printed("pan2023", table="table_ii", metric="updates_mean")
    yield from table["Poincaré perceptron"] - table["Poincaré second-order perceptron"]


def chlenski_substantial():
    table = POINTS * printed("chlenski2024", table="table_1", dataset="Gaussian")
    table = table.groupby(lambda at: at[1].partition("_")[0]).mean()
    for first, others in (("HyperDT", ("sklearn DT", "HoroDT")), ("HyperRF", ("sklearn RF", "HoroRF"))):
        for second in others:
            yield from table[first] - table[second]


def chlenski_charts():
    table = POINTS * printed("chlenski2024", table="table_3")
    table = table.xs("Gaussian")
    for first, second in (("HyperDT", "sklearn DT"), ("HyperRF", "sklearn RF")):
        for dimension in ("D2", "D4"):
            row = table.loc[f"{dimension}_n800_Hyperboloid"]
            yield row[first] - row[second]


def chlenski_linear():
    table = POINTS * printed("chlenski2024", table="table_2")
    for rival in set(table) - {"HyperDT"}:
        yield (table["HyperDT"] - table[rival]).max()


def yang_accuracy(*schemes):
    def effects():
        for tables in schemes:
            wide = POINTS * over_sets(tables, "accuracy", VALUE)
            for method in RELAXED:
                yield (wide[method] - wide["PGD"]).mean()

    return effects


def yang_moment_best():
    wide = POINTS * printed("yang2024", table="table_2", metric="accuracy")
    for rival in ("PGD", "SDP"):
        yield (wide["Moment"] - wide[rival]).mean()


def yang_gaps():
    import numpy as np

    for tables in (REST, ONE):
        wide = over_sets(tables, "optimality_gap", VALUE)
        yield np.exp(np.log(wide["SDP"] / wide["Moment"]).mean())


def yang_sensitive():
    table = read("yang2024")
    table = table[table["table"].isin(REST) & (table["metric"] == "accuracy")]
    ranges = table.groupby(["dataset", "method"])[VALUE].agg(lambda x: x.max() - x.min()).unstack()
    for method in RELAXED:
        yield POINTS * (ranges["PGD"] - ranges[method]).mean()


def yang_times():
    import numpy as np

    wide = printed("yang2024", table=("table_4", "table_11"), metric="runtime_s")
    for rival in ("PGD", "SDP"):
        yield np.exp(np.log(wide["Moment"] / wide[rival]).mean())


PRINTED = {
    "cho real networks": cho_real_networks,
    "cho deepwalk": cho_deepwalk,
    "pan best": pan_best,
    "pan 10 times": pan_ten_times,
    "pan updates": pan_fewer_updates,
    "chlenski substantial": chlenski_substantial,
    "chlenski charts": chlenski_charts,
    "chlenski linear": chlenski_linear,
    "yang better": yang_accuracy(REST, ONE),
    "yang wide margin": yang_accuracy(REST),
    "yang moment best": yang_moment_best,
    "yang gaps": yang_gaps,
    "yang sensitive": yang_sensitive,
    "yang times": yang_times,
}
