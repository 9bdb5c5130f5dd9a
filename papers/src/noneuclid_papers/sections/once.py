"""What a section shows in several places, computed once."""

from functools import wraps


def once_per_run(compute):
    """A method of a section that keeps what it found of the last run."""
    last = {}

    @wraps(compute)
    def found(section, run):
        # By identity: the tables of a run cannot be keys.
        if last.get("run") is not run:
            last.update(found=compute(section, run), run=run)
        return last["found"]

    return found
