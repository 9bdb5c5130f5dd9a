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
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(60),
    params:
        settings=certify_settings,
        seed=certify_seed,
        code=certify_code,
    shell:
        "python -m noneuclid.stages.fork certify --points {input.points:q} --split {input.folds:q}"
        " --names {wildcards.dataset:q} {wildcards.embedding:q} --settings {params.settings:q}"
        " --seed {params.seed} --code {params.code:q} --output {output.record:q} &> {log:q}"
