"""Stage init: a folder with a configuration to start from.

Not part of the workflow: the command ``noneuclid init`` runs it.
"""

import shlex
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid.experiment import io, locations

START = "start"


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="of the run; made if need be")
    parser.add_argument(
        "--copy",
        default=START,
        metavar="NAME",
        help="a configuration that ships, such as config, league or papers/pan2023_quick",
    )
    parser.add_argument(
        "--slurm", action="store_true", help="also write profiles/slurm, to set your partition in"
    )
    parser.set_defaults(run=run)


def run(args):
    """Write the files and print the next command."""
    if args.folder.exists() and not args.folder.is_dir():
        raise InputError(f"{args.folder} is a file: give a folder")
    shipped = locations.root()
    files = {locations.CONFIGURATIONS[0]: configuration(shipped / "config", args.copy)}
    if args.slurm:
        files["profiles/slurm/config.yaml"] = shipped / "workflow/profiles/slurm/config.yaml"
    for name in [*files, *locations.CONFIGURATIONS]:
        if (args.folder / name).exists():
            raise InputError(
                f"{args.folder / name} exists and is kept: give another folder, or delete the file"
            )
    for name, source in files.items():
        with io.replacing(args.folder / name) as temporary:
            temporary.write_bytes(source.read_bytes())
        print(f"wrote {args.folder / name}")
    options = " --workflow-profile slurm" if args.slurm else ""
    print(f"next: cd {shlex.quote(str(args.folder))} && noneuclid run{options}")


def configuration(folder, name):
    """Path of a configuration that ships, by its name; an error lists all."""
    names = {
        path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.yaml")
    }
    known = name.removeprefix("config/").removesuffix(".yaml")
    if known not in names:
        raise InputError(f"no configuration {name!r} ships; there are {', '.join(sorted(names))}")
    return names[known]
