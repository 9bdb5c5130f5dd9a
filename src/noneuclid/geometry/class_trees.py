"""Trees of classes: cell types under cell types, images under the words of WordNet."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require

HEADER = ("child", "parent")


@dataclass(frozen=True)
class ClassTree:
    """A rooted tree whose nodes include the classes; `class_tree` makes and checks it.

    Attributes
    ----------
    nodes : tuple of str
        Parents before their children, so the root is first. Only nodes with a class at or below
        them.
    ancestors : ndarray of bool, shape (n_classes, n_nodes)
        Whether a node is the class or one of its ancestors.
    """

    nodes: tuple
    ancestors: np.ndarray

    @property
    def depths(self):
        """Edges between the root and each class, shape (n_classes,)."""
        return self.ancestors.sum(axis=1) - 1

    @property
    def distances(self):
        """Edges of the path between each two classes, shape (n_classes, n_classes)."""
        found = self.ancestors.astype(np.int64)
        return self.depths[:, None] + self.depths - 2 * (found @ found.T - 1)

    @property
    def counts(self):
        """Number of classes at or below each node, shape (n_nodes,)."""
        return self.ancestors.sum(axis=0)

    def at_level(self, level):
        """Node of each class that is `level` edges from the root; a class above it stays itself."""
        order = np.cumsum(self.ancestors, axis=1)
        reached = np.minimum(level, self.depths) + 1
        return np.argmax(self.ancestors & (order == reached[:, None]), axis=1)


def class_tree(parents, classes):
    """Tree of classes from the parent of each node.

    Parameters
    ----------
    parents : dict of str to str
        Parent of each node except the root. Classes may be leaves or inner nodes; nodes without
        a class at or below them are left out.
    classes : sequence of str

    Returns
    -------
    ClassTree

    Raises
    ------
    InputError
        If there is a cycle, there are several roots, or a class is not in the tree.

    Examples
    --------
    >>> tree = class_tree({"T": "lymphoid", "B": "lymphoid", "lymphoid": "blood",
    ...                    "mono": "blood"}, ["B", "T", "mono"])
    >>> tree.nodes
    ('blood', 'lymphoid', 'mono', 'B', 'T')
    >>> tree.distances
    array([[0, 2, 3],
           [2, 0, 3],
           [3, 3, 0]])
    >>> [tree.nodes[k] for k in tree.at_level(1)]
    ['lymphoid', 'lymphoid', 'mono']
    """
    for child, parent in dict(parents).items():
        require(
            parent is not None,
            f"class tree: the parent of {child!r} is None; leave the root out, it has no parent",
        )
    names = [str(child) for child in dict(parents)]
    twice = next((name for name in names if names.count(name) > 1), None)
    require(
        twice is None,
        f"class tree: {twice!r} is given twice, as a number and as text; keep one line",
    )
    parents = {str(child): str(parent) for child, parent in dict(parents).items()}
    paths = {name: _path(name, parents) for name in sorted({*parents, *parents.values()})}
    for name in map(str, classes):
        require(
            name in paths,
            f"class tree: class {name!r} is not in the tree; add the line {name}: PARENT",
        )
    roots = sorted({path[-1] for path in paths.values()})
    require(
        len(roots) == 1,
        f"class tree: {len(roots)} roots, {', '.join(map(repr, roots[:3]))}; give them one parent",
    )
    used = {node for name in map(str, classes) for node in paths[name]}
    nodes = sorted(used, key=lambda node: (len(paths[node]), node))
    ancestors = [[node in paths[str(name)] for node in nodes] for name in classes]
    shape = len(ancestors), len(nodes)
    return ClassTree(tuple(nodes), np.array(ancestors, dtype=bool).reshape(shape))


def _path(name, parents):
    """Nodes from one to its root."""
    path = [name]
    while path[-1] in parents:
        path.append(parents[path[-1]])
        if path[-1] in path[:-1]:
            circle = " -> ".join(path[path.index(path[-1]) :])
            raise InputError(f"class tree: {circle} is a cycle; delete one of these lines")
    return path


def read_parents(path):
    """Parent of each node from a table of two columns, child and parent.

    Columns are separated by tabs in ``.tsv`` and ``.txt``, else by commas; a first line
    ``child, parent`` is skipped.

    Raises
    ------
    InputError
        If a line has not two columns, or a child is given twice.
    """
    separator = "\t" if Path(path).suffix in (".tsv", ".txt") else ","
    found = {}
    try:
        with open(path, newline="", encoding="utf-8-sig") as stream:
            lines = list(csv.reader(stream, delimiter=separator))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path of the class tree") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the class tree is not UTF-8; save it in UTF-8") from error
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line]
        if not any(cells) or (number == 1 and tuple(map(str.lower, cells)) == HEADER):
            continue
        require(
            len(cells) == 2 and all(cells),
            f"{path}, line {number}: {len(cells)} columns; give two, the child and its parent",
        )
        child, parent = cells
        require(child not in found, f"{path}, line {number}: {child!r} has two parents; keep one")
        found[child] = parent
    return found
