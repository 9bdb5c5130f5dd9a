"""The command init with a file: what is found, what is written, what is refused."""

from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import yaml
from init_command import init, table, written
from mixed_table import mixed

from noneuclid.errors import InputError
from noneuclid_compare.config import defaults
from noneuclid_compare.data.own import array_file
from noneuclid_compare.inspect_file import look


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_table_becomes_a_configuration_that_runs(capsys):
    rows = np.arange(30)
    frame = table(sample=[f"s{k}" for k in rows], plate=rows[::-1], site="north", batch=1)
    frame["gaps"] = np.where(rows == 4, np.nan, 1.0 * rows**2)
    frame["low"] = ["<0.1" if k == 7 else str(k % 4) for k in rows]
    frame["code"] = 10.0 * (frame["kind"] == "red") + 5 * (frame["kind"] == "pink")
    frame["code"] = frame["code"].astype(int)
    frame["hash"] = 2**60 + rows**2
    frame.loc[3, "kind"] = None
    frame.to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    config = written("wine")
    assert config["datasets"]["wine"]["files"] == {"data": "../wine.csv"}
    assert config["datasets"]["wine"]["params"] == {
        "label": "kind",
        "unlabeled": "drop",
        "id": "sample",
        "drop": ["plate", "site", "low", "hash"],
        "missing_values": "impute",
    }
    said = capsys.readouterr().out
    for text in (
        "30 rows, 12 columns",
        "kind: 3 classes: pink 10, white 10, red 9",
        "features    6 columns of numbers: acid, iron, salt, batch, gaps, code",
        "embeddings divide each column by its own",
        "1 of 30 rows without kind, the first is row 3: left out",
        "problem: site: text with 1 value cannot",
        "problem: low: 1 of 30 values are no numbers, the first '<0.1' in row 7",
        "problem: hash: integers beyond 2^53",
        "note        Missing values, imputed and marked: gaps (1 row).",
        "problem: batch: the same value in every row",
        "problem: code: one value for each class",
        "no feature  plate: names or numbers of the rows",
    ):
        assert text in said, text
    assert said.splitlines()[-1] == "next: cd wine && noneuclid run"
    text = Path("wine/config.yaml").read_text()
    assert len(text.splitlines()) <= 40
    assert "unlabeled: drop # 1 row without kind" in text


def test_the_defaults_written_as_comments_are_the_defaults():
    table().to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    before = written("wine")
    file = Path("wine/config.yaml")
    head, mark, tail = file.read_text().partition("explains all keys.\n")
    file.write_text(head + mark + tail.replace("\n# ", "\n").removeprefix("# "))
    assert set(yaml.safe_load(file.read_text())) == set(before)
    assert written("wine") == before


def test_without_a_label_candidates_are_listed_and_nothing_is_written(tmp_path, capsys):
    table(site=["a", "b"] * 15, name=[f"n{k}" for k in range(30)]).to_csv("w.csv", index=False)
    init("w.csv", "--folder", "a b")
    first, second = capsys.readouterr().out.splitlines()
    assert first == "w.csv: --label may be kind (3 classes), site (2 classes)"
    assert second == "next: noneuclid init w.csv --label kind --folder 'a b'"
    assert [path.name for path in tmp_path.iterdir()] == ["w.csv"]
    table().drop(columns="kind").to_csv("w.csv", index=False)
    with pytest.raises(InputError, match=r"w\.csv: nothing in it looks like classes; it has acid"):
        init("w.csv")


def test_decimal_commas_and_semicolons(capsys):
    table(site="x").to_csv("w.csv", index=False, sep=";", decimal=",")
    init("w.csv", "--label", "kind")
    params = written("w")["datasets"]["w"]["params"]
    assert (params["decimal"], params["drop"]) == (",", ["site"])


