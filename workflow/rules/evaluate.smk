# A file, for one argument of a command holds 128 kB and a study has thousands of runs.
rule plan:
    output:
        plan="results/evaluate/plan.json",
    log:
        "results/logs/plan.log",
    localrule: True
    params:
        plan=plan,
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
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        code=evaluate_code,
    shell:
        "python -m noneuclid.stages.fork evaluate --plan {input.plan:q} --train results/train"
        " --output {output:q} &> {log:q}"
