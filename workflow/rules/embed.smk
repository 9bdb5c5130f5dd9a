rule embed:
    input:
        dataset="results/acquire/{dataset}.npz",
    output:
        points=points("results/embed/{dataset}/{embedding}.npz"),
        # All that the page needs of it.
        card="results/embed/{dataset}/{embedding}.json",
        map="results/map/{dataset}/{embedding}.npz",
    log:
        "results/logs/embed/{dataset}/{embedding}.log",
    group:
        "prepare_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(
            lambda wildcards: job_resources.embed(
                wildcards.dataset, EMBEDDINGS[wildcards.embedding]
            )
        ),
    params:
        use=lambda wildcards: EMBEDDINGS[wildcards.embedding]["use"],
        given=lambda wildcards: as_json(EMBEDDINGS[wildcards.embedding].get("params", {})),
        seed=lambda wildcards: provenance.seed_for(SEED, wildcards.dataset, wildcards.embedding),
        code=lambda wildcards: code("embed", embed=[EMBEDDINGS[wildcards.embedding]]),
    shell:
        "python -m noneuclid_compare.stages.run_stage embed --dataset {input.dataset:q} --name {wildcards.embedding:q}"
        " --use {params.use:q} --params {params.given:q} --seed {params.seed}"
        " --code {params.code:q} --output {output.points:q} --card {output.card:q} --map {output.map:q} &> {log:q}"
