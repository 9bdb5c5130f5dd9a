"""Which code made a result: digests of static import closures, seeds, versions.

Snakemake does not see imported modules, so each rule carries the digest of everything its stage can
import inside the packages of the project. The closure is read from the source (no import), which
works because sub-package ``__init__`` files are empty and `load_by_name` imports by name. A digest
is of the code: comments, docstrings and layout do not change what a program computes.
"""

import ast
import hashlib
import os
import platform
import subprocess
from contextlib import suppress
from functools import cache
from importlib import metadata, util
from importlib.machinery import PathFinder
from pathlib import Path

from noneuclid import _MODULE_OF, __version__
from noneuclid.errors import InputError
from noneuclid_compare import plugins

PACKAGE = "noneuclid"
SOURCE = Path(__file__).resolve().parent
# It only names things: what an entry of the configuration uses counts by its own module.
NAMES = "noneuclid_compare.config.registry"
# Environment variable with the commit, which a run sets for its jobs.
COMMIT = "NONEUCLID_COMMIT"
UNKNOWN = "unknown"
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "skops", "torch")


@cache
def folders():
    """Folder of each package of the project: the library, the comparison, what plugs in."""
    names = (PACKAGE, SOURCE.name, *plugins.packages())
    return {name: Path(util.find_spec(name).submodule_search_locations[0]) for name in names}


def is_own(module):
    """Whether a module belongs to a package of the project."""
    return module.partition(".")[0] in folders()


def module_file(module):
    """Source file of a module of the project, or None if `module` is not one."""
    if not is_own(module):
        return None
    root, *names = module.split(".")
    path = folders()[root].joinpath(*names)
    if path.is_dir():
        return path / "__init__.py"
    path = path.with_suffix(".py")
    return path if path.is_file() else None


@cache
def _contents(module):
    """Imports and code of a module of the project, from one reading of its file."""
    tree = _parsed(module_file(module).read_bytes(), module)
    return _imports(tree, module), _code(tree)


def imported(module):
    """Modules of the project that the text of `module` imports, at any depth of nesting."""
    return _contents(module)[0]


def imported_by(source, module):
    """Modules of the project that a source text imports; public names count by their module."""
    return _imports(_parsed(source, module), module)


def _imports(tree, module):
    inside = is_own(module)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            if inside:
                raise InputError(f"{module} uses a relative import; write the full name")
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if node.module == PACKAGE and alias.name in _MODULE_OF:
                    name = f"{PACKAGE}.{_MODULE_OF[alias.name]}"
                found.add(name if module_file(name) else node.module)
    if PACKAGE in found and not inside:
        raise InputError(
            f"{module} imports {PACKAGE} as a whole, so the code that it uses is unknown; write "
            f"from {PACKAGE} import NAME"
        )
    # The root only names things: a new public name does not train anything again.
    return frozenset(name for name in found if is_own(name) and "." in name)


def _parsed(source, module):
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{module} is not valid Python ({error}): correct it") from error


def code_of(source, module):
    """A source text without comments, docstrings and layout, in one canonical form.

    A text that reads ``__doc__`` keeps its docstrings.
    """
    tree = _parsed(source, module)
    # Where texts are read they belong to the code, as a parser of the command line may make them.
    reads = any("__doc__" in (getattr(n, "id", ""), getattr(n, "attr", "")) for n in ast.walk(tree))
    return ast.unparse(tree) if reads else _code(tree)


