import ast
import subprocess
import sys

import pytest
from cases import each_of

from noneuclid import _MODULE_OF as public_names
from noneuclid import _MODULES
from noneuclid.errors import InputError
from noneuclid_compare import provenance
from noneuclid_compare.report import section_list

STAGES = ("acquire", "embed", "split", "train", "evaluate", "draw", "report", "fetch")
# Functions on a fitted tree, which are public as classifiers are.
TREE_TEXT = "noneuclid.classifiers.tree_text"
HEAVY = ("scanpy", "anndata", "matplotlib", "seaborn", "networkx", "snakemake", "jinja2")


def modules():
    return sorted(
        ".".join((name, *path.relative_to(folder).with_suffix("").parts))
        for name, folder in provenance.folders().items()
        for path in folder.rglob("*.py")
        if path.name != "__init__.py"
    )


# A process that has libraries, and nothing of the package, and forks for each statement it reads.
FORKS = """
import os, sys
import numba, scipy.optimize, scipy.stats, sklearn.ensemble, sklearn.model_selection, sklearn.svm
for statement in sys.stdin:
    if os.fork() == 0:
        exec(statement)
        print(*sys.modules, flush=True)
        os._exit(0)
    if os.wait()[1]:
        print("failed", statement, flush=True)
"""


@pytest.fixture(scope="module")
def loaded():
    """Function that returns the modules in a fresh process after a statement."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen([sys.executable, "-c", FORKS], **pipes) as process:

        def modules_after(statement):
            process.stdin.write(f"{statement}\n")
            found = process.stdout.readline().split()
            assert found[:1] != ["failed"], statement
            return set(found)

        yield modules_after


@each_of("stage", STAGES)
def test_static_closure_covers_what_a_stage_really_imports(loaded, stage):
    found = set(filter(provenance.is_own, loaded(f"import noneuclid_compare.stages.{stage}")))
    packages = {name for name in found if provenance.module_file(name).name == "__init__.py"}
    named = section_list.modules({}) if stage == "report" else ()
    assert found - packages <= provenance.closure(f"noneuclid_compare.stages.{stage}", *named)


def test_init_files_of_subpackages_hold_only_a_docstring_or_lazy_names():
    found = [path for f in provenance.folders().values() for path in f.glob("*/**/__init__.py")]
    for path in found:
        name = path.parent.name
        tree = ast.parse(path.read_text())
        if name in ("plots", "geometry"):
            assert provenance.imported(f"noneuclid.{name}") == set()
        elif name not in _MODULES:  # public modules, which no stage imports
            assert [node for node in tree.body if not isinstance(node, ast.Expr)] == []


def test_a_fresh_process_has_nothing_of_the_package(loaded):
    assert not {name.split(".")[0] for name in loaded("pass")} & {"noneuclid", *HEAVY}
    assert {"noneuclid", "networkx"} <= loaded("import noneuclid, networkx")


@each_of(
    "module",
    [m for m in modules() if ".classifiers." in m or m == "noneuclid_compare.stages.train"],
)
def test_training_imports_neither_scanpy_nor_plotting(loaded, module):
    assert not {name.split(".")[0] for name in loaded(f"import {module}")} & set(HEAVY)


@each_of("name", public_names)
def test_public_name_loads_only_its_own_classifier(loaded, name):
    found = loaded(f"from noneuclid import {name}")
    module = sys.modules[getattr(__import__("noneuclid"), name).__module__].__name__
    classifiers = {m for m in found if m.startswith("noneuclid.classifiers.")}
    assert classifiers <= provenance.closure(module)


def test_unknown_public_name_is_an_attribute_error():
    import noneuclid

    with pytest.raises(AttributeError, match="NoSuchName"):
        _ = noneuclid.NoSuchName


def test_digest_changes_with_any_file_of_the_closure(tmp_path, monkeypatch):
    package = tmp_path / "noneuclid"
    (package / "sub").mkdir(parents=True)
    (package / "sub/__init__.py").write_text("")
    (package / "sub/a.py").write_text("from noneuclid.sub import b\n")
    (package / "sub/b.py").write_text("x = 1\n")
    (package / "sub/c.py").write_text("x = 1\n")

    def digest():
        provenance._contents.cache_clear()
        provenance.digest.cache_clear()
        return provenance.digest("noneuclid.sub.a")

    monkeypatch.setattr(provenance, "folders", lambda: {"noneuclid": package})
    before = digest()
    (package / "sub/c.py").write_text("x = 2\n")
    assert digest() == before
    (package / "sub/b.py").write_text('"""Says more."""\n\nx = 1  # one\n')
    assert digest() == before
    (package / "sub/b.py").write_text("x = 2\n")
    assert digest() != before
    provenance._contents.cache_clear()
    provenance.digest.cache_clear()


CODE = """class Method:
    def fit(self, X):
        return 2 * X
