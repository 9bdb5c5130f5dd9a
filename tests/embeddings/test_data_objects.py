"""Objects of PyTorch Geometric, which no class reads."""

import numpy as np
import pytest

import noneuclid
from noneuclid.errors import InputError


def test_data_of_pytorch_geometric_are_refused_with_what_to_give():
    edges = np.array([[0, 1, 2, 3], [1, 2, 3, 0]])
    for cls in (noneuclid.Hydra, noneuclid.PoincareEmbedding):
        with pytest.raises(InputError, match=r"\(2, 4\) looks like an edge_index, .*X\.T\.tolist"):
            cls().fit(edges)
    assert noneuclid.LiftedPCA(n_components=1).fit_transform(edges).shape == (2, 1)
    data = type("Data", (), {"edge_index": edges})()
    message = "does not read PyTorch Geometric's Data; give its network, torch_geometric.utils.to_"
    for call in (
        noneuclid.Hydra().fit,
        noneuclid.LiftedPCA().fit,
        noneuclid.networks.embed,
        lambda X: noneuclid.networks.classify(X, "label"),
        lambda X: noneuclid.HyperboloidSVC().fit(X, [0, 1]),
    ):
        with pytest.raises(InputError, match=message):
            call(data)
