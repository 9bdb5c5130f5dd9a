"""The command that labels new samples, and a model for it."""

import numpy as np
import pandas
import pytest
from predicted_points import NEW, kept_model

from noneuclid_compare import __main__


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return kept_model(tmp_path_factory.mktemp("model") / "model.skops")


@pytest.fixture
def predict(tmp_path, model, capsys):
    """Run the command on points saved as npz; return the table and the standard error."""

    def run(*options, data=NEW, model=model):
        if isinstance(data, np.ndarray):
            np.savez(tmp_path / "new.npz", X=data)
            data = tmp_path / "new.npz"
        output = tmp_path / "out.tsv"
        __main__.run(
            ["predict", str(model), str(data), "--output", str(output), *map(str, options)]
        )
        return pandas.read_csv(output, sep="\t"), capsys.readouterr().err

    return run
