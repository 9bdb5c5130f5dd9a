"""Settings of the documentation: `make docs` builds it without any network."""

import os
import re
import sys
import warnings
from importlib.metadata import metadata
from pathlib import Path

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx_gallery.sorting import FileNameSortKey

import noneuclid

sys.path.insert(0, os.path.dirname(__file__))
from site_links import of_site

project = "noneuclid"
author = "noneuclid contributors"
copyright = author
release = version = noneuclid.__version__
# The addresses of pyproject.toml: Homepage, Documentation, Source, Issues, Changelog.
ADDRESSES = dict(line.split(", ") for line in metadata(project).get_all("Project-URL"))

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = [
    "_build",
    "**sg_execution_times.rst",
    "gallery/*.py",
    "tutorials/*.py",
    "**/*.ipynb",
]
templates_path = ["_templates"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}

html_theme = "pydata_sphinx_theme"
html_title = "noneuclid"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_math_renderer = "mathml"
# Only the reference, the tutorials and the gallery have pages of their own below them.
_SINGLE = {path.stem for path in Path(__file__).parent.glob("*.md")} - {"api"}
html_sidebars = {page: [] for page in sorted(_SINGLE)}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["sphinx-version"],
    "footer_end": ["theme-version"],
    "show_prev_next": True,
}
html_extra_path = ["switcher.json"]
copybutton_exclude = ".linenos, .gp, .go"

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
# Links from the guides to files of the repository that are no page of the site.
suppress_warnings = ["myst.xref_missing", "config.cache"]

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_ignore = "all"  # except numpydoc's own list of types
toc_object_entries_show_parents = "hide"
# What needs a network, for the published site: `make docs DOCS="-t online"`.
if tags.has("online"):  # noqa: F821
    html_theme_options |= {
        "use_edit_page_button": True,
        "secondary_sidebar_items": {
            "**": ["page-toc", "edit-this-page"],
            "[agt]*/**": ["page-toc"],  # api, gallery, tutorials: made from other files
        },
        "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
        "switcher": {
            "json_url": f"{ADDRESSES['Documentation']}/switcher.json",
            "version_match": version,
        },
        "check_switcher": False,
    }
    html_context = {
        "edit_page_url_template": ADDRESSES["Source"] + "/edit/main/docs/{{ file_name }}",
        "edit_page_provider_name": "the repository",
    }
    numpydoc_xref_param_type = True
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "scipy": ("https://docs.scipy.org/doc/scipy", None),
        "sklearn": ("https://scikit-learn.org/stable", None),
        "pandas": ("https://pandas.pydata.org/docs", None),
        "matplotlib": ("https://matplotlib.org/stable", None),
        "anndata": ("https://anndata.readthedocs.io/en/stable", None),
        "networkx": ("https://networkx.org/documentation/stable", None),
    }

sphinx_gallery_conf = {
    "examples_dirs": ["../tutorials", "../examples"],
    "gallery_dirs": ["tutorials", "gallery"],
    "filename_pattern": "/plot_",
    "within_subsection_order": FileNameSortKey,
    "backreferences_dir": "backreferences",
    "doc_module": ("noneuclid",),
    "show_memory": False,
    "write_computation_times": False,  # those pages fetch scripts from another host
    "show_signature": False,
    "download_all_examples": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "matplotlib_animations": False,
    "plot_gallery": True,
}

os.environ["TQDM_DISABLE"] = "1"  # no progress bars in the output of examples
# The examples say what they warn about in words.
warnings.filterwarnings("ignore", category=DeprecationWarning)


def write_math(tex, block):
    """Return MathML, which browsers draw without any script or font of their own."""
    try:
        return tex2mathml(tex, as_block=block)
    except MathError as error:
        raise ValueError(f"the formula {tex!r} has no MathML: {error}") from error


def visit_inline(translator, node):
    """Write an inline formula."""
    translator.body.append(write_math(node.astext(), block=False))
    raise SkipNode


def visit_block(translator, node):
    """Write a formula on lines of its own, with its number."""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    text = write_math(node.astext(), block=True)
    translator.body.append(f'<div class="math-block">{text}{number}</div>')
    raise SkipNode


def clean_docstring(app, what, name, obj, options, lines):
    """Write |w| as it is, where reStructuredText takes bars for a substitution."""
    # References to scikit-learn's own site, which are in inherited docstrings.
    text = re.sub(r":ref:`([^`<]+?)\s*(?:<[^`>]*>)?`", r"\1", "\n".join(lines))
    lines[:] = text.split("\n")
    example = False
    for number, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and line.strip() != "")
        if not example and "``" not in line:
            lines[number] = line.replace("|", r"\|")


def write_links(app, page, content):
    """Write links to files of a checkout as links to the pages made from them."""
    content[0] = of_site(content[0])


def setup(app):
    """Register links, the renderer of formulas, and the change of docstrings after numpydoc's."""
    app.connect("source-read", write_links)
    app.connect("autodoc-process-docstring", clean_docstring, priority=900)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
