# For configurations with `paired_tests:`; see config/papers/chlenski2024.yaml.
rule paired_tests:
    input:
        scores="results/evaluate/scores.parquet",
    output:
        section="results/paired_tests/section.json",
        tests="results/paired_tests/tests.tsv",
        latex="results/paired_tests/table.tex",
        table=report(
            "results/paired_tests/table.tsv",
            caption="../report/paired_tests.rst",
            category="Pairs of methods",
            labels={"table": "tests by pairs"},
        ),
    log:
        "results/logs/paired_tests.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        settings=paired_tests_settings,
        code=paired_tests_code,
    shell:
        "python -m noneuclid.stages.fork paired_tests --scores {input.scores:q} --settings {params.settings:q}"
        " --output results/paired_tests &> {log:q}"
