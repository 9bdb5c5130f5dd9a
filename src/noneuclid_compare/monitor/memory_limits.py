"""The memory that this process and its children may use."""

import resource
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def limits(meminfo=Path("/proc/meminfo"), own=Path("/proc/self/cgroup"), cgroups=CGROUPS):
    """Bytes by what sets the limit: the machine, a control group, or `ulimit -v`."""
    found = {}
    for line in _text(meminfo).splitlines():
        if line.startswith("MemTotal:"):
            found["the machine"] = 1024 * int(line.split()[1])
    for line in _text(own).splitlines():
        # Version 2, where each folder above limits too.
        if line.startswith("0::"):
            inner = cgroups / line[3:].lstrip("/")
            for folder in (inner, *inner.parents):
                size = _text(folder / "memory.max").strip()
                if size.isdigit():
                    least = min(found.get("the control group", int(size)), int(size))
                    found["the control group"] = least
                if folder == cgroups:
                    break
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        found["ulimit -v, for each process,"] = soft
    return found


def describe(found=None):
    """Smallest limit in words.

    Examples
    --------
    >>> describe({"the machine": 24e9, "the control group": 8e9})
    'the control group has 8.0 GB'
    """
    found = limits() if found is None else found
    if not found:
        return "its size is not known"
    name = min(found, key=found.get)
    return f"{name} has {found[name] / 1e9:.1f} GB"


def kills(vmstat=Path("/proc/vmstat")):
    """How many processes the kernel has killed since it started because memory ran out."""
    counts = dict(line.split() for line in _text(vmstat).splitlines())
    return int(counts.get("oom_kill", 0))


def _text(path):
    try:
        return path.read_text()
    except OSError:
        return ""
