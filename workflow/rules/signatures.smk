# For data sets with `signatures:`.
SIGNATURES = configuration.compared_signatures(config)


rule signatures:
    input:
        dataset="results/acquire/{dataset}.npz",
    output:
        record="results/signatures/{dataset}.json",
    log:
        "results/logs/signatures/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(lambda wildcards: job_resources.signatures(wildcards.dataset)),
    params:
        params=lambda wildcards: as_json(SIGNATURES.get(wildcards.dataset)),
        seed=lambda wildcards: provenance.seed_for(SEED, wildcards.dataset, "signatures"),
        code=lambda wildcards: code("signatures"),
    shell:
        "python -m noneuclid_compare.stages.run_stage signatures --dataset {input.dataset:q}"
        " --name {wildcards.dataset:q} --params {params.params:q} --seed {params.seed}"
        " --code {params.code:q} --output {output.record:q} &> {log:q}"
