"""AnnData objects in scanpy's manner: what is read, what is written, what is refused."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from scipy.sparse import csr_array, csr_matrix
from sklearn.model_selection import (
    LeaveOneGroupOut,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier

import noneuclid
from noneuclid import cells
from noneuclid.errors import InputError
from noneuclid.geometry import charts

pytestmark = pytest.mark.filterwarnings("ignore:L-BFGS stopped")
anndata = pytest.importorskip("anndata", reason="anndata is not installed")


def three_kinds(n=60):
    """Three clouds of cells, of which every fifth has no label."""
    kind = np.array(["B", "NK", "T"])[np.arange(n) % 3]
    X = np.random.default_rng(0).normal(size=(n, 5)) + 8.0 * np.eye(5)[np.arange(n) % 3]
    obs = pd.DataFrame({"kind": kind, "known": kind}, index=[f"cell {k}" for k in range(n)])
    obs.loc[obs.index[::5], "known"] = None
    return anndata.AnnData(X, obs)


def embedded():
    adata = three_kinds()
    cells.embed(adata, method="lifted_pca")
    return adata


def test_embed_writes_points_and_what_made_them():
    adata = three_kinds()
    assert cells.embed(adata, method="lifted_pca", n_components=3, radius=2.0) is None
    expected = noneuclid.LiftedPCA(3, radius=2.0, random_state=0).fit_transform(adata.X)
    np.testing.assert_array_equal(adata.obsm["X_poincare"], expected)
    params = adata.uns["X_poincare"]["params"]
    assert params == {
        "method": "LiftedPCA",
        "use_rep": "X",
        "chart": "poincare",
        "n_components": 3,
        "radius": 2.0,
    }
    assert 0 < adata.uns["X_poincare"]["report"]["explained_variance"] < 1


def test_names_classes_and_objects_are_methods():
    points = []
    for method in ("lifted_pca", "LiftedPCA", noneuclid.LiftedPCA, noneuclid.LiftedPCA()):
        adata = three_kinds()
        cells.embed(adata, method=method, key_added="X_p")
        points.append(adata.obsm["X_p"])
    for other in points[1:]:
        np.testing.assert_array_equal(other, points[0])
    given = noneuclid.LiftedPCA(radius=1.0)
    cells.embed(three_kinds(), method=given, radius=2.0)
    assert given.radius == 1.0


def test_an_object_keeps_its_chart_and_its_seed():
    adata = three_kinds()
    model = noneuclid.RefinedHydra(max_iter=5, chart="klein", random_state=3)
    cells.embed(adata, model)
    np.testing.assert_array_equal(adata.obsm["X_poincare"], model.fit_transform(adata.X))
    assert adata.uns["X_poincare"]["params"]["chart"] == "klein"
    cells.embed(adata, model, chart="tangent", random_state=4)
    model.set_params(chart="tangent", random_state=4)
    np.testing.assert_array_equal(adata.obsm["X_poincare"], model.fit_transform(adata.X))


def test_the_default_is_a_poincare_map():
    adata = three_kinds()
    cells.embed(adata, n_neighbors=8, max_iter=200)
    model = noneuclid.PoincareMap(n_neighbors=8, max_iter=200, random_state=0)
    np.testing.assert_array_equal(adata.obsm["X_poincare"], model.fit_transform(adata.X))
    charts.check_points(adata.obsm["X_poincare"], "poincare")


def test_values_come_from_components_from_a_layer_or_from_x():
    adata = three_kinds()
    adata.obsm["X_pca"] = 2.0 * adata.X[:, :3]
    adata.layers["counts"] = csr_matrix(np.abs(adata.X))
    found = {}
    for name, given in {
        "default": {},
        "pca": {"use_rep": "X_pca"},
        "x": {"use_rep": "X"},
        "layer": {"layer": "counts"},
    }.items():
        cells.embed(adata, "lifted_pca", key_added=name, **given)
        found[name] = adata.uns[name]["params"]["use_rep"]
    assert found == {
        "default": "obsm/X_pca",
        "pca": "obsm/X_pca",
        "x": "X",
        "layer": "layers/counts",
    }
    np.testing.assert_array_equal(adata.obsm["default"], adata.obsm["pca"])
    assert not np.allclose(adata.obsm["x"], adata.obsm["pca"])


def test_methods_of_graphs_read_the_neighbours():
    adata = three_kinds(12)
    ring = np.roll(np.eye(12), 1, axis=1)
    adata.obsp["connectivities"] = csr_matrix(0.5 * (ring + ring.T))
    adata.uns["neighbors"] = {"connectivities_key": "connectivities"}
    cells.embed(adata, "poincare_embedding", tol=0.1)
    model = noneuclid.PoincareEmbedding(tol=0.1, random_state=0)
    np.testing.assert_array_equal(
        adata.obsm["X_poincare"], model.fit_transform(csr_array(ring + ring.T))
    )
    with pytest.raises(InputError, match="leave out use_rep"):
        cells.embed(adata, "poincare_embedding", use_rep="X")
    with pytest.raises(InputError, match=r"uns has no 'other'; run scanpy.pp.neighbors first"):
        cells.embed(adata, "poincare_embedding", neighbors_key="other")


def test_a_copy_leaves_the_object_alone():
    adata = three_kinds()
    changed = cells.embed(adata, "lifted_pca", copy=True)
    assert "X_poincare" not in adata.obsm
    again = cells.classify(changed, "known", method="PoincareSVC", copy=True)
    assert "known_predicted" not in changed.obs
    assert {"known_predicted", "kind"} <= {*again.obs}


def test_cells_without_a_label_get_one():
    adata = embedded()
    cells.classify(adata, "known", method="PoincareSVC", C=10.0)
    assert adata.obs["known_predicted"].dtype == "category"
    assert (adata.obs["known_predicted"].astype(str) == adata.obs["kind"]).all()
    assert adata.obs["known"].isna().sum() == 12
    record = adata.uns["known_predicted"]
    assert record["n_labelled"] == 48
    assert record["classes"].tolist() == ["B", "NK", "T"]
    assert record["params"]["method"] == "PoincareSVC"
    probabilities = adata.obsm["known_predicted_probabilities"]
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(
        adata.obs["known_predicted_probability"], probabilities.max(axis=1)
    )


def test_unlabelled_cells_change_nothing_for_the_others():
    adata = embedded()
    cells.classify(adata, "known", method="PoincareSVC")
    known = adata.obs["known"].notna().to_numpy()
    model = noneuclid.PoincareSVC(chart="poincare")
    model.fit(adata.obsm["X_poincare"][known], adata.obs["kind"][known].to_numpy(str))
    np.testing.assert_array_equal(
        adata.obs["known_predicted"].astype(str), model.predict(adata.obsm["X_poincare"])
    )


def test_labelled_cells_are_left_out_with_folds():
    adata = embedded()
    # Labels of chance: only a model that has seen them can know them.
    adata.obs["coin"] = np.random.default_rng(0).choice(["heads", "tails"], len(adata))
    neighbour = {"method": noneuclid_neighbour(), "key_added": "found"}
    cells.classify(adata, "coin", **neighbour)
    assert (adata.obs["found"].astype(str) == adata.obs["coin"]).all()
    assert "accuracy" not in adata.uns["found"]
    cells.classify(adata, "coin", cv=5, **neighbour)
    share = (adata.obs["found"].astype(str) == adata.obs["coin"]).mean()
    assert adata.uns["found"]["accuracy"] == pytest.approx(share)
    assert share < 0.8


@pytest.mark.parametrize("cv", [3, LeaveOneGroupOut()])
def test_donors_are_left_out_whole(cv):
    adata = embedded()
    # A donor's cells have one label by chance: only a model that has seen the donor knows it.
    rng, codes = np.random.default_rng(0), np.repeat(np.arange(12), 5)
    points = 0.5 * rng.uniform(-1, 1, (12, 2))[codes] + rng.normal(0, 1e-3, (60, 2))
    adata.obsm["X_poincare"] = points
    adata.obs["donor"] = [f"donor {code}" for code in codes]
    adata.obs["coin"] = np.array(["heads", "tails"])[rng.permutation(12) % 2][codes]
    neighbour = {"method": noneuclid_neighbour(), "key_added": "found", "cv": cv}
    cells.classify(adata, "coin", groups="donor", **neighbour)
    folds = StratifiedGroupKFold(3) if cv == 3 else cv
    expected = cross_val_predict(
        KNeighborsClassifier(1),
        points,
        adata.obs["coin"],
        cv=folds,
        groups=adata.obs["donor"],
    )
    assert (adata.obs["found"].astype(str) == expected).all()
    assert adata.uns["found"]["accuracy"] < 0.9
    cells.classify(
        adata, "coin", **neighbour | {"cv": StratifiedKFold(5, shuffle=True, random_state=0)}
    )
    assert adata.uns["found"]["accuracy"] > 0.9


def test_a_cell_without_donor_is_named():
    adata = embedded()
    adata.obs["donor"] = [None, None, *["a", "b"] * 29]
    with pytest.raises(InputError, match=r"missing at the labelled cell 'cell 1'"):
        cells.classify(adata, "known", groups="donor", cv=2)
    with pytest.raises(InputError, match="obs has no column 'patient'"):
        cells.classify(adata, "known", groups="patient", cv=2)


def test_an_object_keeps_its_chart():
    adata = embedded()
    adata.obsm["X_pca"] = 3.0 * np.eye(3)[np.arange(60) % 3]
    svm = noneuclid.PoincareSVC(chart="tangent")
    cells.classify(adata, "known", basis="X_pca", method=svm)
    assert (adata.obs["known_predicted"] == adata.obs["kind"]).all()


def noneuclid_neighbour():
    return KNeighborsClassifier(1)


@pytest.mark.parametrize("chart", ["tangent", "hyperboloid", "klein"])
def test_the_chart_is_remembered(chart):
    adata, other = three_kinds(), embedded()
    cells.embed(adata, "lifted_pca", chart=chart)
    for found in (adata, other):
        cells.classify(found, "known", method="PoincareSVC")
    np.testing.assert_allclose(
        adata.obsm["known_predicted_probabilities"],
        other.obsm["known_predicted_probabilities"],
        atol=1e-6,
    )


def test_results_survive_a_file(tmp_path):
    adata = embedded()
    cells.embed(adata, "hydra", key_added="X_hydra", n_pcs=None)
    cells.classify(adata, "known", method="PoincareSVC", cv=3)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    np.testing.assert_array_equal(again.obsm["X_hydra"], adata.obsm["X_hydra"])
    assert again.uns["X_hydra"]["params"]["chart"] == "poincare"
    cells.classify(again, "known", method="PoincareSVC", cv=3, key_added="again")
    assert (again.obs["again"] == again.obs["known_predicted"]).all()


def barcoded(adata):
    adata.obs["barcode"] = adata.obs_names.to_numpy()
    return adata


@each_of(
    ("call", "message"),
    [
        (lambda a: cells.embed(a, "hyrda"), "cells.embed: unknown method 'hyrda'; known: deepwalk"),
        (lambda a: cells.embed(a, size=3), "PoincareMap has no parameter 'size'; it has chart"),
        (lambda a: cells.embed(a, 3), "method = 3; give a name, or an object"),
        (lambda a: cells.embed(a, "hydra", use_rep="X_umap"), "obsm has no 'X_umap'"),
        (lambda a: cells.embed(a, "hydra", use_rep="X", layer="y"), "both name the values"),
        (lambda a: cells.classify(a, "type"), "obs has no column 'type'; it has kind, known"),
        (lambda a: cells.classify(a, "kind", basis="X_none"), "obsm has no 'X_none'"),
        (lambda a: cells.classify(a, "kind", method="SVC"), "unknown method 'SVC'; known: Eucl"),
        (lambda a: cells.classify(a, "kind", method="PoincareSVC", D=1), "has no parameter 'D'"),
        (lambda a: cells.plot(a, "type"), "cells.plot: Could not find .*type"),
        (
            lambda a: cells.plot(barcoded(a), "barcode"),
            r"obs\['barcode'\] is another text in every c",
        ),
        (lambda a: cells.plot(a, save="x.png"), "save is not taken; use show=False and ax.figure"),
        (lambda a: cells.embed(a, "hydra", use_rep="raw"), "the AnnData object has no raw; give X"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call(embedded())


def test_one_class_is_no_task():
    adata = embedded()
    adata.obs["one"] = "B"
    with pytest.raises(InputError, match="has 1 classes on 60 labelled cells; label cells of two"):
        cells.classify(adata, "one")


def test_a_picture_needs_a_plane():
    adata = three_kinds()
    cells.embed(adata, "lifted_pca", n_components=3)
    with pytest.raises(InputError, match="has dimension 3; embed with n_components=2"):
        cells.plot(adata)


def test_cells_are_drawn():
    plt = pytest.importorskip("matplotlib.pyplot")
    pytest.importorskip("scanpy", reason="scanpy is not installed")
    adata = embedded()
    _, ax = plt.subplots()
    assert cells.plot(adata, color="known", ax=ax, show=False) is ax
    drawn, points = np.asarray(ax.collections[0].get_offsets()), adata.obsm["X_poincare"]
    np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(points, axis=0))
    # The three kinds, and cells without one.
    assert [text.get_text() for text in ax.get_legend().texts] == ["B", "NK", "T", "NA"]
    (rim,) = ax.patches
    assert (rim.get_radius(), ax.get_aspect(), ax.get_title()) == (1, 1.0, "known")
    assert len(adata.uns["known_colors"]) == 3
    assert cells.plot(adata, show=False).figure is not ax.figure
    plt.close("all")


def test_genes_and_numbers_are_drawn_with_a_colour_bar():
    plt = pytest.importorskip("matplotlib.pyplot")
    pytest.importorskip("scanpy", reason="scanpy is not installed")
    adata = embedded()
    adata.layers["twice"] = 2.0 * adata.X
    adata.raw = anndata.AnnData(adata.X - 1.0, adata.obs, adata.var)
    adata.obs["depth"] = np.linspace(0.0, 7.0, len(adata))
    drawn = {
        "raw": cells.plot(adata, "3", show=False),
        "X": cells.plot(adata, "3", use_raw=False, show=False),
        "layer": cells.plot(adata, "3", layer="twice", show=False),
    }
    expected = {"raw": adata.X[:, 3] - 1.0, "X": adata.X[:, 3], "layer": 2.0 * adata.X[:, 3]}
    for name, ax in drawn.items():
        values = np.asarray(ax.collections[0].get_array())
        np.testing.assert_allclose(np.sort(values), np.sort(expected[name]))
        assert ax.get_legend() is None
        assert ax.collections[0].colorbar is not None
    several = cells.plot(adata, ["depth", "kind"], legend_loc="on data", show=False)
    assert [ax.get_title() for ax in several] == ["depth", "kind"]
    assert [len(ax.patches) for ax in several] == [1, 1]
    plt.close("all")


def test_points_of_other_charts_are_drawn_in_the_disk():
    plt = pytest.importorskip("matplotlib.pyplot")
    pytest.importorskip("scanpy", reason="scanpy is not installed")
    adata = embedded()
    cells.embed(adata, "lifted_pca", chart="klein", key_added="X_klein")
    ax = cells.plot(adata, basis="X_klein", show=False)
    np.testing.assert_allclose(ax.collections[0].get_offsets(), adata.obsm["X_poincare"], atol=1e-9)
    assert set(adata.obsm) == {"X_poincare", "X_klein"}
    adata.obsm["X_klein_disk"] = kept = np.ones((len(adata), 3))
    ax = cells.plot(adata, basis="X_klein", show=False)
    np.testing.assert_allclose(ax.collections[0].get_offsets(), adata.obsm["X_poincare"], atol=1e-9)
    np.testing.assert_array_equal(adata.obsm["X_klein_disk"], kept)
    assert set(adata.obsm) == {"X_poincare", "X_klein", "X_klein_disk"}
    plt.close("all")


def test_raw_counts_give_a_warning():
    counts = np.random.default_rng(0).poisson(3.0, (40, 6)).astype(float)
    adata = anndata.AnnData(np.log1p(counts), layers={"counts": counts})
    adata.raw = anndata.AnnData(counts)
    cells.embed(adata, "lifted_pca")
    for given, name in (({"layer": "counts"}, "layers/counts"), ({"use_rep": "raw"}, "raw")):
        with pytest.warns(UserWarning, match=f"{name} holds raw counts, .* run scanpy.pp.normali"):
            cells.embed(adata, "lifted_pca", **given)
    assert adata.uns["X_poincare"]["params"]["use_rep"] == "raw"


def test_a_classifier_that_is_unsure_gives_names_of_its_own():
    adata = embedded()
    unsure = noneuclid.HedgedClassifier(
        noneuclid.PoincareSVC(chart="poincare"), accuracy=1.0, random_state=0
    )
    adata.obs["coin"] = np.random.default_rng(0).choice(["heads", "tails"], len(adata))
    cells.classify(adata, "coin", method=unsure)
    assert (adata.obs["coin_predicted"] == "any class").any()
    assert adata.obs["coin_predicted"].notna().all()
    adata.obs["number"] = (adata.obs["coin"] == "heads").astype(int)
    cells.classify(adata, "number", method=unsure)
    assert set(adata.obs["number_predicted"].cat.categories) == {"0", "1", "any class"}
    cells.classify(adata, "number", method="PoincareSVC", key_added="sure")
    assert adata.obs["sure"].cat.categories.tolist() == [0, 1]


@pytest.mark.slow
def test_cells_of_scanpy():
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed")
    adata = scanpy.datasets.pbmc68k_reduced()
    cells.embed(adata)
    assert adata.uns["X_poincare"]["params"]["use_rep"] == "obsm/X_pca"
    cells.classify(adata, "bulk_labels", method="PoincareSVC", cv=5)
    assert adata.uns["bulk_labels_predicted"]["accuracy"] > 0.6
