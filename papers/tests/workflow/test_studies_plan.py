import json
import os
import re
import shutil

import loaded_snakemake
import pytest
import yaml
from paper_mirror import ROOT

ARGUMENT = 131_072
pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("studies")]


class Plan:
    """The workflow of the papers on a configuration, in a folder where nothing has run."""

    def __init__(self, directory):
        self.folder, self.directory = ROOT, directory
        self.config = directory / "tiny.yaml"
        shutil.copy(ROOT / "tests/config/tiny.yaml", self.config)

    def run(self, *options):
        snakefile = ROOT / "papers/workflow/Snakefile"
        words = ["--snakefile", str(snakefile), "--cores", "2", "--configfile", str(self.config)]
        return loaded_snakemake.start().run([*words, *options], self.directory, dict(os.environ))

    def planned(self, *options):
        """Sorted outputs (the first of each job) that a dry run would make."""
        done = self.run("--dry-run", *options)
        text = done.stdout + done.stderr
        assert done.returncode == 0, text
        return sorted(re.findall(r"^ +output: ([^,\n]+)", text, flags=re.M))


@pytest.fixture
def fresh(tmp_path):
    return Plan(tmp_path)


@pytest.mark.parametrize(
    ("name", "datasets", "files"),
    [("studies/gaussians_quick", 10, 0), ("cho2019_figure_3_quick", 18, 4)],
)
def test_quick_studies_plan(fresh, name, datasets, files):
    fresh.config.write_text((fresh.folder / f"papers/config/{name}.yaml").read_text())
    outputs = fresh.planned("results/study/tests.tsv")
    assert "results/study/pairs.tsv" in outputs
    assert "results/evaluate/scores.parquet" in outputs
    # acquire, embed, split once for each data set, train twice; plan, evaluate, study; no drawing.
    assert len(outputs) == files + 5 * datasets + 3
    assert not any(output.startswith("results/draw") for output in outputs)


@pytest.mark.slow
def test_the_page_of_a_study_has_few_disks(fresh):
    config = fresh.folder / "papers/config/cho2019_figure_3_quick.yaml"
    fresh.config.write_text(config.read_text())
    outputs = fresh.planned()
    assert "results/report/index.html" in outputs
    assert "results/study/pairs.tsv" in outputs
    assert sum(output.startswith("results/draw") for output in outputs) == 12


@pytest.mark.slow
def test_commands_of_many_jobs_stay_short(fresh):
    name = "a_data_set_whose_name_is_long_" * 3 + "{number}"
    datasets, methods, repeats = 75, 5, 4
    config = yaml.safe_load(
        (fresh.folder / "papers/config/studies/gaussians_quick.yaml").read_text()
    )
    (entry,) = config["datasets"].values()
    config["datasets"] = {name: entry | {"each": {"number": datasets}}}
    method = config["methods"][config.pop("study")["second"]]
    config["methods"] = {f"method_{k}": method for k in range(methods)}
    config["repeats"] = repeats
    del config["published"]
    fresh.config.write_text(json.dumps(config))
    done = fresh.run("--dry-run", "--printshellcmds", "results/report/index.html")
    assert done.returncode == 0, done.stdout + done.stderr
    commands = re.findall(r"^ *(?:Shell command: )?(python -m .*)", done.stdout, flags=re.M)
    # acquire, embed and draw; split and train
    assert len(commands) == (3 + repeats * (1 + methods)) * datasets + 2
    # The names of the runs alone are longer than Linux allows an argument of a command to be.
    assert methods * repeats * datasets * len(name.format(number=1)) > ARGUMENT
    # So a command that named every data set would be too long here.
    assert 20 * max(map(len, commands)) < ARGUMENT


@pytest.mark.slow
def test_a_study_is_refused_without_its_two_methods(fresh):
    done = fresh.run("--dry-run", "results/study/tests.tsv")
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert "the configuration has no `study:`, on which" in text


def test_a_data_set_may_give_the_seed_of_its_fits(fresh):
    config = yaml.safe_load(
        (fresh.folder / "papers/config/studies/gaussians_quick.yaml").read_text()
    )
    (name,) = config["datasets"]
    seeds = []
    for given in ({}, {"fit_seed": 7}):
        config["datasets"][name] |= given
        fresh.config.write_text(json.dumps(config))
        done = fresh.run("--dry-run", "--printshellcmds", "results/evaluate/scores.parquet")
        assert done.returncode == 0, done.stdout + done.stderr
        trained = [line for line in done.stdout.splitlines() if ".run_stage train " in line]
        seeds.append([re.search(r" --seed (\d+) ", line)[1] for line in trained])
    assert len(set(seeds[0])) == len(seeds[0]) > 1
    assert set(seeds[1]) == {"7"}
