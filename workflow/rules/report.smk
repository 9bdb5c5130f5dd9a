from noneuclid_compare.report import section_list

ENTRIES = section_list.entries(config)
SECTIONS = section_list.on_page(ENTRIES)


# Files that single sections read; all sections may read the other input files.
READ_BY_SECTIONS = [
    f"results/{path}" for section in SECTIONS for path in section.reads(ENTRIES[section.name])
]
# Files that sections leave beside the page; a caption puts them into Snakemake's report.
LEFT_BY_SECTIONS = []
for each in SECTIONS:
    for saved in each.saved_tables(ENTRIES[each.name]):
        LEFT_BY_SECTIONS += [f"results/report/{path}" for path in saved.files()]
        about = {"caption": f"../report/{saved.caption}.rst", "category": each.title}
        for path in saved.files(reported=True):
            LEFT_BY_SECTIONS.append(report(f"results/report/{path}", labels=saved.label, **about))


rule report:
    input:
        plan="results/evaluate/plan.json",
        scores="results/evaluate/scores.parquet",
        runs="results/evaluate/runs.json",
        cards=fill("results/embed/{}/{}.json", configuration.embedded_pairs(config)),
        disks=fill("results/draw/{}/{}.npz", DRAWN),
        pictures=fill("results/report/figures/disk/{}/{}.svg", DRAWN),
        # Folds and predictions of the first repeat, for cards and calibration.
        folds=[f"results/split/{dataset}/0.npz" for dataset in dict(DRAWN)],
        predictions=fill(
            "results/train/{}/{}/{}/0.npz", [run for run in TRAINED if run[:2] in DRAWN]
        ),
        sections=READ_BY_SECTIONS,
    output:
        page="results/report/index.html",
        sections=LEFT_BY_SECTIONS,
        figures=page_figures("report", "results/report/figures"),
        data=[
            f"results/report/figures/{entry.name}.tsv"
            for entry in figure_list.entries("report", config["report"])
        ],
    log:
        "results/logs/report.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(job_resources.PAGE),
    params:
        metric=config["report"]["metric"],
        # Functions, because Snakemake formats the braces in a text.
        title=lambda wildcards: config["report"]["title"],
        note=lambda wildcards: config["report"].get("note", ""),
        # To mark results of older code.
        codes=lambda wildcards: as_json(
            {method: code("train", method=[entry]) for method, entry in METHODS.items()}
        ),
        # Not sorted: illustrations keep the order of the configuration.
        entries=lambda wildcards: json.dumps(ENTRIES),
        code=lambda wildcards: (
            f"{code('report', section_list.modules(ENTRIES))}-"
            + provenance.digest_of_files(*section_list.templates(ENTRIES))
        ),
    shell:
        "python -m noneuclid_compare.stages.run_stage report --plan {input.plan:q} --metric {params.metric:q}"
        " --title={params.title:q} --note={params.note:q} --codes {params.codes:q}"
        " --entries {params.entries:q} --results results &> {log:q}"
