"""The command init on images: folders of classes, arrays of pixels, splits of their own."""

from pathlib import Path

import numpy as np
import pytest
from init_command import init, written
from PIL import Image

from noneuclid.errors import InputError

PIXELS = np.random.default_rng(0).integers(0, 256, size=(40, 6, 5), dtype=np.uint8)
LABELS = np.arange(40) % 2


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def pictures(folder, rows=range(40)):
    for row in rows:
        place = Path(folder) / "ab"[LABELS[row]]
        place.mkdir(parents=True, exist_ok=True)
        Image.fromarray(PIXELS[row]).save(place / f"{row}.png")


def test_a_folder_of_classes_needs_no_label(capsys):
    pictures("pics")
    init("pics")
    said = capsys.readouterr().out
    assert "pics (read by image_file)" in said
    assert "40 of 6 x 5 x 1 (rows, columns, channels)" in said
    config = written("pics_run")
    text = Path("pics_run/config.yaml").read_text()
    assert "embeddings: {network: {use: hyperbolic_images}}" in text
    assert "\n    # train and test; needs torch" in text
    assert config["datasets"]["pics"]["use"] == "image_file"
    assert config["datasets"]["pics"]["embeddings"] == ["lifted_pca", "hydra"]
    assert config["splits"]["scheme"] == "stratified_kfold"
    with pytest.raises(InputError, match="leave --label and --features out"):
        init("pics", "--label", "y", "--folder", "other")


def test_a_split_of_the_data_is_kept():
    pictures("pics/train", range(30))
    pictures("pics/test", range(30, 40))
    parts = {"x_train": PIXELS[:30], "y_train": LABELS[:30]}
    np.savez("parts.npz", **parts, x_test=PIXELS[30:], y_test=LABELS[30:])
    for path, folder in (("pics", "pics_run"), ("parts.npz", "parts")):
        init(path)
        config = written(folder)
        (entry,) = config["datasets"].values()
        assert (entry["use"], entry["split"]) == ("image_file", {"scheme": "fixed"})
        assert config["repeats"] == 1


def test_arrays_of_pixels_are_told_from_matrices(capsys):
    np.savez("pixels.npz", images=PIXELS, digit=LABELS)
    init("pixels.npz")
    assert "--label may be digit (2 classes)" in capsys.readouterr().out
    init("pixels.npz", "--label", "digit")
    assert written("pixels")["datasets"]["pixels"]["params"] == {
        "features": "images",
        "label": "digit",
    }
    np.savez("rows.npz", X=PIXELS.reshape(40, -1), images=PIXELS, y=LABELS)
    init("rows.npz", "--label", "y")
    assert written("rows")["datasets"]["rows"]["use"] == "array_file"


def test_a_wrong_folder_of_images_is_one_line():
    pictures("pics")
    Path("pics/c").mkdir()
    with pytest.raises(InputError, match=r"pics/c has no image .*: add some, or remove"):
        init("pics")
