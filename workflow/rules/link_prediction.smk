# For networks with `link_prediction: true`. Edges are held out anew in each repeat.
rule link_prediction:
    input:
        dataset="results/acquire/{dataset}.npz",
    output:
        record="results/link_prediction/{dataset}/{repeat}.json",
    log:
        "results/logs/link_prediction/{dataset}/{repeat}.log",
    group:
        "links_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(lambda wildcards: job_resources.link_prediction(config, wildcards.dataset)),
    params:
        embeddings=lambda wildcards: as_json(embeddings_of(wildcards.dataset)),
        seed=lambda wildcards: provenance.seed_for(
            SEED, wildcards.dataset, "link_prediction", wildcards.repeat
        ),
        code=lambda wildcards: code(
            "link_prediction",
            embed=list(embeddings_of(wildcards.dataset).values()),
        ),
    shell:
        "python -m noneuclid_compare.stages.run_stage link_prediction --dataset {input.dataset:q}"
        " --name {wildcards.dataset:q} --embeddings {params.embeddings:q} --repeat {wildcards.repeat}"
        " --seed {params.seed} --code {params.code:q} --output {output.record:q} &> {log:q}"
