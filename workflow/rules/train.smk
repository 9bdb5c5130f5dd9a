# No `benchmark:`: it sees no fork, and its sampling costs as much as a small job; the stage measures.
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
        repeat=r"[1-9]\d*",
    group:
        train_group
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(train_need),
        runtime=minutes(train_need),
    params:
        method=method_settings,
        repeat=repeat_of,
        seed=train_seed,
        code=train_code,
        kept=kept_arguments,
    shell:
        "python -m noneuclid.stages.fork train --points {input.points:q} --split {input.folds:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} {wildcards.method:q}"
        " --repeat {params.repeat} --method {params.method:q} --seed {params.seed}"
        " --code {params.code:q} --predictions {output.predictions:q} --record {output.record:q}"
        " {params.kept} &> {log:q}"


# The job of the first repeat also keeps a model that is fitted on all rows.
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
