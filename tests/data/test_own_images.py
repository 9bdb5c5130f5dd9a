"""Images from pixels: the same pixels by every way in, and one line for what is wrong."""

import gzip
import io
import struct
import tarfile

import numpy as np
import pytest
from cases import each_of
from PIL import Image

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration_checks
from noneuclid_compare.data.files import images
from noneuclid_compare.data.own import image_file
from noneuclid_compare.jobs import file_sizes

RNG = np.random.default_rng(0)
GREY = RNG.integers(0, 256, size=(6, 5, 4), dtype=np.uint8)
COLOUR = RNG.integers(0, 256, size=(6, 5, 4, 3), dtype=np.uint8)
LABELS = np.array(["cat", "dog", "cat", "dog", "dog", "cat"])
ORDER = np.argsort(LABELS, kind="stable")


def folder(path, pixels=GREY, labels=LABELS):
    for row, (values, label) in enumerate(zip(pixels, labels, strict=True)):
        (path / label).mkdir(parents=True, exist_ok=True)
        Image.fromarray(values).save(path / label / f"{row}.png")
    return path


def npz(path, **arrays):
    np.savez(path / "pixels.npz", **arrays)
    return path / "pixels.npz"


def load(path, **settings):
    return image_file.load({"data": path}, 0, **settings)


def refused(message, path, **settings):
    with pytest.raises(InputError, match=message) as caught:
        load(path, **settings)
    assert "\n" not in str(caught.value)


@each_of("pixels", [GREY, COLOUR])
def test_a_folder_and_arrays_give_the_pixels_row_by_row(tmp_path, pixels):
    from_folder = load(folder(tmp_path / "pics", pixels))
    from_arrays = load(npz(tmp_path, X=pixels, y=LABELS))
    assert from_folder.kind == "images"
    assert from_folder.class_names == from_arrays.class_names == ("cat", "dog")
    assert from_folder.about["image_shape"] == [5, 4, pixels[..., None].shape[3]]
    np.testing.assert_array_equal(from_arrays.features, pixels.reshape(6, -1))
    np.testing.assert_array_equal(from_folder.features, from_arrays.features[ORDER])
    np.testing.assert_array_equal(from_folder.labels, from_arrays.labels[ORDER])
    assert from_folder.fixed_fold is None


def test_jpeg_palette_and_black_and_white_are_read(tmp_path):
    flat = np.full((8, 8, 3), 204, dtype=np.uint8)
    for label in ("a", "b"):
        (tmp_path / label).mkdir()
        Image.fromarray(flat).save(tmp_path / label / "1.JPG")
        Image.fromarray(flat).convert("P").save(tmp_path / label / "2.png")
    assert (np.abs(load(tmp_path).features - 204) <= 3).all()
    for file in images.files_of(tmp_path):
        file.unlink()
    for label in ("a", "b"):
        Image.fromarray(flat[..., 0] > 0).save(tmp_path / label / "1.png")
    assert (load(tmp_path).features == 255).all()


def test_folders_and_arrays_of_a_split_are_one(tmp_path):
    for part, rows in (("train", slice(4)), ("test", slice(4, 6))):
        folder(tmp_path / "pics" / part, GREY[rows], LABELS[rows])
    split = {"x_train": GREY[:4], "y_train": LABELS[:4, None]}
    split |= {"x_test": GREY[4:], "y_test": LABELS[4:]}
    from_arrays = load(npz(tmp_path, **split))
    assert from_arrays.fixed_fold.tolist() == [0, 0, 0, 0, 1, 1]
    np.testing.assert_array_equal(from_arrays.features, GREY.reshape(6, -1))
    from_folder = load(tmp_path / "pics")
    assert from_folder.fixed_fold.tolist() == [0, 0, 0, 0, 1, 1]
    assert (
        np.sort(from_folder.features[4:], axis=0).tolist()
        == np.sort(from_arrays.features[4:], axis=0).tolist()
    )
    refused("has a split of its own; leave test_fraction out", tmp_path / "pics", test_fraction=0.5)


