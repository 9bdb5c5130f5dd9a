# The workflow is in workflow/Snakefile.
include: "workflow/Snakefile"


# An include does not set what runs by default.
workflow.default_target = "all"