def test_numbers_as_labels_are_predicted_by_regressors(capsys):
    table(age=np.arange(30) % 29 + 0.5).drop(columns="kind").to_csv("w.csv", index=False)
    init("w.csv", "--label", "age")
    config = written("w")
    assert config["datasets"]["w"]["params"]["numeric"] is True
    assert config["report"]["metric"] == "r2"
    assert "age: a number to predict by regression, 0.5 to 28.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("labels", "split", "text"),
    [
        ("aaaaaaabbbbbbbccc", {"small_classes": "keep"}, "1 of 3 classes have fewer members than"),
        ("aaabbb", {"folds": 3}, "the largest class has 3 rows: there are 3 folds"),
        ("aaabbc", {"folds": 3, "small_classes": "keep"}, "2 of 3 classes have fewer"),
    ],
)
def test_small_classes_are_named_and_the_configuration_runs(labels, split, text, capsys):
    table(len(labels)).assign(kind=list(labels)).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    assert written("w")["datasets"]["w"]["split"] == split
    assert text in capsys.readouterr().out


def cells(**parts):
    import anndata

    obs = table()[["kind"]].assign(donor=["a", "b"] * 15, depth=np.arange(30) + 0.5)
    obs.index = [f"c{k}" for k in range(30)]
    return anndata.AnnData(parts.pop("X"), obs, **parts)


def test_cells_list_their_matrices_and_take_principal_components(capsys):
    counts = np.arange(120.0).reshape(30, 4) % 7
    found = cells(X=counts, layers={"log1p": np.log1p(counts)})
    found.write("blood.h5ad")
    init("blood.h5ad")
    assert "--label may be kind (3 classes), donor (2 classes)" in capsys.readouterr().out
    init("blood.h5ad", "--label", "kind")
    params = written("blood")["datasets"]["blood"]["params"]
    assert (params["features"], params["counts"]) == ("X", True)
    said = capsys.readouterr().out
    assert "problem: donor: in obs, with the name of a batch or group: no feature. Folds" in said
    assert "X (30 x 4, raw counts), used; layers/log1p (30 x 4, log-normalised)" in said
    found.obsm["X_pca"] = counts[:, :3] - 2.5
    found.write("blood.h5ad")
    init("blood.h5ad", "--label", "kind", "--folder", "pca")
    assert written("pca")["datasets"]["blood"]["params"]["features"] == "obsm/X_pca"
    init("blood.h5ad", "--label", "kind", "--folder", "log", "--features", "layers/log1p")
    params = written("log")["datasets"]["blood"]["params"]
    assert params == {"label": "kind", "features": "layers/log1p"}


def test_scaled_cells_give_the_values_in_raw(capsys):
    import anndata

    values = np.random.default_rng(0).poisson(3.0, (30, 60)).astype(float)
    found = cells(X=values)
    found.raw = found
    found = found[:, :20].copy()
    found.X = (found.X - found.X.mean(0)) / found.X.std(0)
    found.write("blood.h5ad")
    init("blood.h5ad", "--label", "kind")
    said = capsys.readouterr().out
    assert "X (30 x 20, scaled); raw (30 x 60, raw counts), used" in said
    assert "Matrices of genes: X (scaled), raw (raw counts, read)." in said
    params = written("blood")["datasets"]["blood"]["params"]
    expected = {"features": "raw", "counts": True, "highly_variable_genes": False}
    assert params == {"label": "kind"} | expected
    init("blood.h5ad", "--label", "kind", "--features", "X", "--folder", "scaled")
    assert "problem: X looks scaled: new cells must be scaled by" in capsys.readouterr().out
    found.raw = anndata.AnnData(np.exp(values), found.obs)
    found.write("plain.h5ad")
    init("plain.h5ad", "--label", "kind")
    said = capsys.readouterr().out
    assert "problem: raw looks normalised, no logarithm: a few genes outweigh" in said


def test_raw_counts_are_prepared_by_the_run(capsys):
    rng = np.random.default_rng(0)
    values = rng.poisson(rng.gamma(1, 3, size=(1, 12)) * np.ones((30, 1))).astype(float)
    cells(X=values).write("blood.h5ad")
    init("blood.h5ad", "--label", "kind")
    said = capsys.readouterr().out
    assert "counts      X holds raw counts: normalised, logged and reduced as in scanpy" in said
    assert "Prepared as in scanpy on all 30 cells, without labels: normalize_total: " in said
    params = written("blood")["datasets"]["blood"]["params"]
    assert params == {"label": "kind", "counts": True, "highly_variable_genes": False}
    cells(X=rng.poisson(2.0, (30, 2100)).astype(float)).write("many.h5ad")
    init("many.h5ad", "--label", "kind")
    params = written("many")["datasets"]["many"]["params"]
    assert params == {"label": "kind", "counts": True, "n_top_genes": 2000}


