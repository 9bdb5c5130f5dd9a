from snakemake.utils import min_version

min_version("9.27")

# A configuration given on the command line replaces the default one instead of adding to it.
if "datasets" not in config:

    configfile: f"{workflow.basedir}/config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/acquire.smk"
include: "workflow/rules/embed.smk"
include: "workflow/rules/split.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/evaluate.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/study.smk"
include: "workflow/rules/paired_tests.smk"
include: "workflow/rules/certify.smk"
include: "workflow/rules/gaps.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/report.smk"


onstart:
    check_folders()
    lift_rate_limit()
    load_libraries()
    if non_commercial():
        print(
            "not licensed for commercial use:", *sorted(set(non_commercial())), file=sys.stderr
        )


onsuccess:
    page = Path("results/report/index.html").resolve()
    if page.exists():
        print("the report:", page, file=sys.stderr)


onerror:
    print(preflight.advice(log, "results"), file=sys.stderr)


rule all:
    default_target: True
    input:
        rules.report.output,
        run_files("npz"),
        run_files("json"),
        pair_files("results/draw/{}/{}.npz"),
        disk_figures(),
        kept_models(),
    localrule: True
