# A file, for one argument of a command holds 128 kB and a study has thousands of runs.
rule plan:
    output:
        plan="results/evaluate/plan.json",
    log:
        "results/logs/plan.log",
    localrule: True
    params:
        # A function, for Snakemake would fill in the braces of a text.
        plan=lambda wildcards: as_json(
            {"pairs": PAIRS, "repeats": config["repeats"], "drawn": DRAWN}
        ),
    run:
        io.write_text(output.plan, params.plan)


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
        **resources_for(job_resources.Need(2000, 20)),
    params:
        code=lambda wildcards: code("evaluate"),
    shell:
        "python -m noneuclid.stages.fork evaluate --plan {input.plan:q} --train results/train"
        " --output {output:q} &> {log:q}"
