rule embed:
    input:
        dataset="results/acquire/{dataset}.npz",
    output:
        points="results/embed/{dataset}/{embedding}.npz",
        map="results/map/{dataset}/{embedding}.npz",
    log:
        "results/logs/embed/{dataset}/{embedding}.log",
    group:
        "prepare_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(embed_need),
        runtime=minutes(embed_need),
    params:
        module=embedding_module,
        settings=embedding_settings,
        seed=embed_seed,
        code=embed_code,
    shell:
        "python -m noneuclid.stages.fork embed --dataset {input.dataset:q} --name {wildcards.embedding:q}"
        " --module {params.module:q} --settings {params.settings:q} --seed {params.seed}"
        " --code {params.code:q} --output {output.points:q} --map {output.map:q} &> {log:q}"
