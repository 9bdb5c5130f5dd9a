# For configurations in which a data set has a `class_tree:`.
TREES = configuration.class_trees(config)
IN_TREES = [run for run in TRAINED if run[0] in TREES]


rule evaluate_tree:
    input:
        plan="results/evaluate/plan.json",
        predictions=[
            f"results/train/{'/'.join(run)}/{repeat}.{suffix}"
            for run in IN_TREES
            for repeat in range(config["repeats"])
            for suffix in ("npz", "json")
        ],
        datasets=[f"results/acquire/{name}.npz" for name in TREES],
        files=[path for path in TREES.values() if isinstance(path, str)],
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
        trees=lambda wildcards: as_json(TREES),
        code=lambda wildcards: code("evaluate_tree"),
    shell:
        "python -m noneuclid.stages.fork evaluate_tree --plan {input.plan:q} --results results"
        " --trees {params.trees:q} --output {output:q} &> {log:q}"
