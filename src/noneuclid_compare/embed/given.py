"""Points that come embedded: nothing is computed, only checked."""

from noneuclid.embeddings import maps
from noneuclid.errors import require
from noneuclid.geometry.spaces import check_points
from noneuclid_compare.records import Embedded


def embed(dataset, seed):
    """Pass the coordinates of the data set on.

    Parameters
    ----------
    dataset : Dataset
        Kind `points` with its chart, or `composition`, whose chart is then called `composition`.

    Returns
    -------
    Embedded
        Same coordinates, chart and curvature, and in `about` the data set's `reference_points`.
        The distortion is empty: there is nothing to compare with.

    Raises
    ------
    InputError
        If the data set is not embedded, or a row does not satisfy its chart.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid_compare.records import Dataset
    >>> features = np.array([[0.1], [0.2]])
    >>> data = Dataset("d", "points", [0, 1], ("a", "b"), features=features, chart="klein")
    >>> embed(data, 0).chart
    'klein'
    """
    require(
        dataset.kind == "points",
        f"given: {dataset.name} has kind {dataset.kind!r} and no coordinates; "
        "use hydra or lifted_pca",
    )
    check_points(dataset.features, dataset.chart, dataset.curvature)
    about = {
        "embedding": {"name": "given", "settings": {}, "distortion": {}, "transductive": False}
    }
    # Base points in the chart of the data: no other embedding could place them.
    if "reference_points" in dataset.about:
        about["reference_points"] = dataset.about["reference_points"]
    return Embedded(
        points=dataset.features,
        chart=dataset.chart,
        labels=dataset.labels,
        class_names=dataset.class_names,
        curvature=dataset.curvature,
        fixed_fold=dataset.fixed_fold,
        about=about,
        rule=maps.Given(
            chart=dataset.chart,
            curvature=dataset.curvature,
            project_to_ball=dataset.about.get("project_to_ball", False),
            written=dataset.about.get("written"),
        ),
    )
