# For configurations with `certificates:`.
rule gaps:
    input:
        records=lambda wildcards: certified_files("results/certify/{}/{}.json"),
        points=lambda wildcards: certified_files("results/embed/{}/{}.npz"),
        folds=lambda wildcards: [f"results/split/{dataset}/0.npz" for dataset, _ in CERTIFIED],
    output:
        table=report(
            "results/gaps/certificates.tsv",
            caption="../report/bounds.rst",
            category="Certificates",
            labels={"table": "bounds of every binary problem"},
        ),
        overview="results/gaps/overview.tsv",
        points="results/gaps/hyperplanes.tsv",
        figures=page_figures("gaps", "results/gaps"),
    log:
        "results/logs/gaps.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=gaps_code,
    shell:
        "python -m noneuclid.stages.fork gaps --records {input.records:q} --results results"
        " --output results/gaps &> {log:q}"
