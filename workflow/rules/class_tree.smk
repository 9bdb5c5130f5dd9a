# For configurations in which a data set has a `class_tree:`.
TREES = configuration.class_trees(config)
IN_TREES = [run for run in TRAINED if run[0] in TREES]


# Once its data set is read: a class that is not in the tree ends the run before it is fitted.
rule class_tree:
    input:
        dataset="results/acquire/{dataset}.npz",
        files=lambda wildcards: [
            path for path in [TREES.get(wildcards.dataset)] if isinstance(path, str)
        ],
    output:
        tree="results/class_tree/{dataset}.json",
    log:
        "results/logs/class_tree/{dataset}.log",
    priority: 1
    group:
        "prepare_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(500, 5)),
    params:
        setting=lambda wildcards: as_json(TREES.get(wildcards.dataset)),
        code=lambda wildcards: code("class_tree"),
    shell:
        "python -m noneuclid_compare.stages.run_stage class_tree --dataset {input.dataset:q}"
        " --name {wildcards.dataset:q} --setting {params.setting:q} --code {params.code:q}"
        " --output {output.tree:q} &> {log:q}"


rule evaluate_tree:
    input:
        plan="results/evaluate/plan.json",
        predictions=[
            f"results/train/{'/'.join(run)}/{repeat}.{suffix}"
            for run in IN_TREES
            for repeat in range(config["repeats"])
            for suffix in ("npz", "json")
        ],
        trees=[f"results/class_tree/{name}.json" for name in TREES],
    output:
        scores="results/evaluate/tree.parquet",
        table="results/evaluate/tree.tsv",
        trees="results/evaluate/tree.json",
    log:
        "results/logs/evaluate_tree.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(1000, 10)),
    params:
        trees=list(TREES),
        code=lambda wildcards: code("evaluate_tree"),
    shell:
        "python -m noneuclid_compare.stages.run_stage evaluate_tree --plan {input.plan:q} --results results"
        " --trees {params.trees:q} --output {output:q} &> {log:q}"
