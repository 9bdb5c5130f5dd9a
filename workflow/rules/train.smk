# The stage measures time and memory: `benchmark:` does not see the fork, and its sampling costs as
# much as a small job.
rule train:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        folds="results/split/{dataset}/{repeat}.npz",
    output:
        predictions="results/train/{dataset}/{embedding}/{method}/{repeat}.npz",
        record="results/train/{dataset}/{embedding}/{method}/{repeat}.json",
    log:
        "results/logs/train/{dataset}/{embedding}/{method}/{repeat}.log",
    wildcard_constraints:
        repeat=r"[1-9]\d*" if KEEP_MODELS else r"\d+",
    group:
        lambda wildcards: job_resources.train_group(
            config, wildcards.dataset, wildcards.embedding, wildcards.method
        )
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(
            lambda wildcards: job_resources.train(
                config, wildcards.dataset, wildcards.embedding, wildcards.method
            )
        ),
    params:
        method=lambda wildcards: as_json(configuration.method_of(config, wildcards.method)),
        repeat=lambda wildcards: wildcards.get("repeat", "0"),
        seed=lambda wildcards: config["datasets"][wildcards.dataset].get(
            "fit_seed",
            provenance.seed_for(
                SEED,
                wildcards.dataset,
                wildcards.embedding,
                wildcards.method,
                wildcards.get("repeat", "0"),
            ),
        ),
        code=lambda wildcards: code("train", method=[METHODS[wildcards.method]]),
        # Only the job of the first repeat keeps a model.
        kept=lambda wildcards, input, output: (
            f"--model {output.model} --map {input.map}" if "model" in output.keys() else ""
        ),
    shell:
        "python -m noneuclid_compare.stages.run_stage train --points {input.points:q} --split {input.folds:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} {wildcards.method:q}"
        " --repeat {params.repeat} --method {params.method:q} --seed {params.seed}"
        " --code {params.code:q} --predictions {output.predictions:q} --record {output.record:q}"
        " {params.kept} &> {log:q}"


# The job of the first repeat also keeps a model, which is fitted on all rows.
if KEEP_MODELS:

    use rule train as train_and_keep with:
        input:
            points="results/embed/{dataset}/{embedding}.npz",
            folds="results/split/{dataset}/0.npz",
            map="results/map/{dataset}/{embedding}.npz",
        output:
            predictions="results/train/{dataset}/{embedding}/{method}/0.npz",
            record="results/train/{dataset}/{embedding}/{method}/0.json",
            model="results/models/{dataset}/{embedding}/{method}.skops",
        log:
            "results/logs/train/{dataset}/{embedding}/{method}/0.log",
