import pytest

from noneuclid.errors import InputError
from noneuclid_compare.jobs.earlier_runs import check_queue, without_records


@pytest.fixture
def queue(tmp_path, monkeypatch):
    """Put a `squeue` on the path that runs these lines of shell, and no other."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    def answer(lines):
        script = tmp_path / "bin/squeue"
        script.write_text(f"#!/bin/sh\n{lines}\n")
        script.chmod(0o755)

    return answer


def test_jobs_of_an_earlier_run_are_named_with_the_cure(tmp_path, queue):
    here, other = tmp_path / "here", tmp_path / "other"
    here.mkdir()
    (tmp_path / "link").symlink_to(here)
    jobs = [
        f"11|rule_prepare_a_acquire|{here}",
        f"12|rule_fits_a_split|{other}",
        f"13|(null)|{here}",
        f"14|rule_page_draw|{tmp_path / 'link'}",
        "15|rule_fits_a_split|(null)",
        f"16_[1-3]|rule_acquire|{here}/",
    ]
    queue(f"printf '%s\\n' {' '.join(map(repr, jobs))}")
    with pytest.raises(InputError, match=r"\(scancel 11 14 16_\[1-3\]\) or wait for their end"):
        check_queue(here)
    check_queue(tmp_path)


def test_without_a_queue_nothing_is_refused(tmp_path, queue):
    check_queue(tmp_path)
    queue(f"echo '1|rule_a|{tmp_path}'; echo 'slurm_load_jobs error' >&2; exit 1")
    check_queue(tmp_path)
    queue("")
    check_queue(tmp_path)


def test_the_queue_is_asked_for_number_comment_and_folder(tmp_path, queue):
    queue(f'echo "$@" > {tmp_path}/asked')
    check_queue(tmp_path)
    assert (tmp_path / "asked").read_text() == "--me --noheader --format=%i|%k|%Z\n"


def test_results_without_their_records_are_told(tmp_path):
    assert without_records(tmp_path) == ""
    (tmp_path / "results/train").mkdir(parents=True)
    assert "is missing: they are used unchanged" in without_records(tmp_path)
    (tmp_path / ".snakemake/metadata").mkdir(parents=True)
    assert without_records(tmp_path)
    (tmp_path / ".snakemake/metadata/abc").touch()
    assert without_records(tmp_path) == ""


def test_comments_with_line_breaks_are_passed_over(tmp_path, queue):
    queue(f"printf '1|my\nnote|/home\n2|rule_a|{tmp_path}\n'")
    with pytest.raises(InputError, match=r"\(scancel 2\)"):
        check_queue(tmp_path)
