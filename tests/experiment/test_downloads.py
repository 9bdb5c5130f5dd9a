import hashlib
import http.server
import re
import threading
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from cases import each_of
from paper_mirror import MIRROR, needs_mirror

from noneuclid.errors import InputError
from noneuclid_compare import __main__ as command_line
from noneuclid_compare.data import downloads
from noneuclid_compare.data.downloads import (
    MISSING,
    Source,
    check_mirror,
    checksum_of_own,
    checksums,
    obtain,
    read_sources,
    verify,
)
from noneuclid_compare.jobs import locations
from noneuclid_compare.stages import fetch
from noneuclid_papers.data.licences import NON_COMMERCIAL

CONTENT = bytes(range(256)) * 40
LISTED = read_sources(*locations.tables("sources.tsv"))
# Atlases were never downloaded here, so nobody could verify them.
ATLASES = {path: entry for path, entry in LISTED.items() if path.startswith("atlases/")}
IMAGES = {path: entry for path, entry in LISTED.items() if path.startswith("images/")}
# Points in product spaces, converted from archives of torch.
CONVERTED = {path: entry for path, entry in LISTED.items() if entry.url.startswith("none: ")}
APART = ATLASES | IMAGES | CONVERTED
TABLE = {path: entry for path, entry in LISTED.items() if path not in APART}
# Of these only the first are in a mirror of the papers' data.
PARTS = {"hyplinear/gaussian/data_": 50, "hyplinear/randnet/": 6, "hyplinear/realnet/": 3}
REST = {
    path
    for path in TABLE
    for start, last in PARTS.items()
    if path.startswith(start) and int(re.findall(r"\d+", path)[-1]) > last
}
# Abbreviated by those who keep the files; the full names of these two commits are not known here.
SHORT = {"pchlenski/manify": "2f640d7", "hhcho/hyplinear": "22b11da"}
REPOSITORIES = {
    "PoincareLinearClassification": "thupchnsky/PoincareLinearClassification",
    "PoincareMaps": "facebookresearch/PoincareMaps",
    "hsvm-relax": "yangshengaa/hsvm-relax",
    "hyperdt": "pchlenski/hyperdt",
    "hyplinear": "hhcho/hyplinear",
    "manify": "pchlenski/manify",
}
# The coordinates are those of Poincaré maps, whatever the repository that copies them says.
COPIED = ("krumsiek", "moignard", "myeloidprogenitors", "paul")


def source(url="http://127.0.0.1:9/none", content=CONTENT):
    digest = hashlib.sha256(content).hexdigest()
    return Source("folder/file.bin", url, digest, len(content), "MIT", "somebody 2020")


@pytest.fixture
def mirror(tmp_path):
    (tmp_path / "mirror/folder").mkdir(parents=True)
    (tmp_path / "mirror/folder/file.bin").write_bytes(CONTENT)
    return tmp_path / "mirror"


