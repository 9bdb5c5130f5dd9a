methods_of = lambda wildcards: configuration.methods_of(
    config, wildcards.dataset, wildcards.embedding
)


rule draw:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        models=lambda wildcards: [
            f"results/models/{wildcards.dataset}/{wildcards.embedding}/{method}.skops"
            for method in (methods_of(wildcards) if KEEP_MODELS else [])
        ],
        predictions=lambda wildcards: [
            f"results/train/{wildcards.dataset}/{wildcards.embedding}/{method}/0.npz"
            for method in methods_of(wildcards)
        ],
    output:
        disk="results/draw/{dataset}/{embedding}.npz",
        data="results/report/figures/disk/{dataset}/{embedding}.tsv",
        png=report(
            "results/report/figures/disk/{dataset}/{embedding}.png",
            caption="../report/disk.rst",
            category="Decision regions",
            labels={"data set": "{dataset}", "embedding": "{embedding}"},
        ),
        svg="results/report/figures/disk/{dataset}/{embedding}.svg",
        pdf="results/report/figures/disk/{dataset}/{embedding}.pdf",
    log:
        "results/logs/draw/{dataset}/{embedding}.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.DRAW),
    params:
        methods=lambda wildcards: as_json(
            {method: METHODS[method]["use"] for method in methods_of(wildcards)}
        ),
        names=lambda wildcards: as_json(
            names.of_config({"methods": {name: METHODS[name] for name in methods_of(wildcards)}})
        ),
        kept=lambda wildcards: (
            f"--models results/models/{wildcards.dataset}/{wildcards.embedding}"
            if KEEP_MODELS
            else ""
        ),
        code=lambda wildcards: code(
            "draw", method=[METHODS[method] for method in methods_of(wildcards)]
        ),
    shell:
        "python -m noneuclid_compare.stages.run_stage draw --points {input.points:q} --methods {params.methods:q} --names {params.names:q}"
        " {params.kept}"
        " --train results/train/{wildcards.dataset:q}/{wildcards.embedding:q} --output {output:q} &> {log:q}"


# One section of figures on the page, for configurations with `illustrations:`.
rule illustrate:
    input:
        datasets=lambda wildcards: [
            f"results/acquire/{name}.npz"
            for name in ILLUSTRATIONS[wildcards.illustration].get("datasets", [])
        ],
        points=lambda wildcards: [
            f"results/embed/{name}.npz"
            for name in ILLUSTRATIONS[wildcards.illustration].get("points", [])
        ],
        models=lambda wildcards: [
            f"results/models/{name}.skops"
            for name in ILLUSTRATIONS[wildcards.illustration].get("models", [])
        ],
        folds=lambda wildcards: [
            f"results/split/{Path(name).parent}/0.npz"
            for name in ILLUSTRATIONS[wildcards.illustration].get("points", [])
            if "fold" in ILLUSTRATIONS[wildcards.illustration]
        ],
        scores=lambda wildcards: (
            ["results/evaluate/scores.parquet"]
            if ILLUSTRATIONS[wildcards.illustration].get("scores")
            else []
        ),
    output:
        texts="results/illustrate/{illustration}.json",
        figures=report(
            directory("results/report/figures/{illustration}"),
            patterns=["{figure}.png"],
            caption="../report/illustration.rst",
            category="Illustrations",
            subcategory="{illustration}",
            labels={"figure": "{figure}"},
        ),
    log:
        "results/logs/illustrate/{illustration}.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.Need(2000, 20)),
    params:
        # Not sorted: panels and groups keep the order of the configuration.
        entry=lambda wildcards: json.dumps(ILLUSTRATIONS[wildcards.illustration]),
        code=lambda wildcards: code(
            "illustrate",
            draw=[ILLUSTRATIONS[wildcards.illustration]],
            method=[
                METHODS[Path(run).name]
                for run in ILLUSTRATIONS[wildcards.illustration].get("models", [])
            ],
        ),
    shell:
        "python -m noneuclid_compare.stages.run_stage illustrate --entry {params.entry:q} --results results"
        " --figures {output.figures:q} --texts {output.texts:q} &> {log:q}"