"""


@pytest.mark.parametrize(
    "same",
    [
        CODE.replace("2 * X", "(2*X)  # twice"),
        CODE.replace("Method:", "Method:\n    'Doubles.'\n"),
        CODE.replace("X):", 'X):\n        """Double.\n\n        >>> 1\n        """'),
        f"# A comment.\n'A method.'\n\n{CODE}\n\n",
    ],
)
def test_comments_docstrings_and_layout_are_no_other_code(same):
    assert same != CODE
    assert provenance.code_of(same, "mine") == provenance.code_of(CODE, "mine")


@each_of(
    "other",
    [
        CODE.replace("2", "3"),
        CODE.replace("2", "2.0"),
        CODE.replace("2", "'2'"),
        CODE.replace("2 * X", "X * 2"),
        CODE.replace("fit", "predict"),
        CODE.replace("(self, X)", "(self, X=None)"),
        f"import noneuclid_compare.io\n{CODE}",
        CODE.replace("        return", "        'Double.'\n        X = 'Double.'\n        return"),
    ],
)
def test_another_value_name_or_order_is_other_code(other):
    assert provenance.code_of(other, "mine") != provenance.code_of(CODE, "mine")


@pytest.mark.parametrize("read", ["print(__doc__)", "X = f.__doc__"])
def test_a_docstring_that_is_read_is_code(read):
    codes = [
        provenance.code_of(f"'{text}.'\ndef f():\n    '{text}'\n{read}", "mine") for text in "ab"
    ]
    assert codes[0] != codes[1]


@pytest.mark.slow
def test_every_module_keeps_its_meaning_in_the_canonical_form():
    for path in (path for f in provenance.folders().values() for path in f.rglob("*.py")):
        code = provenance.code_of(path.read_bytes(), path.name)
        assert provenance.code_of(code, path.name) == code


def test_relative_imports_are_refused(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("from . import b\n")
    monkeypatch.setattr(provenance, "folders", lambda: {"noneuclid": tmp_path})
    provenance._contents.cache_clear()
    with pytest.raises(InputError, match="relative"):
        provenance.imported("noneuclid.a")
    provenance._contents.cache_clear()


def test_a_new_short_name_is_no_other_code(monkeypatch):
    contents = provenance._contents

    def renamed(module):
        imports, code = contents(module)
        return imports, code + "\nMORE = 1" * (module == provenance.NAMES)

    assert provenance.NAMES in provenance.closure("noneuclid_compare.stages.train")
    before = provenance.digest("noneuclid_compare.stages.train")
    monkeypatch.setattr(provenance, "_contents", renamed)
    provenance.digest.cache_clear()
    assert provenance.digest("noneuclid_compare.stages.train") == before
    provenance.digest.cache_clear()


def test_public_names_count_by_their_module():
    text = "from noneuclid import PoincareSVC, compiled\nimport numpy"
    modules = {"noneuclid.classifiers.poincare_svm", "noneuclid.compiled"}
    assert provenance.imported_by(text, "mine") == modules
    assert provenance.imported_by(text, "noneuclid.classifiers.mine") == modules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import noneuclid", "as a whole"),
        ("from noneuclid import *", "as a whole"),
        ("1 +", "not valid Py"),
    ],
)
def test_a_module_that_does_not_say_what_it_uses_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        provenance.imported_by(text, "mine")


def test_a_method_of_the_user_counts_with_what_it_imports(tmp_path, monkeypatch):
    (tmp_path / "mine_of_mine.py").write_text("from noneuclid import PoincareSVC\n")
    monkeypatch.syspath_prepend(tmp_path)
    texts = {}
    monkeypatch.setattr(provenance, "closure", lambda *m: texts.update(dict.fromkeys(m)) or set())
    provenance.digest.__wrapped__("mine_of_mine")
    assert set(texts) == {"noneuclid.classifiers.poincare_svm"}


def test_pictures_do_not_depend_on_the_code_of_classifiers(monkeypatch):
    pictures = [name for name in modules() if name.startswith("noneuclid.plots.")]
    estimators = {f"noneuclid.{module}" for module in public_names.values()}
    found = provenance.closure(*pictures, "noneuclid_compare.stages.draw") & estimators
    assert not {name for name in found if ".classifiers." in name} - {TREE_TEXT}
    solver, contents = (
        "noneuclid.solvers.hyperboloid.certified.global_optimum",
        provenance._contents,
    )

    def edited(module):
        imports, code = contents(module)
        return imports, code + "1" * (module == solver)

    stages = ["noneuclid_compare.stages.draw"], ["noneuclid.classifiers.hyperboloid_svm"]
    digest = provenance.digest.__wrapped__
    before = [digest(*each) for each in stages]
    monkeypatch.setattr(provenance, "_contents", edited)
    after = [digest(*each) for each in stages]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False]
