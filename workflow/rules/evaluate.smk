rule evaluate:
    input:
        predictions=run_files("npz"),
        records=run_files("json"),
    output:
        scores="results/evaluate/scores.parquet",
        table="results/evaluate/scores.tsv",
        runs="results/evaluate/runs.json",
    log:
        "results/logs/evaluate.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        plan=plan,
        code=evaluate_code,
    shell:
        "python -m noneuclid.stages.evaluate --plan {params.plan:q} --train results/train"
        " --output {output:q} &> {log:q}"
