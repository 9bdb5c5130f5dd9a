# For configurations with `certificates:`.
rule certify:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        folds="results/split/{dataset}/0.npz",
    output:
        record="results/certify/{dataset}/{embedding}.json",
    log:
        "results/logs/certify/{dataset}/{embedding}.log",
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(2000, 60)),
    params:
        settings=lambda wildcards: as_json(certified.certify_settings(config)),
        seed=lambda wildcards: provenance.seed_for(
            SEED, wildcards.dataset, wildcards.embedding, "certify"
        ),
        code=lambda wildcards: code("noneuclid_papers.stages.certify"),
    shell:
        "python -m noneuclid_compare.stages.run_stage noneuclid_papers.stages.certify"
        " --points {input.points:q} --split {input.folds:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} --settings {params.settings:q}"
        " --seed {params.seed} --code {params.code:q} --output {output.record:q} &> {log:q}"
