# Role to path for each data set; files in the table of sources are fetched.
FILES = {
    name: downloads.local_paths(dataset.get("files", {}), SOURCES)
    for name, dataset in DATASETS.items()
}
FETCHED = [Path("resources/data") / path for path in downloads.listed(DATASETS, SOURCES)]
NON_COMMERCIAL = downloads.non_commercial(DATASETS, SOURCES)


rule fetch:
    output:
        file=ensure("resources/data/{path}", non_empty=True),
    log:
        "results/logs/fetch/{path}.log",
    wildcard_constraints:
        path=configuration.alternatives(SOURCES),
    # The machines that run submitted jobs may have no network.
    localrule: True
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(500, 30)),
    params:
        sha256=lambda wildcards: SOURCES[wildcards.path].sha256,
    shell:
        "python -m noneuclid_compare.stages.run_stage fetch --path {wildcards.path:q} --output {output.file:q}"
        " &> {log:q}"


rule acquire:
    input:
        unpack(lambda wildcards: FILES[wildcards.dataset]),
    output:
        dataset=points("results/acquire/{dataset}.npz"),
    log:
        "results/logs/acquire/{dataset}.log",
    group:
        "prepare_{dataset}"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(
            lambda wildcards: job_resources.acquire(
                FILES[wildcards.dataset].values(),
                DATASETS[wildcards.dataset].get("params", {}),
                DATASETS[wildcards.dataset]["use"],
            )
        ),
    params:
        use=lambda wildcards: DATASETS[wildcards.dataset]["use"],
        files=lambda wildcards: as_json(FILES[wildcards.dataset]),
        # Snakemake does not notice a changed file whose date is older.
        checksums=lambda wildcards: as_json(
            downloads.checksums(DATASETS[wildcards.dataset].get("files", {}), SOURCES)
        ),
        given=lambda wildcards: as_json(DATASETS[wildcards.dataset].get("params", {})),
        seed=lambda wildcards: provenance.seed_for(SEED, wildcards.dataset),
        code=lambda wildcards: code("acquire", load=[DATASETS[wildcards.dataset]]),
    shell:
        "python -m noneuclid_compare.stages.run_stage acquire --name {wildcards.dataset:q} --use {params.use:q}"
        " --files {params.files:q} --checksums {params.checksums:q} --params {params.given:q} --seed {params.seed} --code {params.code:q}"
        " --output {output.dataset:q} &> {log:q}"


rule acquire_all:
    input:
        expand("results/acquire/{dataset}.npz", dataset=DATASETS),
    localrule: True
