# For configurations with `published:`; see config.
PUBLISHED = config.get("published", {})


rule published:
    input:
        scores="results/evaluate/scores.parquet",
        runs="results/evaluate/runs.json",
        # The numbers of the paper that the configuration repeats.
        paper=([folders.ROOT / f"printed/{PUBLISHED['paper']}.tsv"] if "paper" in PUBLISHED else []),
        reasons=folders.ROOT / "printed/reasons.tsv",
        protocols=folders.ROOT / "printed/protocols.tsv",
        methods=folders.ROOT / "printed/methods.tsv",
        # What the runs of other papers have found.
        kept=[folders.ROOT / f"kept/{paper}.tsv" for paper in PUBLISHED.get("kept", [])],
        kept_imitations=([folders.ROOT / "kept/imitations.tsv"] if "kept" in PUBLISHED else []),
    output:
        section="results/published/section.json",
        cells=report(
            "results/published/cells.tsv",
            caption="../report/published.rst",
            category="Published results",
            labels={"table": "every printed number beside ours"},
        ),
        latex="results/published/cells.tex",
        imitations=report(
            "results/published/imitations.tsv",
            caption="../report/imitations.rst",
            category="Published results",
            labels={"table": "faults of the papers, imitated"},
        ),
        figures=page_figures("noneuclid_papers.stages.published", "results/published"),
    log:
        "results/logs/published.log",
    group:
        "page"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        settings=lambda wildcards: as_json(section("published")),
        code=lambda wildcards: code("noneuclid_papers.stages.published"),
    shell:
        "python -m noneuclid_compare.stages.run_stage noneuclid_papers.stages.published"
        " --scores {input.scores:q}"
        " --runs {input.runs:q}"
        " --settings {params.settings:q} --paper {input.paper:q} --reasons {input.reasons:q}"
        " --protocols {input.protocols:q} --methods {input.methods:q} --kept {input.kept:q}"
        " --kept-imitations {input.kept_imitations:q} --output results/published &> {log:q}"
