"""New images for a model of images: folders, pictures, arrays, IDX files."""

import struct

import numpy as np
import pandas
import pytest
from cases import each_of
from PIL import Image
from predicted_points import kept_model, model_of_stages, refused
from scipy.signal import correlate
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from noneuclid.embeddings.network_map import NetworkMap, convolved, halved
from noneuclid_compare.models.kept_model import load_model

RNG = np.random.default_rng(0)
LABELS = np.arange(40) % 2
NEAREST = {"use": "sklearn.neighbors.KNeighborsClassifier", "chart": "tangent"}
SHAPE = (6, 4)


def pictures(labels, channels=()):
    """Noise, brighter above for class 1."""
    pixels = RNG.integers(0, 120, size=(len(labels), *SHAPE, *channels))
    pixels[labels == 1, :3] += 90
    return pixels.astype(np.uint8)


PIXELS, NEW = pictures(LABELS), pictures(LABELS[:10])


def save(folder, pixels, names):
    for values, name in zip(pixels, names, strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(values).save(folder / name)
    return folder


def trained(folder, pixels=PIXELS, embedding="lifted_pca", **params):
    names = [f"{('dark', 'light')[label]}/{k}.png" for k, label in enumerate(LABELS)]
    save(folder / "data", pixels, names)
    source = {"use": "image_file", "files": {"data": str(folder / "data")}}
    source["params"] = {"test_fraction": 0.25}
    return model_of_stages(folder, source, embedding, NEAREST, "fixed", **params)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("images"))


@each_of("kind", ["folder", "class folders", "npz", "npy", "idx", "whole numbers"])
def test_new_images_are_labelled_by_every_way_in(predict, tmp_path, kind):
    place, names, options = tmp_path / kind, list(range(10)), []
    place.mkdir()
    path = place / "new"
    if "folder" in kind:
        names = [f"{k % 2}/{k}.png" if "class" in kind else f"{k}.png" for k in range(10)]
        save(path, NEW, names)
        (path / "notes.txt").write_text("x")
    elif kind == "idx":
        path = place / "new-idx3-ubyte"
        path.write_bytes(bytes([0, 0, 8, 3]) + struct.pack(">3i", *NEW.shape) + NEW.tobytes())
    elif kind == "npy":
        path = place / "new.npy"
        np.save(path, NEW)
    else:
        path, options = place / "new.npz", ["--features", "x_test"]
        np.savez(path, x_test=NEW if kind == "npz" else NEW[..., None].astype(np.int64))
    table, said = predict(*options, data=path)
    found = dict(zip(table["sample"], table["predicted"], strict=True))
    assert set(found) == set(names)
    # The same components and neighbours, computed by scikit-learn.
    pca = PCA(2).fit(PIXELS.reshape(40, -1))
    known = KNeighborsClassifier().fit(pca.transform(PIXELS.reshape(40, -1)), LABELS)
    expected = known.predict(pca.transform(NEW.reshape(10, -1)))
    assert [found[name] for name in names] == [("dark", "light")[k] for k in expected]
    assert ("Files that are no images, left out: 1." in said) == ("folder" in kind)


def test_one_picture_and_flattened_rows_are_read(predict, tmp_path, model):
    save(tmp_path, NEW[1:2], ["one.png"])
    table, _ = predict(data=tmp_path / "one.png")
    assert table[["sample", "predicted"]].to_numpy().tolist() == [["one.png", "light"]]
    again, _ = predict(data=NEW[1:2].reshape(1, -1))
    assert again["distance"].tolist() == table["distance"].tolist()
    frame = load_model(model).predict_file(tmp_path / "one.png")
    pandas.testing.assert_frame_equal(frame, table)


