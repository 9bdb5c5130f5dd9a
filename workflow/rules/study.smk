# For configurations with `study:`; see config/studies.
rule study:
    input:
        scores="results/evaluate/scores.parquet",
    output:
        pairs="results/study/pairs.tsv",
        tests="results/study/tests.tsv",
        figures=page_figures("study", "results/study"),
    log:
        "results/logs/study.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        options=study_options,
        code=study_code,
    shell:
        "python -m noneuclid.stages.fork study --scores {input.scores:q} {params.options}"
        " --output results/study &> {log:q}"
