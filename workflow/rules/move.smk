# For configurations with `isometries:`. Settings are not searched again: train has chosen them.
rule move:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        folds="results/split/{dataset}/{repeat}.npz",
        trained="results/train/{dataset}/{embedding}/{method}/{repeat}.npz",
        record="results/train/{dataset}/{embedding}/{method}/{repeat}.json",
    output:
        record="results/move/{dataset}/{embedding}/{method}/{distance}/{repeat}.json",
    log:
        "results/logs/move/{dataset}/{embedding}/{method}/{distance}/{repeat}.log",
    group:
        lambda wildcards: job_resources.train_group(
            config,
            LAWS,
            wildcards.dataset,
            wildcards.embedding,
            wildcards.method,
            size_of(wildcards),
        )
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        # Fewer fits than train.
        **resources_for(
            lambda wildcards: job_resources.train(
                config, LAWS, wildcards.method, wildcards.dataset, size_of(wildcards)
            )
        ),
    params:
        method=lambda wildcards: as_json(configuration.method_of(config, wildcards.method)),
        # Not of the method: all methods see the same isometries.
        seed=lambda wildcards: provenance.seed_for(
            SEED, wildcards.dataset, "move", wildcards.distance, wildcards.repeat
        ),
        code=lambda wildcards: code("move", method=[METHODS[wildcards.method]]),
    shell:
        "python -m noneuclid.stages.fork move --points {input.points:q} --split {input.folds:q}"
        " --trained {input.trained:q} --record {input.record:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} {wildcards.method:q}"
        " --repeat {wildcards.repeat} --distance {wildcards.distance} --method {params.method:q}"
        " --seed {params.seed} --code {params.code:q} --output {output.record:q} &> {log:q}"


rule evaluate_moved:
    input:
        plan="results/evaluate/plan.json",
        records=lambda wildcards: section("isometries")
        and [
            f"results/move/{'/'.join(run)}/{repeat}.json"
            for run in configuration.moved_runs(config)
            for repeat in range(config["repeats"])
        ],
    output:
        scores="results/evaluate/moved.parquet",
        table="results/evaluate/moved.tsv",
        notes="results/evaluate/moved.json",
    log:
        "results/logs/evaluate_moved.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        distances=lambda wildcards: [f"{distance:g}" for distance in section("isometries")],
        code=lambda wildcards: code("evaluate_moved"),
    shell:
        "python -m noneuclid.stages.fork evaluate_moved --plan {input.plan:q}"
        " --distances {params.distances:q} --moved results/move --output {output:q} &> {log:q}"
