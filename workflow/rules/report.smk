rule report:
    input:
        plan="results/evaluate/plan.json",
        scores="results/evaluate/scores.parquet",
        runs="results/evaluate/runs.json",
        points=pair_files("results/embed/{}/{}.npz"),
        disks=pair_files("results/draw/{}/{}.npz"),
        pictures=pair_files("results/report/figures/disk/{}/{}.svg"),
        folds=split_files(),
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
        ),
        by_dataset="results/report/tables/scores_by_dataset.tsv",
        latex="results/report/tables/league.tex",
        figures=report(
            multiext("results/report/figures/league", ".png", ".svg", ".pdf"),
            caption="../report/league.rst",
            category="Who wins",
        ),
        sweep=sweep_figures(),
        times=report(
            multiext("results/report/figures/accuracy_time", ".png", ".svg", ".pdf"),
            caption="../report/accuracy_time.rst",
            category="Who wins",
        ),
    log:
        "results/logs/report.log",
    conda:
        "../../environment.yml"
    group: "page"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        metric=config["report"]["metric"],
        title=report_title,
        note=report_note,
        codes=current_codes,
        sweep=sweep_argument,
        illustrations=list(ILLUSTRATIONS),
        code=report_code,
    shell:
        "python -m noneuclid.stages.report --plan {input.plan:q} --metric {params.metric:q}"
        " --title={params.title:q}"
        " {params.sweep} --codes {params.codes:q} --study {input.study:q} --pairs {input.pairs:q} --gaps {input.gaps:q}"
        " --published {input.published:q} --note={params.note:q} --illustrations {params.illustrations:q}"
        " --results results --output results/report &> {log:q}"
