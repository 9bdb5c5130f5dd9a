rule draw:
    input:
        points="results/embed/{dataset}/{embedding}.npz",
        models=model_files,
        predictions=first_predictions,
    output:
        disk="results/draw/{dataset}/{embedding}.npz",
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
        "python -m noneuclid.stages.draw --points {input.points:q} --methods {params.methods:q}"
        " --models results/models/{wildcards.dataset:q}/{wildcards.embedding:q}"
        " --train results/train/{wildcards.dataset:q}/{wildcards.embedding:q} --output {output:q} &> {log:q}"


# For configurations with `report: reference_points:`.
rule reference_points:
    input:
        points=lambda wildcards: reference_points_file("embed/{dataset}/{embedding}.npz"),
        model=lambda wildcards: reference_points_file("models/{dataset}/{embedding}/{method}.skops"),
    output:
        texts="results/report/figures/reference_points/texts.json",
        log_maps=report(
            multiext("results/report/figures/reference_points/log_maps", ".png", ".svg", ".pdf"),
            caption="../report/log_maps.rst",
            category="Reference points",
        ),
        closest_pair=report(
            multiext(
                "results/report/figures/reference_points/closest_pair", ".png", ".svg", ".pdf"
            ),
            caption="../report/closest_pair.rst",
            category="Reference points",
        ),
        boundaries=report(
            multiext("results/report/figures/reference_points/boundaries", ".png", ".svg", ".pdf"),
            caption="../report/boundaries.rst",
            category="Reference points",
        ),
        hyperboloid=report(
            multiext(
                "results/report/figures/reference_points/hyperboloid", ".png", ".svg", ".pdf"
            ),
            caption="../report/hyperboloid.rst",
            category="Reference points",
        ),
    log:
        "results/logs/reference_points.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        classes=lambda wildcards: reference_points_settings()["classes"],
        code=reference_points_code,
    shell:
        "python -m noneuclid.stages.reference_points --points {input.points:q} --model {input.model:q}"
        " --class={params.classes[0]:q} --class={params.classes[1]:q}"
        " --output results/report/figures/reference_points &> {log:q}"
