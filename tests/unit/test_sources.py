import hashlib
import http.server
import threading

import pytest

from noneuclid.contracts import InputError
from noneuclid.sources import Source, obtain

CONTENT = bytes(range(256)) * 40


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

    class Handler(http.server.BaseHTTPRequestHandler):
        requests = 0

        def do_GET(self):
            type(self).requests += 1
            start = int(self.headers.get("Range", "bytes=0-")[6:-1])
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(CONTENT) - start))
            self.end_headers()
            end = 5000 if type(self).requests == 1 else len(CONTENT)
            self.wfile.write(CONTENT[start:end])

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
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


def test_a_failed_download_says_what_to_do(tmp_path):
    with pytest.raises(InputError, match=r"2 attempts .* --config mirror=FOLDER"):
        obtain(source(), None, tmp_path / "out.bin", attempts=2, pause=0)
    assert not (tmp_path / "out.bin").exists()
