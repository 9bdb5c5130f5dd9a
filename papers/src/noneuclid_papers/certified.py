"""What the stage certify runs on."""

from noneuclid_compare.config.configuration import embedded_pairs


def certified_pairs(config):
    """List of (dataset, embedding) for the stage certify; none without `certificates`."""
    if "certificates" not in config:
        return []
    chosen = config["certificates"].get("datasets", config["datasets"])
    return [pair for pair in embedded_pairs(config) if pair[0] in chosen]


def certify_settings(config):
    """Parameters of the stage certify, with defaults filled in."""
    settings = {"multi_class": "ovr"} | config["certificates"]
    return {name: settings[name] for name in ("C", "multi_class", "solvers")}
