"""Links of the pages, which are to files of a checkout, as links to pages of the site."""

import re

FOLDERS = {"tutorials": "tutorials", "examples": "gallery"}


def of_site(text):
    """The text of a page with the links that the site needs.

    Examples
    --------
    >>> of_site("[a](../examples/plot_02_charts.py), [b](../tutorials/README.txt)")
    '[a](gallery/plot_02_charts.rst), [b](tutorials/index.rst)'
    >>> of_site("[c](../config/README.md#run), [d](../LICENSE)")
    '[c](recipes.md#run), [d](../LICENSE)'
    """
    for folder, made in FOLDERS.items():
        text = re.sub(rf"\]\(\.\./{folder}/(plot_\w+)\.py", rf"]({made}/\1.rst", text)
        text = text.replace(f"](../{folder}/README.txt", f"]({made}/index.rst")
    return text.replace("](../config/README.md", "](recipes.md")