def test_an_image_unlike_those_of_training_is_far(predict):
    table, said = predict(data=np.concatenate([NEW[:3], 255 - NEW[:1] // 99]))
    assert table["far"].tolist() == [False, False, False, True]
    assert "1 of 4 samples lie farther" in said


def small(path):
    Image.fromarray(NEW[0, :3]).save(path / "b.png")


def coloured(path):
    Image.fromarray(np.repeat(NEW[0, ..., None], 3, axis=2)).save(path / "b.png")


def transparent(path):
    Image.fromarray(NEW[0]).convert("LA").save(path / "b.png")


def cut(path):
    content = (path / "a.png").read_bytes()
    (path / "b.png").write_bytes(content[: len(content) // 2])


def nothing(path):
    (path / "a.png").unlink()


@each_of(
    ("spoil", "message"),
    [
        (small, r"/b.png has 3 x 4 pixels, every training image has 6 x 4 \(rows x columns\); res"),
        (coloured, r"/b.png is in colour, every training image is grey; save all alike"),
        (transparent, r"/b.png has mode 'LA', or transparent pixels; save all images as grey"),
        (cut, r"/b.png cannot be read as an image .*; save it again, or remove it"),
        (nothing, r"has no image \(.png, .jpg, .jpeg\); give a folder of images"),
    ],
)
def test_a_wrong_folder_is_one_line(predict, tmp_path, spoil, message):
    path = save(tmp_path / spoil.__name__, NEW[:1], ["a.png"])
    spoil(path)
    refused(message, predict, data=path)
    assert not (tmp_path / "out.tsv").exists()


@each_of(
    ("pixels", "message"),
    [
        (NEW[:, :3], r"X has images of shape 3, 4, 1, every training image has 6, 4, 1 \(rows, co"),
        (
            pictures(LABELS, (3,)),
            r"X has images of shape 6, 4, 3, every training image has 6, 4, 1",
        ),
        (NEW / 255, "has pixels of type float64, training images had uint8, so the unit may diff"),
        (NEW.astype("U3"), "X is <U3 of shape"),
        (NEW[0].reshape(-1), r"X is uint8 of shape \(24,\); give numbers \(images, rows, columns"),
        (NEW.reshape(10, -1)[:, 1:], "23 features, but the embedding was made from 24"),
    ],
)
def test_a_wrong_array_is_one_line(predict, pixels, message):
    refused(message, predict, data=pixels)


def test_other_paths_and_other_models_are_one_line(predict, tmp_path):
    (tmp_path / "new.tif").write_bytes(b"x")
    message = "new.tif: give a folder of images, one of .png, .jpg, .jpeg, an .npz of pixels or an"
    refused(message, predict, data=tmp_path / "new.tif")
    refused("does not exist: correct the path", predict, data=tmp_path / "none")
    refused("is a folder: give the path", predict, "--chart", "tangent", data=tmp_path)


def test_a_model_of_points_does_not_read_a_folder(predict, tmp_path):
    save(tmp_path / "new", NEW[:1], ["a.png"])
    path = kept_model(tmp_path / "m.skops", estimator=KNeighborsClassifier())
    message = "m.skops: the model keeps no rule for new rows.*; give points, with --chart NAME"
    refused(message, predict, data=tmp_path / "new", model=path)


def test_convolutions_are_cross_correlations_with_zeros_around():
    values, weight = RNG.normal(size=(3, 2, 5, 7)), RNG.normal(size=(4, 2, 3, 3))
    bias = RNG.normal(size=4)
    found = convolved(values, weight, bias)
    for n in range(3):
        for k in range(4):
            parts = [correlate(values[n, c], weight[k, c], mode="same") for c in range(2)]
            np.testing.assert_allclose(found[n, k], sum(parts) + bias[k], atol=1e-12)
    maxima = halved(values)
    assert maxima.shape == (3, 2, 2, 3)
    assert maxima[1, 1, 1, 2] == values[1, 1, 2:4, 4:6].max()


def test_layers_follow_each_other_and_long_points_are_shortened():
    pixels = RNG.normal(size=(2, *SHAPE, 3))
    layers = {"weight_0": RNG.normal(size=(5, 3, 3, 3)), "bias_0": RNG.normal(size=5)}
    layers |= {"weight_1": RNG.normal(size=(4, 30)), "bias_1": RNG.normal(size=4)}
    layers |= {"weight_2": RNG.normal(size=(2, 4)), "bias_2": RNG.normal(size=2)}
    known = {"mean": np.arange(72.0), "deviation": 2.0, "shape": [*SHAPE, 3], "layers": layers}
    found = NetworkMap(**known).place(2 * pixels.reshape(2, -1) + np.arange(72))
    for row in range(2):
        image = pixels[row].transpose(2, 0, 1)[None]
        values = halved(convolved(image, layers["weight_0"], layers["bias_0"])).clip(0).ravel()
        values = (layers["weight_1"] @ values + layers["bias_1"]).clip(0)
        expected = layers["weight_2"] @ values + layers["bias_2"]
        np.testing.assert_allclose(found[row], expected)
    radius = np.linalg.norm(found, axis=1).mean()
    shortened = NetworkMap(**known, radius=radius).place(2 * pixels.reshape(2, -1) + np.arange(72))
    length = np.linalg.norm(found, axis=1, keepdims=True)
    np.testing.assert_allclose(shortened, found * np.minimum(1, radius / length))


@pytest.mark.parametrize("channels", [(), (3,)])
def test_a_network_places_new_images_as_those_it_has_seen(predict, tmp_path, channels):
    """The rule without PyTorch gives the points that PyTorch gave."""
    pytest.importorskip("torch", reason="PyTorch, the extra 'images', is not installed")
    params = {"channels": [4], "hidden_layer_sizes": [8], "n_components": 2, "radius": 2.0}
    params |= {"learning_rate": 0.01, "n_iter_no_change": 5}
    pixels = pictures(LABELS, channels)
    path = trained(tmp_path, pixels, "hyperbolic_images", **params)
    rule = load_model(path).rule
    assert isinstance(rule, NetworkMap)
    points = np.load(tmp_path / "points.npz")["points"]
    order = sorted(range(40), key=lambda k: (LABELS[k], f"{k}.png"))
    found = rule.place(pixels[order].reshape(40, -1).astype(float))
    np.testing.assert_allclose(found, points, atol=1e-10)
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(2.0)
    save(tmp_path / "new", pictures(LABELS[:10], channels), [f"{k}.png" for k in range(10)])
    table, _ = predict(data=tmp_path / "new", model=path)
    assert (table["predicted"] == np.array(["dark", "light"])[LABELS[:10]]).mean() >= 0.8
