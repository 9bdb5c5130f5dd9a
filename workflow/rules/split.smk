rule split:
    input:
        dataset="results/acquire/{dataset}.npz",
    output:
        folds="results/split/{dataset}/{repeat}.npz",
    log:
        "results/logs/split/{dataset}/{repeat}.log",
    # With the fits that read these folds: a group that hangs together needs one Snakemake.
    group:
        "fits_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=minutes(5),
    params:
        settings=split_settings,
        seed=dataset_seed,
        code=split_code,
    shell:
        "python -m noneuclid.stages.fork split --dataset {input.dataset:q} --repeat {wildcards.repeat}"
        " --settings {params.settings:q} --seed {params.seed} --code {params.code:q}"
        " --output {output.folds:q} &> {log:q}"
