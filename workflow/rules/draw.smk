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
