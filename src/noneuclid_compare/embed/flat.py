"""What flat baselines of scikit-learn share: reduced features come in, scaled points go out.

Their unit is arbitrary, and without scaling exp at the origin would leave the float64 range.
"""

import warnings

from noneuclid.embeddings.base import require_features
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import choose_scale, standardises
from noneuclid.embeddings.lifted_pca import principal_components, scale_to_radius
from noneuclid.embeddings.maps import Map
from noneuclid.errors import require, require_number
from noneuclid_compare.records import Embedded

FOR_OTHERS = "use deepwalk or spectral for a graph, given for points"


def reduced(dataset, seed, name, *, n_pcs, standardize):
    """Scaled features, and at most `n_pcs` principal components of them (None: all)."""
    require_features(dataset, name, FOR_OTHERS)
    chosen = standardises(standardize, dataset, name)
    features = choose_scale(dataset.features, chosen, name)(dataset.features)
    require((features != features[0]).any(), f"{name}: all rows are equal; give others")
    if n_pcs is not None:
        require_number(n_pcs, "n_pcs", name, low=1, integer=True)
        if n_pcs < min(features.shape):
            return features, principal_components(features, n_pcs, seed)[0], chosen
    return features, features, chosen


def fitted(model, rows):
    """Points of a transformer of scikit-learn, in float64."""
    with warnings.catch_warnings():
        # A graph in several components is usual; the eigenvectors then tell them apart.
        warnings.filterwarnings("ignore", message="Graph is not fully connected")
        return model.fit_transform(rows).astype(float)


def as_embedded(dataset, flat, seed, name, settings, features=None):
    """Centred points whose `quantile` of the norms is `radius`, in the chart "tangent"."""
    require_number(settings["quantile"], "quantile", name, low=0.01, high=1.0)
    require_number(settings["radius"], "radius", name, low=1e-3, high=15.0)
    size = {key: settings[key] for key in ("quantile", "radius")}
    points, _ = scale_to_radius(flat - flat.mean(axis=0), name, **size)
    distortion = {} if features is None else distortion_of_features(features, points, seed)
    return Embedded(
        points=points,
        chart="tangent",
        labels=dataset.labels,
        class_names=dataset.class_names,
        fixed_fold=dataset.fixed_fold,
        about={
            "embedding": {
                "name": name,
                "settings": settings,
                "distortion": distortion,
                "transductive": True,
            }
        },
        rule=Map(why=f"{name} has no place for new rows; embed all rows again"),
    )
