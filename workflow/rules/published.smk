# For configurations with `published:`; see config/papers.
rule published:
    input:
        scores="results/evaluate/scores.parquet",
        paper=published_file,
        reasons=str(ROOT / "resources/published/reasons.tsv"),
        protocols=str(ROOT / "resources/published/protocols.tsv"),
        kept=kept_cells,
        kept_imitations=kept_imitations,
    output:
        section="results/published/section.json",
        cells=report(
            "results/published/cells.tsv",
            caption="../report/published.rst",
            category="Against the papers",
            labels={"table": "every printed number beside ours"},
        ),
        latex="results/published/cells.tex",
        imitations=report(
            "results/published/imitations.tsv",
            caption="../report/imitations.rst",
            category="Against the papers",
            labels={"table": "faults of the papers, imitated"},
        ),
        figures=page_figures("published", "results/published"),
    log:
        "results/logs/published.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        settings=published_settings,
        code=published_code,
    shell:
        "python -m noneuclid.stages.fork published --scores {input.scores:q}"
        " --settings {params.settings:q} --paper {input.paper:q} --reasons {input.reasons:q}"
        " --protocols {input.protocols:q} --kept {input.kept:q}"
        " --kept-imitations {input.kept_imitations:q} --output results/published &> {log:q}"