def test_test_fraction_draws_a_split_by_the_seed(tmp_path):
    path = npz(tmp_path, X=np.zeros((40, 2, 2)), y=np.repeat([0, 1], 20))
    folds = [
        image_file.load({"data": path}, seed, test_fraction=0.25).fixed_fold for seed in (0, 0, 1)
    ]
    assert [fold[:20].sum() for fold in folds] == [fold[20:].sum() for fold in folds] == [5] * 3
    assert folds[0].tolist() == folds[1].tolist() != folds[2].tolist()


def idx(values):
    shape = struct.pack(f">{values.ndim}i", *values.shape)
    return bytes([0, 0, 8, values.ndim]) + shape + values.tobytes()


def test_idx_files_are_read_as_their_format_says(tmp_path):
    codes = (LABELS == "dog").astype(np.uint8)
    contents = {"train_images": GREY[:4], "train_labels": codes[:4]}
    contents |= {"test_images": GREY[4:], "test_labels": codes[4:]}
    files = {role: tmp_path / role for role in contents}
    for role, values in contents.items():
        packed = idx(values)
        files[role].write_bytes(gzip.compress(packed) if "images" in role else packed)
    data = image_file.load(files, 0, class_names=["cat", "dog"])
    np.testing.assert_array_equal(data.features, GREY.reshape(6, -1))
    assert data.labels.tolist() == codes.tolist()
    assert data.class_names == ("cat", "dog")
    assert data.fixed_fold.tolist() == [0, 0, 0, 0, 1, 1]
    with pytest.raises(InputError, match="no file test_labels; give train_images"):
        image_file.load({k: v for k, v in files.items() if k != "test_labels"}, 0)
    with pytest.raises(InputError, match=r"has 2 classes but class_names is \['cat'\]"):
        image_file.load(files, 0, class_names=["cat"])
    files["test_labels"].write_bytes(idx(codes[4:])[:-1])
    with pytest.raises(InputError, match="has 9 bytes, its head says 10; download it again"):
        image_file.load(files, 0)


