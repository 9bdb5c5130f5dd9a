# For configurations with `paired_tests:`; see papers/config/chlenski2024.yaml.
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
        "../../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        # Not sorted: methods keep the order of the configuration.
        settings=lambda wildcards: json.dumps(
            {"metric": config["report"]["metric"], **section("paired_tests")}
        ),
        code=lambda wildcards: code("noneuclid_papers.stages.paired_tests"),
    shell:
        "python -m noneuclid_compare.stages.run_stage noneuclid_papers.stages.paired_tests"
        " --scores {input.scores:q} --settings {params.settings:q}"
        " --output results/paired_tests &> {log:q}"