def test_categories_and_missing_values_are_used(capsys):
    """As in penguins: islands, sexes, an identifier of birds, dates, notes, missing values."""
    n, rng = 120, np.random.default_rng(2)
    frame = mixed(n).assign(size=lambda t: t["size"].fillna("?"))
    frame.insert(0, "Individual ID", [f"N{k // 2}A{k % 2 + 1}" for k in rng.permutation(n)])
    frame["Clutch Completion"] = rng.choice(["Yes", "No"], n)
    frame["Date Egg"] = [f"2007-11-{k % 28 + 1:02}" for k in range(n)]
    frame["Comments"] = [f"nest {k}" if k % 9 == 0 else None for k in range(n)]
    frame["Region"] = "Anvers"
    frame["delta"] = np.where(rng.random(n) < 0.2, "?", rng.normal(size=n).round(3).astype(str))
    frame["wing"] = [f"{k % 40 + 170} mm" for k in range(n)]
    frame["area"] = np.where(rng.random(n) < 0.1, np.inf, 1.0)
    frame.to_csv("penguins.csv", index=False)
    init("penguins.csv", "--label", "species")
    params = written("penguins")["datasets"]["penguins"]["params"]
    missing = ["bill", "mass", "sex", "size", "delta"]
    assert params == {
        "label": "species",
        "id": "Individual ID",
        "drop": ["Date Egg", "Comments", "Region", "wing", "area"],
        "categories": ["island", "sex", "Clutch Completion"],
        "ordered": {"size": ["S", "M", "L"]},
        "missing_values": "impute",
    }
    text, said = Path("penguins/config.yaml").read_text(), capsys.readouterr().out
    count = int((frame[missing].isna() | (frame[missing] == "?")).sum().sum())
    assert f"missing_values: impute # {count} missing values in 5 columns: medians" in text
    assert "Completion] # text of few values: a column of 0 and 1 for each" in text
    for line in (
        "note        Categories: island (3 levels), sex (2 levels), size (3 levels), Clutch",
        "problem: Date Egg: '2007-11-01' in row 0 and others are a date: left out (drop); to use",
        "problem: wing: '170 mm' in row 0 and others are a number with a unit: left out",
        "problem: Comments: text with 14 values cannot be a feature, 14 of its 14 values occur on",
        "problem: Region: text with 1 value cannot be a feature: left out",
        "problem: infinite or no values in area",
    ):
        assert line in said, line


