import anndata
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from noneuclid import PoincareSVC, from_anndata
from noneuclid.errors import InputError


@pytest.fixture
def cells():
    obs = pd.DataFrame({"type": pd.Categorical(["B", "T"] * 5)}, index=[f"c{i}" for i in range(10)])
    x = np.random.default_rng(0).normal(size=(10, 3)) + 4 * (obs["type"] == "B").to_numpy()[:, None]
    return anndata.AnnData(
        sparse.csr_matrix(x), obs, layers={"raw": 2 * x}, obsm={"X_pca": x[:, :2]}
    )


@pytest.mark.parametrize(("part", "width"), [("X", 3), ("layers/raw", 3), ("obsm/X_pca", 2)])
def test_parts_reach_a_classifier(cells, part, width):
    X, y = from_anndata(cells, "type", part)
    assert X.shape == (10, width)
    assert PoincareSVC().fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize(
    ("label", "part", "message"),
    [
        ("kind", "X", "obs has no column 'kind'; it has type"),
        ("type", "obsm/X_umap", "obsm has no 'X_umap'; it has X_pca"),
        ("type", "varm/PCs", "features is 'varm/PCs'"),
    ],
)
def test_wrong_names_list_the_right_ones(cells, label, part, message):
    with pytest.raises(InputError, match=message):
        from_anndata(cells, label, part)


def test_cell_without_label_is_named(cells):
    cells.obs.loc["c3", "type"] = None
    with pytest.raises(InputError, match="cell 'c3' has no type"):
        from_anndata(cells, "type")
