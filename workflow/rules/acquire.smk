rule fetch:
    output:
        file=ensure("resources/data/{path}", non_empty=True),
    log:
        "results/logs/fetch/{path}.log",
    wildcard_constraints:
        path=configuration.alternatives(SOURCES),
    # Where jobs are submitted, the machines that run them may have no network.
    localrule: True
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=minutes(30),
    params:
        sha256=source_checksum,
    shell:
        "python -m noneuclid.stages.fork fetch --path {wildcards.path:q} --output {output.file:q}"
        " &> {log:q}"


rule acquire:
    input:
        unpack(files_of),
    output:
        dataset="results/acquire/{dataset}.npz",
    log:
        "results/logs/acquire/{dataset}.log",
    group:
        "prepare_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(acquire_need),
        runtime=minutes(acquire_need),
    params:
        loader=loader,
        files=files_argument,
        checksums=checksums_argument,
        settings=dataset_settings,
        seed=dataset_seed,
        code=acquire_code,
    shell:
        "python -m noneuclid.stages.fork acquire --name {wildcards.dataset:q} --loader {params.loader:q}"
        " --files {params.files:q} --checksums {params.checksums:q} --settings {params.settings:q} --seed {params.seed} --code {params.code:q}"
        " --output {output.dataset:q} &> {log:q}"


rule acquire_all:
    input:
        expand("results/acquire/{dataset}.npz", dataset=DATASETS),
    localrule: True
