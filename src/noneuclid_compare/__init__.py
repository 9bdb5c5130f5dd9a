"""The comparison: the command `noneuclid`, the stages of the workflow, and the page."""


def __getattr__(name):
    if name == "load_model":
        from noneuclid_compare.models.kept_model import load_model

        return load_model
    raise AttributeError(f"module 'noneuclid_compare' has no attribute {name!r}")
