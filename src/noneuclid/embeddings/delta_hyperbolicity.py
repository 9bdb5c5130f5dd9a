"""How far distances are from those of a tree: Gromov's delta."""

import numpy as np

MAX_ROWS = 500


def delta(distances, base=0):
    """Smallest delta of Gromov's four-point condition at one base point.

    With the products (x|y) = (d(x, w) + d(y, w) - d(x, y)) / 2 at the base w, it is the largest
    excess of min((x|y), (y|z)) over (x|z), which is a product of matrices over (max, min) [1]_.
    Zero exactly for the distances of a tree; over all bases it at most doubles.

    O(n^3) time, O(n^2) memory.
    Shapes: `distances` (n, n).

    References
    ----------
    .. [1] H. Fournier, A. Ismail and A. Vigneron, Computing the Gromov hyperbolicity of a discrete
       metric space, Information Processing Letters 115(6-8), 2015, doi:10.1016/j.ipl.2015.02.002.
    """
    product = (distances[base][:, None] + distances[base] - distances) / 2
    bound = [np.minimum(row[:, None], product).max(axis=0) for row in product]
    return float(np.max(np.array(bound) - product))


def relative_delta(distances_of, n, seed):
    """Twice delta over the diameter: 0 for a tree, 1 for a circle.

    This is the measure of Khrulkov et al. 2020 [1]_, section 3. Beyond 500 rows, a sample of 500
    represents all rows; the base is its first row.

    References
    ----------
    .. [1] V. Khrulkov, L. Mirvakhabova, E. Ustinova, I. Oseledets and V. Lempitsky, Hyperbolic
       image embeddings, CVPR 2020, arXiv:1904.02239.
    """
    rows = np.random.default_rng(seed).permutation(n)[:MAX_ROWS]
    distances = distances_of(rows)
    diameter = distances.max()
    return None if diameter == 0 else float(2 * delta(distances) / diameter)
