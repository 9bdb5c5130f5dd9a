# For configurations with `study:`; see config/studies.
rule study:
    input:
        scores="results/evaluate/scores.parquet",
    output:
        pairs="results/study/pairs.tsv",
        tests="results/study/tests.tsv",
        differences=report(
            multiext("results/study/differences", ".png", ".svg", ".pdf"),
            caption="../report/differences.rst",
            category="Study",
            labels={"figure": "differences"},
        ),
        scatter=report(
            multiext("results/study/scatter", ".png", ".svg", ".pdf"),
            caption="../report/study.rst",
            category="Study",
            labels={"figure": "one method against the other"},
        ),
    log:
        "results/logs/study.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        options=lambda wildcards: job_arguments.study_options(
            section("study"), config["report"]["metric"]
        ),
        code=lambda wildcards: code("study"),
    shell:
        "python -m noneuclid.stages.fork study --scores {input.scores:q} {params.options}"
        " --output results/study &> {log:q}"