def cifar(path, batches, names=b"cat\ndog\n"):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in {**batches, "batches.meta.txt": names}.items():
            member = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def test_cifar_keeps_the_channels_of_each_pixel_together(tmp_path):
    pixels = RNG.integers(0, 256, size=(12, 3, 32, 32), dtype=np.uint8)
    records = [bytes([k % 2]) + values.tobytes() for k, values in enumerate(pixels)]
    names = [*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin"]
    batches = {name: records[2 * k] + records[2 * k + 1] for k, name in enumerate(names)}
    data = load(cifar(tmp_path / "c.tar.gz", batches))
    assert data.about["image_shape"] == [32, 32, 3]
    assert data.labels.tolist() == [0, 1] * 6
    assert data.class_names == ("cat", "dog")
    assert data.fixed_fold.tolist() == [0] * 10 + [1] * 2
    found = data.features.reshape(12, 32, 32, 3)
    assert found[5, 7, 9].tolist() == pixels[5, :, 7, 9].tolist()
    np.testing.assert_array_equal(found, pixels.transpose(0, 2, 3, 1))
    batches["data_batch_3.bin"] += b"x"
    refused("data_batch_3.bin has 6147 bytes", cifar(tmp_path / "d.tar.gz", batches))
    del batches["data_batch_3.bin"]
    refused("has no file 'data_batch_3.bin'", cifar(tmp_path / "e.tar.gz", batches))


def another_size(path):
    Image.fromarray(GREY[0, :3]).save(path / "dog/9.png")


def another_mode(path):
    Image.fromarray(COLOUR[0]).save(path / "dog/9.png")


def transparent(path):
    Image.fromarray(COLOUR[0]).convert("RGBA").save(path / "dog/9.png")


def cut_short(path):
    content = (path / "dog/1.png").read_bytes()
    (path / "dog/1.png").write_bytes(content[: len(content) // 2])


def no_image(path):
    (path / "dog/1.png").write_bytes(b"text")


def empty_class(path):
    (path / "bird").mkdir()


def deeper(path):
    (path / "dog/old").mkdir()


def beside(path):
    Image.fromarray(GREY[0]).save(path / "9.png")


@each_of(
    ("spoil", "message"),
    [
        (another_size, r"dog/9.png has 3 x 4 pixels, .*cat/0.png has 5 x 4 \(rows x columns\)"),
        (another_mode, r"dog/9.png is in colour, .*cat/0.png is grey; save all alike"),
        (transparent, r"dog/9.png has mode 'RGBA', or transparent pixels; save all images"),
        (cut_short, r"dog/1.png cannot be read as an image .*; save it again, or remove it"),
        (no_image, r"dog/1.png cannot be read as an image"),
        (empty_class, r"bird has no image \(.png, .jpg, .jpeg\): add some, or remove the folder"),
        (deeper, r"dog/old is a folder in a class folder; move its images up"),
        (beside, r"9.png is in no class folder, and 0 more; move each image"),
    ],
)
def test_a_wrong_folder_is_one_line(tmp_path, spoil, message):
    path = folder(tmp_path / spoil.__name__)
    spoil(path)
    refused(message, path)


@each_of(
    ("arrays", "settings", "message"),
    [
        ({"X": GREY, "y": LABELS[:5]}, {}, r"has 6 images, their labels have shape \(5,\)"),
        ({"X": GREY.reshape(6, -1), "y": LABELS}, {}, r"X is uint8 of shape \(6, 20\); give num"),
        ({"X": GREY.astype("U3"), "y": LABELS}, {}, r"X is <U3 of shape"),
        (
            {"X": np.zeros((6, 3, 5, 5)), "y": LABELS},
            {},
            r"channels before rows; give X.transpose\(0, 2, 3, 1\)",
        ),
        ({"X": np.full((6, 2, 2), np.nan), "y": LABELS}, {}, "row 0, column 0 are nan"),
        ({"X": GREY, "y": LABELS}, {"max_gb": 1e-9}, "take 0.0 GB, more than max_gb = 1e-09"),
        ({"X": GREY, "y": ["a"] * 6}, {}, "one class only"),
        ({"X": GREY, "y": LABELS}, {"label": "z"}, "has no array 'z'; it has: X, y"),
    ],
)
def test_wrong_arrays_are_one_line(tmp_path, arrays, settings, message):
    refused(message, npz(tmp_path, **arrays), **settings)


def test_other_paths_are_one_line(tmp_path):
    refused("does not exist: correct the path", tmp_path / "none")
    refused("has no folder of images; give one folder for each class", tmp_path)
    (tmp_path / "x.bmp").write_bytes(b"x")
    refused("x.bmp: give a folder with one folder of images", tmp_path / "x.bmp")


def test_other_files_are_left_out_and_reported(tmp_path):
    path = folder(tmp_path / "pics")
    (path / "dog/Thumbs.db").write_bytes(b"x")
    (path / "dog/.hidden").write_bytes(b"x")
    assert load(path).about["oddities"] == ["Files that are no images, left out: 1."]


def test_a_configuration_may_name_a_folder_of_images_only_for_their_loader(tmp_path):
    folder(tmp_path / "pics")
    entry = {"use": "image_file", "files": {"data": "pics"}}
    configuration_checks.check_files({"mine": entry}, (), tmp_path)
    with pytest.raises(InputError, match="pics is a folder: give the path of a file"):
        configuration_checks.check_files({"mine": entry | {"use": "array_file"}}, (), tmp_path)


def test_memory_follows_the_pixels_of_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(file_sizes, "DEFAULT_MB", 0)
    monkeypatch.setattr(file_sizes, "PROCESS_MB", 0)
    large = np.zeros((2, 500, 500), dtype=np.uint8)
    path = folder(tmp_path / "pics", large, LABELS[:2])
    asked = file_sizes.acquire_mb([path], {}, "image_file")
    assert asked == np.ceil(1.5 * 16 * 2 * 500 * 500 / 1e6)
