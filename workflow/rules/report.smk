from noneuclid.reporting import section_list

ENTRIES = section_list.entries(config)
SECTIONS = section_list.on_page(ENTRIES)


def read_by_sections():
    """Files that single sections read; all sections may read the other input files."""
    return [
        f"results/{path}" for section in SECTIONS for path in section.reads(ENTRIES[section.name])
    ]


def left_by_sections():
    """Files that sections leave beside the page; a caption puts them into Snakemake's report."""
    found = []
    for section in SECTIONS:
        for saved in section.leaves(ENTRIES[section.name]):
            found += [f"results/report/{path}" for path in saved.files()]
            about = {"caption": f"../report/{saved.caption}.rst", "category": section.title}
            for path in saved.files(reported=True):
                found.append(report(f"results/report/{path}", labels=saved.label, **about))
    return found


def section_entries(wildcards):
    # Not sorted: illustrations keep the order of the configuration.
    return json.dumps(ENTRIES)


rule report:
    input:
        plan="results/evaluate/plan.json",
        scores="results/evaluate/scores.parquet",
        runs="results/evaluate/runs.json",
        points=pair_files("results/embed/{}/{}.npz"),
        disks=pair_files("results/draw/{}/{}.npz"),
        pictures=pair_files("results/report/figures/disk/{}/{}.svg"),
        folds=split_files(),
        predictions=drawn_predictions(),
        sections=read_by_sections(),
    output:
        page="results/report/index.html",
        sections=left_by_sections(),
    log:
        "results/logs/report.log",
    group:
        "page"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        metric=config["report"]["metric"],
        title=report_title,
        note=report_note,
        codes=current_codes,
        entries=section_entries,
        code=report_code,
    shell:
        "python -m noneuclid.stages.fork report --plan {input.plan:q} --metric {params.metric:q}"
        " --title={params.title:q} --note={params.note:q} --codes {params.codes:q}"
        " --entries {params.entries:q} --results results &> {log:q}"
