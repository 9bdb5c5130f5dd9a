"""Stage init: a folder with a configuration to start from, for a file of one's own.

Not part of the workflow: the command ``noneuclid init`` runs it.
"""

import os
import shlex
from pathlib import Path

from noneuclid.errors import InputError, require, require_package
from noneuclid_compare import io
from noneuclid_compare.data.files import images
from noneuclid_compare.data.files.arrays import mode_of, require_file, suffix_of
from noneuclid_compare.inspect_file.suffixes import SUFFIXES
from noneuclid_compare.jobs import locations

START = "start"


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.description = (
        "Looks at a file, says what it finds, and writes a configuration that compares methods on "
        "it. With a folder that is new or empty: writes a configuration that ships."
    )
    parser.add_argument(
        "path",
        type=Path,
        metavar="DATA|FOLDER",
        help="a table, .h5ad, .npz or network, a folder with a folder of images for each class, or "
        "with --label a folder of files of one kind; else the folder of the run, made if there is "
        "none",
    )
    data = parser.add_argument_group("for a file")
    data.add_argument("--label", metavar="NAME", help="the column or attribute to predict")
    data.add_argument(
        "--folder",
        type=Path,
        help="of the run, made if it does not exist; default: the name of the file",
    )
    data.add_argument(
        "--labels", type=Path, metavar="FILE", help="labels, where the file of the data has none"
    )
    data.add_argument(
        "--features", metavar="NAME", help="X, raw, layers/NAME or obsm/NAME of an .h5ad; an array"
    )
    parser.add_argument(
        "--copy",
        metavar="NAME",
        help="a configuration that ships, such as config or regression",
    )
    parser.add_argument(
        "--slurm", action="store_true", help="also write profiles/slurm, to set your partition in"
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite the configuration of the folder"
    )
    parser.set_defaults(run=run)


def run(args):
    """Write the files and print the next command."""
    for path in filter(None, (args.path, args.labels)):
        if mode_of(path) is not None and not (path.is_dir() or path.is_file()):
            require_file(path)
    if is_data(args):
        require_package("jsonschema", "workflow", "noneuclid init with a file")
        configuration = look_at(args)
        if configuration is None:
            return
    else:
        if args.path.exists() and not args.path.is_dir():
            raise InputError(f"{args.path} is a file: --copy writes into a folder")
        source = shipped(locations.root() / "config", args.copy or START)
        configuration = source.read_text(encoding="utf-8")
    folder = folder_of(args)
    require(
        not str(folder).startswith("~"), f"~ is no folder here: write {os.path.expanduser(folder)}"
    )
    write(folder, configuration, args.slurm, args.force)
    options = " --workflow-profile slurm" if args.slurm else ""
    print(f"next: cd {shlex.quote(str(folder))} && noneuclid run{options}")


def is_data(args):
    """Whether the path is data: a file, a name like one, or whatever has a label."""
    about_data = [args.label, args.folder, args.labels, args.features]
    if args.copy is not None:
        require(
            not any(about_data) and not args.path.is_file(),
            "--copy writes a configuration that ships, the other options one for your data: give "
            "one of them",
        )
        return False
    if any(about_data) or args.path.is_file():
        return True
    if args.path.is_dir():
        # The folder of a run may hold its data; its labels must be named.
        found = any(suffix_of(file) in SUFFIXES for file in args.path.iterdir())
        return found or images.is_folder(args.path)
    return suffix_of(args.path) in SUFFIXES


def folder_of(args):
    """Folder of the run: the one given, else for data one of their name."""
    if not is_data(args):
        return args.path
    if args.folder is not None:
        return args.folder
    from noneuclid_compare.inspect_file.configuration_text import name_of

    # The folder of the data holds no results.
    return Path(f"{name_of(args.path)}_run" if args.path.is_dir() else name_of(args.path))


def write(folder, configuration, slurm, force=False):
    """Write the files of a run; none is overwritten unless by `force`."""
    files = {locations.CONFIGURATIONS[0]: configuration}
    profile = "profiles/slurm/config.yaml"
    if slurm:
        source = locations.root() / "workflow" / profile
        files[profile] = source.read_text(encoding="utf-8")
    check_new(folder, files, force)
    for name, text in files.items():
        with io.replacing(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
        print(f"wrote {folder / name}")


def check_new(folder, files=(), force=False):
    """Refuse a folder that is a file, or, without `force`, that has one of the files."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: give another folder by --folder")
    for name in [*files, *locations.CONFIGURATIONS]:
        if (folder / name).exists() and not force:
            raise InputError(
                f"{folder / name} exists: add --force to overwrite it, or give another folder (of "
                "data: --folder)"
            )


def look_at(args):
    """Text of a configuration for the data, after what was found is printed; None without label."""
    from noneuclid_compare.inspect_file import configuration_text, look

    folder = folder_of(args)
    paths = look.files_in(args.path)
    given = {"labels": args.labels, "features": args.features}
    label = args.label or look.only_label(paths[0], args.labels, args.features)
    if label is None and look.needs_label(paths[0]):
        print_candidates(args, look, paths[0])
        return None
    check_new(folder, force=args.force)
    results = {path: look.look(path, label, **given) for path in paths}
    for line in look.described(results):
        print(line)
    text, summary = configuration_text.text_of(folder, results)
    print(summary)
    return text


def print_candidates(args, look, path):
    """Print columns that may be labels, and the next command."""
    likely, names = look.candidates(path, args.labels)
    if not likely:
        raise InputError(
            f"{path}: nothing in it looks like classes; it has {look.listing(names)}: name the "
            "classes, or numbers to predict, by --label NAME"
        )
    found = [f"{name} ({count} classes)" for name, count in likely.items()]
    print(f"{path}: --label may be {look.listing(found, 10)}")
    print(f"next: {repeated(args, label=next(iter(likely)))}")
    if args.path.is_dir():
        copying = shlex.join(["noneuclid", "init", str(args.path), "--copy", START])
        print(f"or, for a configuration that needs no data: {copying}")


def repeated(args, **more):
    """The same command with more options."""
    given, words = vars(args) | more, ["noneuclid", "init", str(args.path)]
    for option in ("label", "labels", "features", "folder"):
        words += [] if given[option] is None else [f"--{option}", str(given[option])]
    words += [f"--{option}" for option in ("slurm", "force") if given[option]]
    return shlex.join(words)


def shipped(folder, name):
    """Path of a configuration that ships, by its name; an error lists all."""
    names = {
        path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.yaml")
    }
    known = name.removeprefix("config/").removesuffix(".yaml")
    if known not in names:
        raise InputError(f"no configuration {name!r} ships; there are {', '.join(sorted(names))}")
    return names[known]