def _code(tree):
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            # Nothing is done with a text on a line of its own, whether it is a docstring or not.
            node.body = [step for step in body if not _is_text(step)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_text(step):
    return (
        isinstance(step, ast.Expr)
        and isinstance(step.value, ast.Constant)
        and isinstance(step.value.value, str)
    )


def closure(*modules):
    """Static import closure of modules of the project, themselves included."""
    known, waiting = set(), list(modules)
    while waiting:
        module = waiting.pop()
        if module not in known:
            known.add(module)
            waiting.extend(imported(module))
    return known


@cache
def digest(*modules):
    """Digest (16 hex digits) of the code of `modules` and of their closure.

    What is outside the package counts by its own source and by what it imports of the package: a
    module, or a file of the user's own (``FILE.py``) with the files beside it that it imports. The
    versions of installed libraries are tracked separately, through the file of pins.
    """
    inside = set(filter(is_own, modules))
    texts = {}
    for module in set(modules) - inside:
        for name, source in _sources_of(module).items():
            texts[name] = code_of(source, name)
            inside |= imported_by(source, name)
    texts |= {m: _contents(m)[1] for m in closure(*inside) - {NAMES}}
    total = hashlib.sha256()
    for name in sorted(texts):
        total.update(f"{name}\0{texts[name]}\0".encode())
    return total.hexdigest()[:16]


def _sources_of(module):
    """Source texts, by name, of a module outside the package or of a file of the user's own."""
    if not module.endswith(".py"):
        spec = found(module)
        own = spec and spec.origin and "site-packages" not in spec.origin
        return {module: Path(spec.origin).read_bytes()} if own else {}
    sources, waiting = {}, [Path(module)]
    while waiting:
        file = waiting.pop()
        if file.as_posix() not in sources and file.is_file():
            source = sources[file.as_posix()] = file.read_bytes()
            roots = {name.split(".")[0] for name in _imported_names(_parsed(source, str(file)))}
            waiting.extend(file.parent / f"{root}.py" for root in roots)
    return sources


def _imported_names(tree):
    """Dotted names of the modules that a tree imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def found(module):
    """Find a module without importing its parent packages, as `util.find_spec` would."""
    *around, _ = parts = module.split(".")
    spec = util.find_spec(parts[0])
    for depth in range(1, len(parts)):
        folders = getattr(spec, "submodule_search_locations", None)
        if folders is None:
            missing = ".".join(around[:depth])
            raise InputError(f"{module} cannot be found (no package {missing}): check its spelling")
        spec = PathFinder.find_spec(".".join(parts[: depth + 1]), folders)
    return spec


def digest_of_files(*folders):
    """Digest (16 hex digits) of the files in folders, for templates and the like."""
    total = hashlib.sha256()
    for path in (path for folder in folders for path in sorted(Path(folder).iterdir())):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def checksum(path):
    """Return the sha256 of a file, as 64 hex digits."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def commit():
    """Commit of the checkout of this package, or `UNKNOWN`; edited code adds "+changes"."""
    git = ["git", "-C", str(SOURCE.parents[1])]
    if not SOURCE.parents[1].joinpath(".git").exists():
        return UNKNOWN
    try:
        ran = [
            subprocess.run([*git, *words], capture_output=True, text=True, check=True).stdout
            for words in (
                ("rev-parse", "--short=12", "HEAD"),
                (
                    "status",
                    "--porcelain",
                    "--",
                    "src",
                    "workflow",
                    "config",
                    "papers",
                    "constraints.txt",
                ),
            )
        ]
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return ran[0].strip() + ("+changes" if ran[1].strip() else "")


@cache
def machine():
    """Processor and number of cores of this machine."""
    model = ""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        model = " ".join(names[0].split()) if names else ""
    return ", ".join(filter(None, [platform.machine(), model, f"{os.cpu_count()} cores"]))


def origin():
    """Commit and machine of a job, for its record."""
    return {"commit": os.environ.get(COMMIT, UNKNOWN), "machine": machine()}


def seed_for(seed, *names):
    """Seed of one job: a fixed function of the configured seed and the job's names.

    Examples
    --------
    >>> seed_for(0, "karate", 1) == seed_for(0, "karate", 1) != seed_for(0, "karate", 2)
    True
    """
    text = "\0".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little")


@cache
def versions():
    """Versions of Python, of this package and of the libraries that results depend on."""
    found = {"python": platform.python_version(), PACKAGE: __version__}
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):  # torch is optional
            found[name] = metadata.version(name)
    return found
