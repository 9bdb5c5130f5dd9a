# For configurations with `study:`; see papers/config/studies.
rule study:
    input:
        scores="results/evaluate/scores.parquet",
    output:
        pairs="results/study/pairs.tsv",
        tests="results/study/tests.tsv",
        figures=page_figures("noneuclid_papers.stages.study", "results/study"),
    log:
        "results/logs/study.log",
    group:
        "page"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        options=lambda wildcards: study.study_options(section("study"), config["report"]["metric"]),
        names=lambda wildcards: as_json(names.of_config(config)),
        code=lambda wildcards: code("noneuclid_papers.stages.study"),
    shell:
        "python -m noneuclid_compare.stages.run_stage noneuclid_papers.stages.study"
        " --scores {input.scores:q} {params.options}"
        " --names {params.names:q}"
        " --output results/study &> {log:q}"
