rule report:
    input:
        plan="results/evaluate/plan.json",
        scores="results/evaluate/scores.parquet",
        runs="results/evaluate/runs.json",
        points=pair_files("results/embed/{}/{}.npz"),
        disks=pair_files("results/draw/{}/{}.npz"),
        pictures=pair_files("results/report/figures/disk/{}/{}.svg"),
        folds=split_files(),
        predictions=drawn_predictions(),
        study=study_files(),
        pairs=paired_tests_files(),
        gaps=gaps_files(),
        published=published_files(),
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
        data=[
            f"results/report/figures/{entry.name}.tsv"
            for entry in figure_list.entries("report", config["report"])
        ],
        figures=page_figures("report", "results/report/figures"),
    log:
        "results/logs/report.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        metric=config["report"]["metric"],
        title=report_title,
        note=report_note,
        codes=current_codes,
        groups=groups_of_data,
        sweep=sweep_argument,
        illustrations=list(ILLUSTRATIONS),
        code=report_code,
    shell:
        "python -m noneuclid.stages.fork report --plan {input.plan:q} --metric {params.metric:q}"
        " --title={params.title:q}"
        " {params.sweep} --codes {params.codes:q} --groups {params.groups:q} --study {input.study:q} --pairs {input.pairs:q} --gaps {input.gaps:q}"
        " --published {input.published:q} --note={params.note:q} --illustrations {params.illustrations:q}"
        " --results results --output results/report &> {log:q}"
