rule report:
    input:
        plan="results/evaluate/plan.json",
        scores="results/evaluate/scores.parquet",
        runs="results/evaluate/runs.json",
        points=fill("results/embed/{}/{}.npz", DRAWN),
        disks=fill("results/draw/{}/{}.npz", DRAWN),
        pictures=fill("results/report/figures/disk/{}/{}.svg", DRAWN),
        # Folds and predictions of the first repeat, for cards and calibration.
        folds=[f"results/split/{dataset}/0.npz" for dataset in dict(DRAWN)],
        predictions=fill(
            "results/train/{}/{}/{}/0.npz", [run for run in TRAINED if run[:2] in DRAWN]
        ),
        study=(
            expand("results/study/{name}", name=["tests.tsv", "differences.svg", "scatter.svg"])
            if "study" in config
            else []
        ),
        pairs=["results/paired_tests/section.json"] if "paired_tests" in config else [],
        gaps=(
            expand(
                "results/gaps/{name}", name=["certificates.tsv", "bounds.svg", "hyperplanes.svg"]
            )
            if CERTIFIED
            else []
        ),
        published=(
            expand("results/published/{name}", name=["section.json", "reproduced.svg"])
            if "published" in config
            else []
        ),
        illustrations=expand("results/illustrate/{name}.json", name=ILLUSTRATIONS),
    output:
        page="results/report/index.html",
        league=report(
            "results/report/tables/league.tsv",
            caption="../report/league.rst",
            category="Who wins",
            labels={"table": "league"},
        ),
        tests=report(
            "results/report/tables/tests.tsv",
            caption="../report/tests.rst",
            category="Who wins",
            labels={"table": "the leader against every other"},
        ),
        kinds=report(
            "results/report/tables/kinds.tsv",
            caption="../report/kinds.rst",
            category="Who wins",
            labels={"table": "which method for which data"},
        ),
        by_dataset="results/report/tables/scores_by_dataset.tsv",
        confusion="results/report/tables/confusion.tsv",
        calibration="results/report/tables/calibration.tsv",
        exponents=report(
            "results/report/tables/scale.tsv",
            caption="../report/scale.rst",
            category="Scale",
            labels={"table": "exponents"},
        ),
        latex=expand("results/report/tables/{name}.tex", name=["league", "tests", "kinds", "scale"]),
        data=expand("results/report/figures/{name}.tsv", name=["league", "accuracy_time", "scale"]),
        figures=report(
            multiext("results/report/figures/league", ".png", ".svg", ".pdf"),
            caption="../report/league.rst",
            category="Who wins",
            labels={"figure": "critical differences"},
        ),
        times=report(
            multiext("results/report/figures/accuracy_time", ".png", ".svg", ".pdf"),
            caption="../report/accuracy_time.rst",
            category="Who wins",
            labels={"figure": "accuracy against time"},
        ),
        scale=report(
            multiext("results/report/figures/scale", ".png", ".svg", ".pdf"),
            caption="../report/scale.rst",
            category="Scale",
            labels={"figure": "time and memory"},
        ),
        sweep=(
            multiext("results/report/figures/sweep", ".png", ".svg", ".pdf", ".tsv")
            if "sweep" in config["report"]
            else []
        ),
    log:
        "results/logs/report.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(2000, 20)),
    params:
        metric=config["report"]["metric"],
        # Functions, for Snakemake would fill in the braces of a text.
        title=lambda wildcards: config["report"]["title"],
        note=lambda wildcards: config["report"].get("note", ""),
        # To mark results of older code.
        codes=lambda wildcards: as_json(
            {method: code("train", method=[entry]) for method, entry in METHODS.items()}
        ),
        groups=lambda wildcards: as_json(
            {name: data["group"] for name, data in DATASETS.items() if "group" in data}
        ),
        sweep=lambda wildcards: job_arguments.sweep_option(config["report"].get("sweep")),
        illustrations=list(ILLUSTRATIONS),
        code=lambda wildcards: (
            f"{code('report')}-"
            + provenance.digest_of_files(ROOT / "src/noneuclid/reporting/templates")
        ),
    shell:
        "python -m noneuclid.stages.fork report --plan {input.plan:q} --metric {params.metric:q}"
        " --title={params.title:q}"
        " {params.sweep} --codes {params.codes:q} --groups {params.groups:q} --study {input.study:q} --pairs {input.pairs:q} --gaps {input.gaps:q}"
        " --published {input.published:q} --note={params.note:q} --illustrations {params.illustrations:q}"
        " --results results --output results/report &> {log:q}"
