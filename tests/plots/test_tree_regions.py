import numpy as np
import pytest
from cases import each_of
from matplotlib.path import Path

from noneuclid import HyperbolicDecisionTreeClassifier, HyperbolicRandomForestClassifier
from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.errors import InputError
from noneuclid.geometry import charts, poincare
from noneuclid.plots import tree_regions
from noneuclid_compare.data.generators import wrapped_normal_mixture


def fitted(classes=4, seed=0, depth=4, curvature=1.0):
    settings = {"n_samples": 300, "n_classes": classes, "curvature": curvature, "spread": 1.0}
    data = wrapped_normal_mixture.load({}, seed, **settings)
    model = HyperbolicDecisionTreeClassifier(
        max_depth=depth, chart="hyperboloid", curvature=curvature, random_state=0
    )
    return model.fit(data.features, data.labels), data


def in_the_disk(n, seed=0):
    rng = np.random.default_rng(seed)
    turn, radius = rng.uniform(0, 2 * np.pi, n), np.sqrt(rng.uniform(0, 1, n)) * (1 - 1e-9)
    return radius[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])


def area(polygon):
    x, y = polygon.T
    return 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))


@each_of("seed", range(4))
@each_of("curvature", [1.0, 0.25])
def test_polygons_say_what_the_tree_says(seed, curvature):
    model, _ = fitted(seed=seed, depth=5, curvature=curvature)
    points = in_the_disk(4000, seed)
    lifted = charts.convert(points / np.sqrt(curvature), "poincare", "hyperboloid", curvature)
    predicted, leaf = model.predict(lifted), model.apply(lifted)
    hit = np.zeros(len(points), dtype=int)
    for cell in tree_regions.cells(model):
        if not cell.is_leaf:
            continue
        polygon = cell.outline(400)
        # A polygon with 400 corners a side is within 1e-4 of its arcs.
        inner = Path(polygon).contains_points(points, radius=-1e-4)
        outer = Path(polygon).contains_points(points, radius=1e-4)
        inner, outer = inner & outer, inner | outer
        assert (leaf[inner] == cell.node).all()
        assert (predicted[inner] == model.classes_[cell.value.argmax()]).all()
        assert outer[leaf == cell.node].all()
        hit += inner
    assert hit.max() == 1
    assert hit.mean() > 0.98


@pytest.mark.parametrize("seed", range(4))
def test_leaves_tile_the_disk(seed):
    model, _ = fitted(seed=seed, depth=6)
    areas = [area(cell.outline(300)) for cell in tree_regions.cells(model) if cell.is_leaf]
    assert min(areas) > 0
    assert sum(areas) == pytest.approx(np.pi, abs=1e-4)


def test_children_tile_their_parent():
    model, _ = fitted(depth=5)
    tree, cells = model.model_.tree_, tree_regions.cells(model)
    for arc in tree_regions.arcs(model):
        children = (tree.children_left[arc.node], tree.children_right[arc.node])
        parts = [area(cells[child].outline(300)) for child in children]
        assert sum(parts) == pytest.approx(area(cells[arc.node].outline(300)), abs=1e-4)


def test_arcs_are_geodesics_inside_their_cell():
    model, _ = fitted(depth=5, curvature=4.0)
    cells = tree_regions.cells(model)
    for arc in tree_regions.arcs(model):
        points = arc.points(50)[1:-1]
        coordinates = axis_coordinates(charts.convert(points, "poincare", "hyperboloid"))
        np.testing.assert_allclose(coordinates[:, arc.axis], arc.position, atol=1e-9)
        low, high = cells[arc.node].box.T
        assert (coordinates >= low - 1e-9).all()
        assert (coordinates <= high + 1e-9).all()
        centre, radius = arc.circle
        np.testing.assert_allclose(np.linalg.norm(points - centre, axis=1), radius, rtol=1e-9)
        # On a geodesic the way through the middle is no detour.
        ways = [poincare.distance(points[a], points[b]) for a, b in ((0, 20), (20, -1), (0, -1))]
        assert ways[0] + ways[1] == pytest.approx(ways[2], rel=1e-9)
        ends = arc.points(2)
        rim = np.isclose(np.abs(arc.ends), np.pi / 2)
        np.testing.assert_allclose(np.linalg.norm(ends[rim], axis=1), 1, atol=1e-12)
        if not rim.all():
            inner = axis_coordinates(charts.convert(ends[~rim], "poincare", "hyperboloid"))
            other = inner[:, 1 - arc.axis][:, None] - cells[arc.node].box[1 - arc.axis]
            assert np.abs(other).min(axis=1) == pytest.approx(0, abs=1e-7)


def test_corner_boxes_beyond_the_disk_are_empty():
    assert len(tree_regions.outline(np.array([[2.0, np.inf], [2.0, np.inf]]))) == 0
    assert area(tree_regions.outline(np.array([[0.5, np.inf], [0.5, np.inf]]))) > 0


def test_a_tree_without_splits_is_the_whole_disk():
    model, _ = fitted(depth=1)
    model.set_params(min_samples_leaf=200).fit(*_data())
    assert tree_regions.arcs(model) == []
    (cell,) = tree_regions.cells(model)
    assert area(cell.outline(300)) == pytest.approx(np.pi, abs=1e-3)


def _data():
    _, data = fitted()
    return data.features, data.labels


def test_forests_by_tree_and_other_dimensions_refused():
    X, y = _data()
    forest = HyperbolicRandomForestClassifier(n_estimators=3, max_depth=2, chart="hyperboloid")
    forest.fit(X, y)
    assert len(tree_regions.arcs(forest, 2)) <= 3
    with pytest.raises(InputError, match="tree 3 does not exist; the model has trees 0 to 2"):
        tree_regions.arcs(forest, 3)
    deep = HyperbolicDecisionTreeClassifier().fit(np.eye(3), [0, 1, 1])
    with pytest.raises(InputError, match="splits 3 axes"):
        tree_regions.cells(deep)
