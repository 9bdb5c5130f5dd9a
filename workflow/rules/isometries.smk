# For configurations with `isometries:`. Settings are not searched again: train has chosen them.
rule isometries:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        folds="results/split/{dataset}/{repeat}.npz",
        trained="results/train/{dataset}/{embedding}/{method}/{repeat}.npz",
        record="results/train/{dataset}/{embedding}/{method}/{repeat}.json",
    output:
        record="results/isometries/{dataset}/{embedding}/{method}/{distance}/{repeat}.json",
    log:
        "results/logs/isometries/{dataset}/{embedding}/{method}/{distance}/{repeat}.log",
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
        # Not of the method: all methods see the same isometries.
        seed=lambda wildcards: provenance.seed_for(
            SEED, wildcards.dataset, "isometries", wildcards.distance, wildcards.repeat
        ),
        code=lambda wildcards: code("isometries", method=[METHODS[wildcards.method]]),
    shell:
        "python -m noneuclid_compare.stages.run_stage isometries --points {input.points:q} --split {input.folds:q}"
        " --trained {input.trained:q} --record {input.record:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} {wildcards.method:q}"
        " --repeat {wildcards.repeat} --distance {wildcards.distance} --method {params.method:q}"
        " --seed {params.seed} --code {params.code:q} --output {output.record:q} &> {log:q}"


rule evaluate_isometries:
    input:
        plan="results/evaluate/plan.json",
        records=lambda wildcards: section("isometries")
        and [
            f"results/isometries/{'/'.join(run)}/{repeat}.json"
            for run in configuration.isometry_runs(config)
            for repeat in range(config["repeats"])
        ],
    output:
        scores="results/evaluate/isometries.parquet",
        table="results/evaluate/isometries.tsv",
        notes="results/evaluate/isometries.json",
    log:
        "results/logs/evaluate_isometries.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        distances=lambda wildcards: [f"{distance:g}" for distance in section("isometries")],
        code=lambda wildcards: code("evaluate_isometries"),
    shell:
        "python -m noneuclid_compare.stages.run_stage evaluate_isometries --plan {input.plan:q}"
        " --distances {params.distances:q} --records results/isometries --output {output:q} &> {log:q}"