def test_few_columns_of_all_kinds(capsys):
    """As in birthwt, with words instead of codes; ordered categories of parquet."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"smoke": rng.choice(["yes", "no"], 60)})
    frame["race"] = rng.choice(["white", "black", "other"], 60)
    frame["visits"] = pd.Categorical(
        rng.choice(["none", "one", "many"], 60), ["none", "one", "many"], ordered=True
    )
    frame["ptl"] = rng.integers(0, 4, 60)
    frame["low"] = frame["smoke"].map({"yes": 1, "no": 0}) ^ (rng.random(60) < 0.2)
    frame.to_parquet("b.parquet")
    init("b.parquet", "--label", "low")
    params = written("b")["datasets"]["b"]["params"]
    assert params == {
        "label": "low",
        "categories": ["smoke", "race"],
        "ordered": {"visits": ["none", "one", "many"]},
    }
    said = capsys.readouterr().out
    assert "few values  ptl: used as numbers; add to `categories` if they are codes" in said
    frame.drop(columns=["visits", "ptl"]).to_csv("b.csv", index=False)
    init("b.csv", "--label", "low", "--folder", "two")
    assert written("two")["datasets"]["b"]["params"]["categories"] == ["smoke", "race"]


def test_well_known_scales_have_an_order():
    rng = np.random.default_rng(0)
    scales = {
        "size": ["S", "M", "XL"],
        "stage": ["I", "II", "IV"],
        "how_often": ["Never", "sometimes", "often"],
        "income": ["low", "medium", "high", "very high"],
    }
    others = {"status": ["S", "M", "W"], "sex": ["m", "f"], "level": ["low", "high", "unsure"]}
    columns = {
        name: rng.choice(levels, 90).astype(object) for name, levels in (scales | others).items()
    }
    columns["size"][:4] = ["?", " XL", "NA", ""]
    table(90, **columns).to_csv("t.csv", index=False)
    init("t.csv", "--label", "kind")
    assert written("t")["datasets"]["t"]["params"] == {
        "label": "kind",
        "categories": [*others],
        "ordered": scales,
        "missing_values": "impute",
    }


def test_columns_that_reveal_the_label_are_named_despite_gaps(capsys):
    frame = mixed(200)
    gap = np.random.default_rng(0).random(200) < 0.1
    frame["name"] = frame["species"].str.lower().where(~gap, None)
    frame["code"] = (frame["species"] == "Gentoo").astype(float).where(~gap, None)
    frame.to_csv("p.csv", index=False)
    init("p.csv", "--label", "species")
    said = capsys.readouterr().out
    assert "problem: name: one value for each class" in said
    assert "problem: code: the same value in all rows of a class" in said
    y = np.random.default_rng(1).normal(size=200).round(4)
    copy = pd.Series(3 - 2 * y).where(~gap, None)
    frame[["bill", "sex"]].assign(y=y, copy=copy).to_csv("r.csv", index=False)
    init("r.csv", "--label", "y")
    assert written("r")["datasets"]["r"]["params"]["drop"] == ["copy"]


def club():
    graph = nx.karate_club_graph()
    for node in graph:
        graph.nodes[node]["half"] = "a" if node % 2 else "b"
    return graph


def test_a_network_is_cleaned_as_far_as_it_runs(capsys):
    graph = club()
    graph.add_edge(0, 0)
    graph.add_node(98, club="Officer")
    graph.add_node(99)
    nx.write_graphml(graph, "club.graphml")
    init("club.graphml", "--label", "club")
    params = written("club")["datasets"]["club"]["params"]
    assert params == {
        "label": "club",
        "unlabeled": "drop",
        "self_loops": "drop",
        "component": "largest",
    }
    said = capsys.readouterr().out
    assert "2 components: the largest is kept, 34 of 35 nodes" in said
    assert "Edges have weight, which was not used" in said


def test_edge_lists_take_labels_from_a_table(capsys):
    graph = club()
    Path("links.txt").write_text("".join(f"{a} {b}\n" for a, b in [*graph.edges(), (1, 0)]))
    lines = [f"{a},{b},1\n" for a, b in graph.edges()]
    Path("links.csv").write_text("from,to,weight\n" + "".join(lines))
    rows = [f"{node},{graph.nodes[node]['club']}\n" for node in graph]
    Path("clubs.csv").write_text("node,club\n" + "".join(rows))
    with pytest.raises(InputError, match=r"network without node attributes.*add --labels TABLE"):
        init("links.txt")
    for name, params in (
        ("links.txt", {"duplicates": "drop"}),
        ("links.csv", {"header": True, "source": "from", "target": "to"}),
    ):
        init(name, "--label", "club", "--labels", "clubs.csv", "--folder", name[-3:])
        entry = written(name[-3:])["datasets"]["links"]
        assert entry["files"] == {"data": f"../{name}", "labels": "../clubs.csv"}
        assert entry["params"] == {"label": "club"} | params


def test_a_network_has_groups(capsys):
    graph = club()
    for node in graph:
        graph.nodes[node].update(family=f"f{node // 3}", height=node / 7)
    nx.write_graphml(graph, "club.graphml")
    Path("links.txt").write_text("".join(f"{a} {b}\n" for a, b in graph.edges()))
    rows = [[node, *map(graph.nodes[node].get, ("club", "family"))] for node in graph]
    table = pd.DataFrame(rows, columns=["node", "club", "family"])
    table[::-1].to_csv("nodes.csv", index=False)
    for words in (["club.graphml"], ["links.txt", "--labels", "nodes.csv"]):
        init(*words, "--label", "club", "--folder", words[0][:2])
        (entry,) = written(words[0][:2])["datasets"].values()
        assert entry["params"] == {"label": "club", "groups": "family"}
        text = Path(words[0][:2], "config.yaml").read_text()
        assert ("      # features: [height] # numbers of the nodes" in text) == (len(words) == 1)
        assert (
            "groups      family: folds leave out whole groups, 12 groups" in capsys.readouterr().out
        )
    table.assign(family=table["club"]).to_csv("nodes.csv", index=False)
    init("links.txt", "--labels", "nodes.csv", "--label", "club", "--folder", "none")
    assert written("none")["datasets"]["links"]["params"] == {"label": "club"}


def test_arrays_have_groups():
    rng = np.random.default_rng(0)
    X, y, donor = rng.normal(size=(40, 4)), np.arange(40) % 2, np.arange(40) // 5
    np.savez("a.npz", X=X, y=y, donor=donor, weight=rng.normal(size=40))
    np.save("X.npy", X)
    pd.DataFrame({"y": y, "donor": donor}).to_csv("y.csv", index=False)
    for words in (["a.npz"], ["X.npy", "--labels", "a.npz"], ["X.npy", "--labels", "y.csv"]):
        init(*words, "--label", "y", "--folder", "run", "--force")
        (entry,) = written("run")["datasets"].values()
        assert entry["params"]["groups"] == "donor"


def test_arrays(capsys):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 2
    np.savez("a.npz", embedding=X, group=y)
    init("a.npz")
    assert "--label may be group (2 classes)" in capsys.readouterr().out
    init("a.npz", "--label", "group")
    assert written("a")["datasets"]["a"]["params"] == {"features": "embedding", "label": "group"}
    np.save("X.npy", X)
    np.save("y.npy", y)
    init("X.npy", "--label", "y", "--labels", "y.npy")
    assert written("X")["datasets"]["X"]["files"] == {"data": "../X.npy", "labels": "../y.npy"}
    init("X.npy", "--labels", "y.npy", "--folder", "alone")
    assert written("alone")["datasets"]["X"]["params"] == {"label": "y"}
    assert "label       y: 2 classes: 0 15, 1 15" in capsys.readouterr().out
    np.savez("y.npz", kind=y, matrix=X)
    init("X.npy", "--labels", "y.npz", "--folder", "named")
    assert written("named")["datasets"]["X"]["params"] == {"label": "kind"}
    np.savez("two.npz", kind=y, other=y)
    init("X.npy", "--labels", "two.npz", "--folder", "none")
    assert "--label may be kind (2 classes), other (2 classes)" in capsys.readouterr().out
    lines = ["cat\n" if one else "dog\n" for one in y]
    Path("y.txt").write_text("".join(lines))
    message = r"29 labels for 30 rows; its first line is read as a header: add one"
    with pytest.raises(InputError, match=message):
        init("X.npy", "--labels", "y.txt", "--folder", "none")
    Path("y.txt").write_text("".join(["kind\n", *lines]))
    init("X.npy", "--labels", "y.txt", "--folder", "text")
    assert written("text")["datasets"]["X"]["params"] == {"label": "kind"}
    order = rng.permutation(30)
    pd.DataFrame({"y": y[order], "row": order}).to_csv("y.csv", index=False)
    init("X.npy", "--label", "y", "--labels", "y.csv", "--folder", "joined")
    entry = written("joined")["datasets"]["X"]
    assert entry["params"] == {"label": "y", "id": "row"}
    files = {role: Path("joined", path) for role, path in entry["files"].items()}
    assert array_file.load(files, 0, **entry["params"]).labels.tolist() == y.tolist()
    points = rng.uniform(-0.5, 0.5, size=(30, 2))
    np.savez("s.npz", x_train=points[:20], y_train=y[:20], x_test=points[20:], y_test=y[20:])
    init("s.npz")
    config = yaml.safe_load(Path("s/config.yaml").read_text())
    assert config["repeats"] == 1
    assert config["datasets"]["s"]["split"] == {"scheme": "fixed"}
    np.savez("S.npz", X_train=points[:20], y_train=y[:20], X_test=points[20:], y_test=y[20:])
    init("S.npz", "--label", "y_train", "--folder", "part")
    words = "problem: one part of the rows is read; for both, name the arrays x_train, y_train, x_t"
    assert words in capsys.readouterr().out


def test_a_folder_of_one_kind_is_one_entry(capsys):
    Path("donors").mkdir()
    for name in ("01", "02"):
        table(24).to_csv(f"donors/{name}.csv", index=False)
    init("donors")
    assert "next: noneuclid init donors --label kind" in capsys.readouterr().out
    init("donors", "--label", "kind")
    given = yaml.safe_load(Path("donors_run/config.yaml").read_text())
    assert given["datasets"]["{file}"]["each"] == {"file": ["01", "02"]}
    assert list(written("donors_run")["datasets"]) == ["01", "02"]
    table(24, site="x").to_csv("donors/03.csv", index=False)
    init("donors", "--label", "kind", "--folder", "differ")
    assert written("differ")["datasets"]["03"]["params"]["drop"] == ["site"]
    Path("donors/links.gml").write_text("")
    with pytest.raises(InputError, match=r"files of several kinds \(3 \.csv, 1 \.gml\)"):
        init("donors", "--label", "kind", "--folder", "more")


GOOD = "a,b,kind\n" + "".join(f"{k}.5,{k * k % 7},{'xy'[k % 2]}\n" for k in range(12))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("w.csv", "", r"w\.csv is empty"),
        ("w.csv", "a,b,kind\n", "has a header but no rows"),
        ("w.csv", "kind\nx\ny\nx\ny\n", "0 columns of numbers or categories are left"),
        ("w.csv", GOOD.replace("a,b,", "a,a,"), "2 columns are named 'a'"),
        ("w.csv", GOOD.replace("kind", "class"), r"has no column 'kind'; it has: a, b, class"),
        ("w.csv", GOOD.replace("y\n", "x\n"), r"'kind' has one class only \('x', 12 rows\)"),
        ("w.csv", GOOD.replace("x\n", "\n").replace("y\n", "\n"), "no row has a 'kind'"),
        ("w.csv", GOOD.encode() + b"1,2,caf\xe9\n", "line 14 holds the byte 0xe9"),
        ("w.csv", GOOD.replace(".5,", ",").replace("\n", "\r\n"), "1 columns of numbers"),
        ("w", GOOD, "w: no suffix; the files that are read end in"),
        ("w.xlsx", GOOD, r"w\.xlsx: \.xlsx suffix; the files"),
        ("w.txt", b"\xff\xfe1 2\n", "not UTF-8"),
        ("w.h5ad", GOOD, "cannot be read as h5ad"),
        ("w.npz", GOOD, "cannot be read as npz"),
        ("w.gml", GOOD, "cannot be read as GML"),
        ("w.edges", "1 2\n2 3\n", "network without node attributes"),
        ("w.csv", "a,b,kind\n" + "".join(f"{k}.5,{k}.1,n{k}\n" for k in range(9)), "names rather"),
        ("w.csv", GOOD.replace(".5,", ".5,x"), "1 columns of numbers|0 columns of numbers"),
        ("w.csv", GOOD.replace("1.5,1", "inf,-inf"), "2 of 2 columns have infinite or no values"),
    ],
)
def test_hostile_files_end_in_one_line_and_write_nothing(name, content, message, tmp_path):
    raw = content if isinstance(content, bytes) else content.encode()
    Path(name).write_bytes(raw)
    with pytest.raises(InputError, match=message) as caught:
        init(name, "--label", "kind", "--folder", "out")
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_paths_options_and_folders_that_do_not_fit(tmp_path):
    with pytest.raises(InputError, match=r"wine\.csv does not exist"):
        init("wine.csv")
    Path("empty").mkdir()
    with pytest.raises(InputError, match="empty is a folder without data"):
        init("empty", "--label", "kind")
    table().to_csv("w.csv", index=False)
    with pytest.raises(InputError, match="--features names a matrix"):
        init("w.csv", "--label", "kind", "--features", "X")
    with pytest.raises(InputError, match="--copy writes a configuration that ships"):
        init("w.csv", "--copy", "league")
    with pytest.raises(InputError, match=r"w\.csv is a file"):
        init("w.csv", "--label", "kind", "--folder", "w.csv")
    Path("{x}.csv").write_text(Path("w.csv").read_text())
    with pytest.raises(InputError, match="has braces"):
        init("{x}.csv", "--label", "kind")
    Path("w").mkdir()
    Path("w/config.yaml").write_text("seed: 3\n")
    with pytest.raises(InputError, match="exists: add --force to overwrite it"):
        init("w.csv", "--label", "kind")
    assert Path("w/config.yaml").read_text() == "seed: 3\n"
    assert {path.name for path in tmp_path.iterdir()} == {"empty", "w", "w.csv", "{x}.csv"}


def test_names_that_yaml_would_read_otherwise(tmp_path):
    frame = table().rename(columns={"kind": "yes", "acid": "1e3", "salt": "a: #b"})
    Path("no").mkdir()
    frame.assign(null="x").to_csv("no/my data (1).csv", index=False)
    init("no/my data (1).csv", "--label", "yes", "--folder", "deep/down/run")
    entry = written("deep/down/run")["datasets"]["my_data_1"]
    assert entry["params"] == {"label": "yes", "drop": ["null"]}
    assert entry["files"]["data"] == str(tmp_path / "no/my data (1).csv")


def test_a_table_of_many_columns_is_described_briefly(capsys):
    # The header is longer than a field of a csv may be.
    names = [f"gene_{k:_^135}" for k in range(1000)]
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(4, len(names))), columns=names)
    wide.assign(kind=list("abab")).to_csv("w.csv", index=False, float_format="%.2f")
    init("w.csv", "--label", "kind")
    assert "1000 columns of numbers: gene_" in capsys.readouterr().out
    assert len(Path("w/config.yaml").read_text()) < 5000


def test_thousands_are_no_decimals_and_a_measurement_is_no_name(capsys):
    frame = table(pop=[f"{k + 1},{100 + k}" for k in range(30)])
    frame["conc"] = ["<0.1" if k == 7 else str(1.5 * k) for k in range(30)]
    frame.to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    params = written("wine")["datasets"]["wine"]["params"]
    assert "decimal" not in params
    assert "id" not in params
    assert params["drop"] == ["pop", "conc"]
    said = capsys.readouterr().out
    assert "problem: conc: 1 of 30 values are no numbers, the first '<0.1'" in said
    assert "problem: pop:" in said


def test_decimal_commas_are_read():
    table().to_csv("wine.csv", index=False, sep=";", decimal=",")
    init("wine.csv", "--label", "kind")
    assert written("wine")["datasets"]["wine"]["params"]["decimal"] == ","


def test_many_rows_get_a_run_of_minutes(monkeypatch, capsys):
    monkeypatch.setattr(look, "MANY_ROWS", 29)
    table().to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    config = written("wine")
    entry = config["datasets"]["wine"]
    assert entry["embeddings"] == ["hyperbolic_umap"]
    assert entry["split"] == {"folds": 3}
    assert config["repeats"] == 1
    assert entry["baselines"] == ["original_logistic", "original_forest"]
    assert list(config["methods"]) == list(defaults.ON_MANY_ROWS)
    said = capsys.readouterr().out
    assert "hyperbolic_umap, fast methods and one repeat, because of 30 rows" in said
    assert "run: 1 embedding, 7 methods and the baselines, 1 repeat of 3 folds" in said
    assert "a Gaussian SVM without embedding may take hours" in said
    # The folds of the data set are not a default that one could change below.
    assert "# splits: {scheme: stratified_kfold} #" in Path("wine/config.yaml").read_text()
    table().assign(y=np.arange(30.0) ** 1.5).to_csv("numbers.csv", index=False)
    init("numbers.csv", "--label", "y")
    assert "split" not in written("numbers")["datasets"]["numbers"]


def test_very_many_rows_get_no_methods_without_embedding(monkeypatch, capsys):
    monkeypatch.setattr(look, "MANY_ROWS", 20)
    monkeypatch.setattr(look, "MOST_ROWS_OF_BASELINES", 29)
    table().to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    assert written("wine")["datasets"]["wine"]["baselines"] is False
    assert "methods without embedding may take hours" in capsys.readouterr().out


@pytest.mark.parametrize(("rows", "small"), [(4, False), (2, True)])
def test_small_classes_of_many_rows_are_those_below_three_folds(monkeypatch, capsys, rows, small):
    monkeypatch.setattr(look, "MANY_ROWS", 29)
    table().assign(kind=["rare"] * rows + ["b"] * (30 - rows)).to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    split = written("wine")["datasets"]["wine"]["split"]
    assert split == {"folds": 3} | ({"small_classes": "keep"} if small else {})
    assert ("fewer members than there are folds" in capsys.readouterr().out) == small
