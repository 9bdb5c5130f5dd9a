"""Start a stage: one line for an expected failure, a traceback for a bug."""

import sys

from noneuclid.contracts import InputError


def launch(main):
    """Run `main`; an `InputError` ends in one line on standard error and exit status 2."""
    try:
        main(sys.argv[1:])
    except InputError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(2)
