# For configurations with `certificates:`.
rule gaps:
    input:
        records=lambda wildcards: section("certificates")
        and fill("results/certify/{}/{}.json", CERTIFIED),
        points=fill("results/embed/{}/{}.npz", CERTIFIED),
        folds=[f"results/split/{dataset}/0.npz" for dataset, _ in CERTIFIED],
    output:
        table=report(
            "results/gaps/certificates.tsv",
            caption="../report/bounds.rst",
            category="Certificates",
            labels={"table": "bounds of every binary problem"},
        ),
        overview="results/gaps/overview.tsv",
        points="results/gaps/hyperplanes.tsv",
        figures=page_figures("noneuclid_papers.stages.gaps", "results/gaps"),
    log:
        "results/logs/gaps.log",
    group:
        "page"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        names=lambda wildcards: as_json(names.of_config(config | {"methods": {}})),
        code=lambda wildcards: code("noneuclid_papers.stages.gaps"),
    shell:
        "python -m noneuclid_compare.stages.run_stage noneuclid_papers.stages.gaps"
        " --records {input.records:q} --results results"
        " --names {params.names:q}"
        " --output results/gaps &> {log:q}"
