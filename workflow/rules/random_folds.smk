# For data sets whose folds leave out groups. Settings are not searched again: train has chosen them.
rule random_folds:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        folds="results/split/{dataset}/0.npz",
        trained="results/train/{dataset}/{embedding}/{method}/0.npz",
        record="results/train/{dataset}/{embedding}/{method}/0.json",
    output:
        record="results/random_folds/{dataset}/{embedding}/{method}.json",
    log:
        "results/logs/random_folds/{dataset}/{embedding}/{method}.log",
    group:
        lambda wildcards: job_resources.train_group(
            config, wildcards.dataset, wildcards.embedding, wildcards.method
        )
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        # Fewer fits than train.
        **resources_for(
            lambda wildcards: job_resources.train(
                config, wildcards.dataset, wildcards.embedding, wildcards.method
            )
        ),
    params:
        method=lambda wildcards: as_json(configuration.method_of(config, wildcards.method)),
        # Not of the method: all methods see the same folds.
        seed=lambda wildcards: provenance.seed_for(SEED, wildcards.dataset, "random_folds"),
        code=lambda wildcards: code("random_folds", method=[METHODS[wildcards.method]]),
    shell:
        "python -m noneuclid_compare.stages.run_stage random_folds --points {input.points:q} --split {input.folds:q}"
        " --trained {input.trained:q} --record {input.record:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} {wildcards.method:q}"
        " --method {params.method:q} --seed {params.seed} --code {params.code:q}"
        " --output {output.record:q} &> {log:q}"
