"""What SLURM adds to a run: wall and CPU seconds, locally, with one job a fit, and with groups.

    python benchmarks/slurm.py [--datasets 10] [--folds 10] [--parallel 2] [--rounds 1]

Ten methods of config/config.yaml on mixtures of hyperbolic Gaussians. Needs a cluster that answers
`sinfo` on this machine and runs nothing else; as many jobs run at a time as locally, for each asks
for its share of the node's memory. The CPU seconds tell the same on a busy machine, but not what is
spent waiting. Results: benchmarks/slurm.tsv, a row for each run.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[1]
RULES = ["acquire", "embed", "split", "train", "train_and_keep", "draw", "evaluate", "report"]
METHODS = ["forest", "hyperbolic_forest", "tree", "hyperbolic_tree", "euclidean_svm", "logistic"]
METHODS += ["poincare_svm", "hyperboloid_svm", "hyperboloid_svm_pgd", "poincare_perceptron"]
# What SLURM's jobs have used, where it counts by control groups.
USAGE = Path("/sys/fs/cgroup/cpuacct")


def configuration(datasets, folds):
    default = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    mixtures = {
        f"gaussians_{i}": {
            "use": "hyperbolic_gaussians",
            "params": {"n_classes": 4, "n_samples_per_class": 200 + 20 * i, "n_features": 2},
            "embeddings": ["given"],
        }
        for i in range(datasets)
    }
    return {key: default[key] for key in ("seed", "repeats", "search")} | {
        "splits": {"scheme": "stratified_kfold", "folds": folds},
        "datasets": mixtures,
        "embeddings": {"given": default["embeddings"]["given"]},
        "methods": {name: default["methods"][name] for name in METHODS},
        "report": {"title": "Scheduling", "metric": "balanced_accuracy"},
    }


def slurm(parallel):
    partition, memory = subprocess.check_output(
        ["sinfo", "--noheader", "--format", "%R %m"], text=True
    ).split()[:2]
    share = int(memory.rstrip("+")) // parallel
    profile = ROOT / "workflow/profiles/slurm"
    needs = ["--set-resources", *(f"{rule}:mem_mb={share}" for rule in RULES)]
    return ["--workflow-profile", str(profile), "--default-resources", "mem_mb=1000",
            f"slurm_partition={partition}", "runtime=30", *needs]  # fmt: skip


def used():
    """CPU seconds of ended children, and of all jobs of SLURM."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    jobs = sum(int(path.read_text()) for path in USAGE.glob("slurm*/cpuacct.usage"))
    return usage.ru_utime + usage.ru_stime + jobs / 1e9


def run(config, options):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.yaml"
        file.write_text(json.dumps(config))
        command = [
            sys.executable,
            "-m",
            "snakemake",
            "--snakefile",
            str(ROOT / "workflow/Snakefile"),
        ]
        command += ["--configfile", str(file), "--directory", folder, *options]
        before, start = used(), time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        wall, cpu = time.perf_counter() - start, used() - before
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        records = [
            json.loads(p.read_text()) for p in Path(folder).glob("results/train/*/*/*/*.json")
        ]
        fitting = sum(
            fold["fit_seconds"] + fold["search_seconds"]
            for record in records
            for fold in record["folds"]
        )
        submitted = len(re.findall("SLURM jobid", done.stdout + done.stderr))
        return len(records), round(fitting, 1), submitted, round(wall, 1), round(cpu, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=10)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--parallel", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    args = parser.parse_args()
    os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    config = configuration(args.datasets, args.folds)
    # A group for each rule: no job depends on another of its rule, so each is submitted alone.
    alone = ["--groups", *(f"{rule}=alone_{rule}" for rule in RULES)]
    ways = {
        "local": ["--cores", str(args.parallel)],
        "slurm, groups": slurm(args.parallel),
        "slurm, one job each": slurm(args.parallel) + alone,
    }
    columns = ["datasets", "folds", "round", "how", "parallel"]
    columns += ["fits", "fit_seconds", "jobs", "wall", "cpu", "load"]
    rows = []
    for again in range(args.rounds):
        for how, options in ways.items():
            row = [args.datasets, args.folds, again, how, args.parallel, *run(config, options)]
            row.append(round(os.getloadavg()[1], 1))
            print(*row, flush=True)
            rows.append(row)
            # After each run, for the machine may be needed before the last.
            table = pd.DataFrame(rows, columns=columns)
            for name in ("wall", "cpu"):
                work = table[name].where(table["how"] == "local").ffill()
                table[f"{name}_added"] = (table[name] / work - 1).round(3)
            table.to_csv(ROOT / "benchmarks/slurm.tsv", sep="\t", index=False)


if __name__ == "__main__":
    main()
