rule draw:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        models=model_files,
        predictions=first_predictions,
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
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        methods=draw_methods,
        code=draw_code,
    shell:
        "python -m noneuclid.stages.fork draw --points {input.points:q} --methods {params.methods:q}"
        " --models results/models/{wildcards.dataset:q}/{wildcards.embedding:q}"
        " --train results/train/{wildcards.dataset:q}/{wildcards.embedding:q} --output {output:q} &> {log:q}"


# One section of figures on the page, for configurations with `illustrations:`.
rule illustrate:
    input:
        points=lambda wildcards: illustration_files(wildcards, "points", "results/embed/{}.npz"),
        models=lambda wildcards: illustration_files(wildcards, "models", "results/models/{}.skops"),
        scores=illustration_scores,
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
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        entry=illustration_entry,
        code=illustration_code,
    shell:
        "python -m noneuclid.stages.fork illustrate --entry {params.entry:q} --results results"
        " --figures {output.figures:q} --texts {output.texts:q} &> {log:q}"
