rule split:
    input:
        dataset="results/acquire/{dataset}.npz",
    output:
        folds="results/split/{dataset}/{repeat}.npz",
    log:
        "results/logs/split/{dataset}/{repeat}.log",
    # One group with the fits that read these folds, so that one Snakemake runs them all.
    group:
        "fits_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.SPLIT),
    params:
        settings=lambda wildcards: as_json(configuration.split_of(config, wildcards.dataset)),
        seed=lambda wildcards: provenance.seed_for(SEED, wildcards.dataset),
        code=lambda wildcards: code("split"),
    shell:
        "python -m noneuclid_compare.stages.run_stage split --dataset {input.dataset:q} --repeat {wildcards.repeat}"
        " --settings {params.settings:q} --seed {params.seed} --code {params.code:q}"
        " --output {output.folds:q} &> {log:q}"
