"""From raw counts to labels of new cells: acquire, embed, train and predict on small files."""

import json
import warnings

import anndata
import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid_compare import io, load_model
from noneuclid_compare.data.generators import cell_atlas
from noneuclid_compare.jobs import file_sizes
from noneuclid_compare.models.kept_model import KeptModel
from noneuclid_compare.records import Dataset, Embedded, Split
from noneuclid_compare.stages import acquire, embed, predict, train

METHOD = {
    "use": "sklearn.linear_model.LogisticRegression",
    "chart": "tangent",
    "params": {"max_iter": 1000},
    "grid": {},
    "search": {"folds": 2, "scoring": "accuracy"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file of cells, and what the stages make of it."""
    path = tmp_path_factory.mktemp("counts")
    cell_atlas.write(
        path / "cells.h5ad", 0, n_cells=200, n_genes=90, n_classes=4, counts_per_cell=900.0
    )
    params = {"label": "lineage", "counts": True, "n_top_genes": 60, "n_comps": 8}
    acquire.main(
        ["--name", "atlas", "--use", "anndata_file", "--params", json.dumps(params), "--seed", "0",
         "--files", json.dumps({"data": str(path / "cells.h5ad")}), "--output",
         str(path / "data.npz")]
    )  # fmt: skip
    embed.main(
        ["--dataset", str(path / "data.npz"), "--name", "pca", "--use", "lifted_pca", "--seed", "0",
         "--params", json.dumps({"n_components": 4}), "--output", str(path / "points.npz"),
         "--card", str(path / "points.json"), "--map", str(path / "map.npz")]
    )  # fmt: skip
    io.write_record(path / "split.npz", Split(np.arange(200) % 4))
    files = {name: str(path / f"{name}.npz") for name in ("points", "split", "map", "predictions")}
    options = [word for name, file in files.items() for word in (f"--{name}", file)]
    train.main(
        [*options, "--names", "atlas", "pca", "logistic", "--method", json.dumps(METHOD),
         "--repeat", "0", "--seed", "0", "--record", str(path / "record.json"),
         "--model", str(path / "model.skops")]
    )  # fmt: skip
    return path


def test_the_preparation_travels_with_the_map(folder):
    data = io.read_record(folder / "data.npz", Dataset)
    rule = io.read_record(folder / "map.npz", maps.restore)
    assert rule.columns == data.preparation["genes"] == cell_atlas.gene_names(90)
    np.testing.assert_array_equal(rule.preparation["loadings"], data.preparation["loadings"])
    assert rule.preparation["loadings"].shape == (60, 8)
    # The loader chose the matrix, which new files are read by.
    assert load_model(folder / "model.skops").content["features"] == "X"
    about = io.read_record(folder / "points.npz", Embedded).about["dataset"]
    assert "Prepared as in scanpy on all 200 cells" in about["oddities"][-1]


def labelled(folder, path, capsys, *options):
    predict.main(
        [str(folder / "model.skops"), str(path), "--output", str(folder / "out.tsv"), *options]
    )
    return io.read_table(folder / "out.tsv"), capsys.readouterr().err


def test_new_cells_get_the_labels_of_their_counts(folder, tmp_path, capsys):
    cells = anndata.read_h5ad(folder / "cells.h5ad")
    whole, said = labelled(folder, folder / "cells.h5ad", capsys)
    assert said.startswith("predicted: ")
    assert (whole["predicted"].astype(str) == cells.obs["lineage"].to_numpy()).mean() > 0.9
    # Other order, another gene, one cell alone.
    more = anndata.AnnData(
        sparse.csr_matrix(np.ones((200, 1), dtype=np.float32)),
        obs=cells.obs[[]],
        var=pandas.DataFrame(index=["other"]),
    )
    new = anndata.concat([cells[:, ::-1], more], axis=1)[20:21].copy()
    new.write_h5ad(tmp_path / "new.h5ad")
    one, said = labelled(folder, tmp_path / "new.h5ad", capsys)
    assert said.startswith("note: 1 gene was not in training and not used: other.\n")
    pandas.testing.assert_frame_equal(one, whole[20:21].reset_index(drop=True), rtol=1e-9)


def test_missing_genes_and_normalized_values(folder, tmp_path, capsys):
    cells = anndata.read_h5ad(folder / "cells.h5ad")
    path = tmp_path / "new.h5ad"
    cells[:, 3:].copy().write_h5ad(path)
    with pytest.raises(
        InputError,
        match=r"3 of the 90 genes .* are missing .gene 1, gene.* by --missing-genes mean",
    ):
        labelled(folder, path, capsys)
    with pytest.raises(InputError, match="means of training by missing_genes='mean'"):
        load_model(folder / "model.skops").predict_file(path)
    _, said = labelled(folder, path, capsys, "--missing-genes", "mean")
    assert "note: 3 of the 90 genes of training are missing" in said
    assert "they have their means of training." in said
    cells.X = cells.X.log1p()
    cells.write_h5ad(path)
    with pytest.raises(InputError, match=r"gene 'gene \d+' is 1.38629, not a count; give the mat"):
        labelled(folder, path, capsys)


def test_arrays_and_frames_of_counts(folder, capsys):
    model = load_model(folder / "model.skops")
    cells = anndata.read_h5ad(folder / "cells.h5ad")[:30]
    table, _ = labelled(folder, folder / "cells.h5ad", capsys)
    expected = table["predicted"][:30].astype(str).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(cells.to_df().iloc[:, ::-1]).tolist() == expected
    with pytest.warns(UserWarning, match="no names: only the number of genes, 90, was checked"):
        assert model.predict(cells.X.toarray()).tolist() == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sparse_form in (sparse.csc_array, sparse.coo_matrix):
            assert model.predict(sparse_form(cells.X)).tolist() == expected
    with pytest.raises(InputError, match=r"gene 'gene \d+' is -1, not a count"):
        model.predict(-np.ones((1, 90)))
    for rows in (cells.X[:, 3:], cells.X[:, 3:].toarray()):
        with pytest.raises(
            InputError, match=r"shape \(30, 87\), but the model was trained on 90 g"
        ):
            model.predict_proba(rows)
    with pytest.raises(InputError, match=r"AnnData\); give an array, a DataFrame such as adata"):
        model.predict(cells)


def test_points_are_dense_and_of_one_dimension():
    estimator = LogisticRegression().fit([[-0.5, 0.0], [0.5, 0.0]], ["a", "b"])
    model = KeptModel({"estimator": estimator, "chart": "poincare", "curvature": 1.0})
    with pytest.raises(InputError, match=r"sparse matrix; give rows.toarray\(\)"):
        model.predict(sparse.csr_array([[0.3, 0.0]]))
    with pytest.raises(
        InputError, match="3 columns, but points of this model have 2 in chart 'poi"
    ):
        model.predict([[0.3, 0.0, 0.0]])


def test_counts_are_acquired_in_parts(folder):
    params = {"label": "lineage", "counts": True, "n_comps": 8}
    memory = file_sizes.acquire_mb([folder / "cells.h5ad"], params)
    assert memory == file_sizes.DEFAULT_MB
