# Rendered by Snakemake: a command's argument is limited to 128 kB, and `run:` would start another
# Snakemake.
rule plan:
    input:
        template=ROOT / "workflow/templates/plan.json",
    output:
        plan="results/evaluate/plan.json",
    log:
        "results/logs/plan.log",
    localrule: True
    params:
        # A function, because Snakemake formats the braces in a text.
        plan=lambda wildcards: as_json(
            {"pairs": PAIRS, "repeats": config["repeats"], "drawn": DRAWN}
        ),
    template_engine:
        "jinja2"


rule evaluate:
    input:
        plan="results/evaluate/plan.json",
        predictions=run_files("npz"),
        records=run_files("json"),
    output:
        scores="results/evaluate/scores.parquet",
        table="results/evaluate/scores.tsv",
        runs="results/evaluate/runs.json",
    log:
        "results/logs/evaluate.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.PAGE),
    params:
        code=lambda wildcards: code("evaluate"),
    shell:
        "python -m noneuclid_compare.stages.run_stage evaluate --plan {input.plan:q} --train results/train"
        " --output {output:q} &> {log:q}"