@pytest.fixture
def server():
    """A server on loopback that breaks the first transfer off in the middle."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        requests, end = 0, len(CONTENT)

        def do_GET(self):
            type(self).requests += 1
            asked.append(self.path)
            start = int(self.headers.get("Range", "bytes=0-")[6:-1])
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(CONTENT) - start))
            self.end_headers()
            end = 5000 if type(self).requests == 1 else self.end
            self.wfile.write(CONTENT[start:end])

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Handler.asked = asked
    yield f"http://127.0.0.1:{server.server_port}/file.bin", Handler
    server.shutdown()


def test_copy_from_the_mirror(tmp_path, mirror):
    obtain(source(), mirror, tmp_path / "out.bin")
    assert (tmp_path / "out.bin").read_bytes() == CONTENT


def test_missing_in_the_mirror(tmp_path):
    with pytest.raises(InputError, match=r"the mirror has no .*file\.bin"):
        obtain(source(), tmp_path, tmp_path / "out.bin")
    assert not (tmp_path / "out.bin").exists()


def test_truncated_in_the_mirror(tmp_path, mirror):
    (mirror / "folder/file.bin").write_bytes(CONTENT[:-1])
    with pytest.raises(InputError, match=r"file\.bin is truncated: 10239 of 10240 bytes"):
        obtain(source(), mirror, tmp_path / "out.bin")
    assert not (tmp_path / "out.bin").exists()


def test_altered_in_the_mirror(tmp_path, mirror):
    (mirror / "folder/file.bin").write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(InputError, match=r"file\.bin has sha256 .* expected .*altered"):
        obtain(source(), mirror, tmp_path / "out.bin")
    assert not (tmp_path / "out.bin").exists()


def test_a_broken_download_resumes(tmp_path, server):
    url, handler = server
    obtain(source(url), None, tmp_path / "out.bin", pause=0)
    assert (tmp_path / "out.bin").read_bytes() == CONTENT
    assert handler.requests == 2


def test_a_download_that_is_always_cut_leaves_nothing(tmp_path, server):
    url, handler = server
    handler.end = len(CONTENT) // 2
    message = (
        r"file\.bin could not be downloaded in 3 attempts \(the connection closed early\): try"
    )
    with pytest.raises(InputError, match=message):
        obtain(source(url), None, tmp_path / "out.bin", attempts=3, pause=0)
    assert handler.requests == 3
    assert not list(tmp_path.iterdir())


def test_an_altered_download_leaves_nothing(tmp_path, server):
    url, _ = server
    with pytest.raises(InputError, match=r"file\.bin has sha256 .* expected .*altered"):
        obtain(source(url, CONTENT[:-1] + b"x"), None, tmp_path / "out.bin", pause=0)
    assert not list(tmp_path.iterdir())


def test_a_failed_download_says_what_to_do(tmp_path):
    with pytest.raises(InputError, match=r"2 attempts .* --config mirror=FOLDER"):
        obtain(source(), None, tmp_path / "out.bin", attempts=2, pause=0)
    assert not (tmp_path / "out.bin").exists()


def test_fetch_advises_an_option_that_it_has(tmp_path, monkeypatch):
    broken = replace(source(), path="a/b.bin")
    monkeypatch.setattr(downloads, "read_sources", lambda *_: {"a/b.bin": broken})
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.delenv("NONEUCLID_MIRROR", raising=False)
    with pytest.raises(InputError, match=r"a folder that holds a/b.bin with --mirror FOLDER$"):
        command_line.run(["fetch", "a/b.bin", "--directory", str(tmp_path)])


def test_an_equals_sign_in_a_name_survives_the_download(tmp_path, server):
    url, handler = server
    name = "Olsson_sigma=1.00_lr=0.03 (é).csv"
    obtain(source(url.replace("file.bin", name)), None, tmp_path / "out.bin", pause=0)
    assert (tmp_path / "out.bin").read_bytes() == CONTENT
    assert unquote(handler.asked[0]) == f"/{name}"
    assert handler.asked[0].isascii()
    assert " " not in handler.asked[0]


@each_of("entry", TABLE.values(), ids=lambda entry: entry.path)
def test_every_source_is_pinned_and_described(entry):
    parts = re.fullmatch(
        r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([0-9a-f]+)/(.+)", entry.url
    )
    repository, commit, place = parts.groups()
    folder = Path(entry.path).parts[0]
    assert repository == REPOSITORIES[folder]
    assert len(commit) == 40 or commit == SHORT[repository]
    assert Path(place).name == Path(entry.path).name
    assert re.fullmatch("[0-9a-f]{64}", entry.sha256)
    assert entry.bytes > 0
    assert re.search(r"20\d\d|19\d\d|unpublished", entry.citation)
    copied = folder == "hsvm-relax" and Path(entry.path).parts[1] in COPIED
    assert (entry.licence == NON_COMMERCIAL) == (folder == "PoincareMaps" or copied)


def test_atlases_say_that_their_checksums_are_missing():
    assert len(ATLASES) == 2
    for entry in ATLASES.values():
        assert (entry.sha256, entry.bytes) == (MISSING, 0)
        assert entry.url.startswith("https://")
        assert re.search(r", 20\d\d$", entry.citation)


def test_archives_of_images_are_pinned():
    assert len(IMAGES) == 9
    assert len({entry.sha256 for entry in IMAGES.values()}) == 9
    for entry in IMAGES.values():
        assert re.fullmatch("[0-9a-f]{64}", entry.sha256)
        assert entry.bytes > 0
        assert Path(entry.url).name == Path(entry.path).name
        assert re.search(r", \d{4}$", entry.citation)


def test_a_download_without_checksum_reports_the_one_to_pin(tmp_path, server, capsys):
    url, handler = server
    unknown = replace(source(url), sha256=MISSING, bytes=0)
    obtain(unknown, None, tmp_path / "out.bin", pause=0)
    # The first transfer broke off; the server says how much is left.
    assert handler.requests == 2
    assert (tmp_path / "out.bin").read_bytes() == CONTENT
    said = capsys.readouterr().err
    assert f"It has {len(CONTENT)} bytes and sha256 {source().sha256}: compare" in said
    assert "resources/sources.tsv has no checksum of folder/file.bin" in said


def test_a_file_that_was_fetched_unverified_must_not_change(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sources = {"folder/file.bin": replace(source(), sha256=MISSING)}
    files = {"data": "folder/file.bin"}
    assert checksums(files, sources) == {"data": ""}
    (tmp_path / "resources/data/folder").mkdir(parents=True)
    (tmp_path / "resources/data/folder/file.bin").write_bytes(CONTENT)
    assert checksums(files, sources) == {"data": source().sha256}


def test_the_checksum_of_a_folder_follows_names_and_contents_of_its_images(tmp_path):
    for name in ("a/1.png", "b/2.png", "b/note.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    first = checksum_of_own(tmp_path)
    (tmp_path / "b/note.txt").write_bytes(b"y")
    assert checksum_of_own(tmp_path) == first
    (tmp_path / "b/2.png").write_bytes(b"y")
    second = checksum_of_own(tmp_path)
    (tmp_path / "b/2.png").rename(tmp_path / "a/2.png")
    assert len({first, second, checksum_of_own(tmp_path)}) == 3
    assert checksum_of_own(tmp_path / "b") == checksum_of_own(tmp_path / "none") == ""


def test_few_sources_are_pinned_by_a_short_commit():
    short = [path for path, entry in TABLE.items() if len(entry.url.split("/")[5]) < 40]
    assert len(short) == 10
    assert all(p.startswith("manify/") or p.endswith("polblogs_data_1.mat") for p in short)


@needs_mirror
def test_the_table_lists_every_data_file_of_the_mirror():
    files = {str(path.relative_to(MIRROR)) for path in MIRROR.rglob("*") if path.is_file()}
    # Scores of the authors, tables without a configuration, and converted points.
    files = {name for name in files if name in TABLE or not name.startswith("manify/")}
    assert set(CONVERTED) <= {str(path.relative_to(MIRROR)) for path in MIRROR.rglob("*")}
    texts = {name for name in files if Path(name).name in ("README.md", "MANIFEST.tsv", "LICENSE")}
    assert set(TABLE) - REST <= files - texts <= set(TABLE)
    assert (len(TABLE), len(REST)) == (207, 66)


@needs_mirror
@each_of("entry", (TABLE | CONVERTED).values(), ids=lambda entry: entry.path)
def test_the_mirror_holds_what_the_table_says(entry):
    if entry.path in REST and not (MIRROR / entry.path).exists():
        pytest.skip(f"{entry.path} is not in the mirror {MIRROR}")
    verify(MIRROR / entry.path, entry, entry.path)


@needs_mirror
def test_fetch_announces_licence_and_citation(tmp_path, capsys):
    path = "hsvm-relax/paul/y.npy"
    output = tmp_path / "y.npy"
    fetch.main(["--path", path, "--mirror", str(MIRROR), "--output", str(output)])
    said = capsys.readouterr().out
    assert "non-commercial use only" in said
    assert "Paul et al." in said
    assert output.read_bytes() == (MIRROR / path).read_bytes()


@pytest.mark.parametrize("mirror", [None, "", "."])
def test_a_mirror_is_a_folder_or_none(mirror):
    check_mirror(mirror)


def test_a_mirror_that_is_not_there_is_told_before_anything_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=rf"no folder {tmp_path}/data; a relative path counts"):
        check_mirror("data")
