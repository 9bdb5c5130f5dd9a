"""Growth of a decision tree on the features of `product_features`, and descent of rows.

Every feature is sorted once; a node holds a range of each order, and a split divides all ranges
stably, so that a level of the tree takes O(n_features n). One pass along the order visits all
thresholds of a feature: each row changes its side once. Around a plane the side is a half circle,
whose complement is the half circle at theta + pi, so that n thresholds modulo pi are all of them
(Chlenski et al., Mixed-curvature decision trees and random forests, ICML 2025, section 3).

A row has a code, a target and a weight: in classification the class and target 1, in regression
code 0 and the number. With c_k the sum of weight times target over the rows of code k, and N that
of weights, a split maximises the sum over both sides of Σ_k c_k² / N, which is least Gini impurity
and least squared error at once; or, for entropy, of Σ_k c_k log2 c_k - N log2 N.
"""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner, compile_released

_EPS = np.finfo(float).eps  # as scikit-learn compares an impurity decrease


@compile_released
def grow(values, turned, circular, order, codes, targets, weights, n_codes, rules, seed):
    """Grow a tree on the rows of weight > 0.

    Parameters
    ----------
    values, turned : ndarray of float and bool, shape (n_features, n)
    circular : ndarray of bool, shape (n_features,)
        Planes.
    order : ndarray of int32, shape (n_features, n)
        Rows in the order of their values.
    codes, targets, weights : ndarray of int32, float and float, shape (n,)
    rules : tuple
        max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, features to draw
        at a node, min_impurity_decrease, whether by entropy, and whether thresholds are random.
    seed : int

    Returns
    -------
    features : ndarray of int32, shape (n_nodes,)
        -1 in leaves. Node 0 is the root.
    thresholds : ndarray, shape (n_nodes,)
    left : ndarray of int32, shape (n_nodes,)
        The right child has the next number; a leaf its own.
    sums, totals : ndarray, shape (n_nodes, n_codes) and (n_nodes,)
        c and N.
    importances : ndarray, shape (n_features,)
        Decrease of the total impurity by splits of each feature.
    """
    depth_limit, least_split, least_rows, fraction, n_drawn, least_decrease, entropy, random = rules
    order = _heavy(order, weights)
    n_features, n = order.shape
    capacity = 2 * n - 1
    if depth_limit < 30:
        capacity = min(capacity, 2 ** (depth_limit + 1) - 1)
    features, left = np.full(capacity, -1, np.int32), np.arange(capacity).astype(np.int32)
    thresholds, totals = np.zeros(capacity), np.zeros(capacity)
    sums, importances = np.zeros((capacity, n_codes)), np.zeros(n_features)
    side, goes_left = np.empty(n_codes), np.empty(len(weights), np.bool_)
    buffer, drawn = np.empty(n, np.int32), np.arange(n_features)
    state = np.array([seed], np.uint64)
    stack = np.empty((n // 2 + 2, 4), np.int64)  # node, its range, its depth
    totals[0], varied = _sum_up(order[0], codes, targets, weights, sums[0])
    n_nodes, n_open = 1, 0
    least, least_split = (least_rows, fraction * totals[0]), max(least_split, 2 * least_rows)
    if varied and n >= least_split and depth_limit > 0:
        stack[0], n_open = (0, 0, n, 0), 1
    while n_open:
        n_open -= 1
        node, start, stop, depth = stack[n_open]
        best, feature, threshold = -np.inf, -1, 0.0
        for k in range(n_features):
            if k >= n_drawn and feature >= 0:
                break
            if n_drawn < n_features:
                other = k + np.int64(_uniform(state) * (n_features - k))
                drawn[k], drawn[other] = drawn[other], drawn[k]
            f = drawn[k]
            rows = order[f, start:stop]
            data = codes, targets, weights, sums[node], side
            if random:
                found, place = _random_split(
                    rows, values[f], turned[f], circular[f], data, least, entropy, state
                )
            else:
                found, gap = _best_gap(rows, values[f], turned[f], data, least, entropy)
                place = _middle(rows, values[f], gap)
            if found > best:
                best, feature, threshold = found, f, place
        if feature < 0:
            continue
        decrease = best - _score(sums[node], totals[node], entropy)
        if decrease / totals[0] + _EPS < least_decrease:
            continue
        features[node], thresholds[node], left[node] = feature, threshold, n_nodes
        importances[feature] += decrease
        for i in order[feature, start:stop]:
            goes_left[i] = (values[feature, i] <= threshold) != turned[feature, i]
        middle = start + _divide(order[0, start:stop], goes_left, buffer)
        first_open = n_open
        for child, a, b in ((n_nodes, start, middle), (n_nodes + 1, middle, stop)):
            totals[child], varied = _sum_up(order[0, a:b], codes, targets, weights, sums[child])
            if varied and b - a >= least_split and depth + 1 < depth_limit:
                stack[n_open] = child, a, b, depth + 1
                n_open += 1
        if n_open > first_open:  # leaves need no order
            for f in range(1, n_features):
                _divide(order[f, start:stop], goes_left, buffer)
        n_nodes += 2
    kept = slice(0, n_nodes)
    return (
        features[kept].copy(),
        thresholds[kept].copy(),
        left[kept].copy(),
        sums[kept].copy(),
        totals[kept].copy(),
        importances,
    )


@compile_inner
def _heavy(order, weights):
    """Rows of weight > 0 in each order."""
    n = 0
    for weight in weights:
        n += weight > 0
    kept = np.empty((len(order), n), np.int32)
    for f in range(len(order)):
        place = 0
        for i in order[f]:
            if weights[i] > 0:
                kept[f, place] = i
                place += 1
    return kept


@compile_inner
def _sum_up(rows, codes, targets, weights, sums):
    """Write c of a node; its N, and whether its rows differ in code or target."""
    total, varied = 0.0, False
    for i in rows:
        total += weights[i]
        sums[codes[i]] += weights[i] * targets[i]
        varied |= codes[i] != codes[rows[0]] or targets[i] != targets[rows[0]]
    return total, varied


@compile_inner
def _part(c, entropy):
    """Part of one code in the score of a side."""
    if not entropy:
        return c * c
    return c * np.log2(c) if c > 0 else 0.0


@compile_inner
def _per_weight(parts, total, entropy):
    """Score of a side from the sum of its parts."""
    return parts - _part(total, True) if entropy else parts / total


@compile_inner
def _score(sums, total, entropy):
    """Score of a node."""
    parts = 0.0
    for c in sums:
        parts += _part(c, entropy)
    return _per_weight(parts, total, entropy)


@compile_inner
def _best_gap(rows, values, turned, data, least, entropy):
    """Best score of the thresholds between two values, and the place of the row before it.

    Starts below the lowest value, where turned rows are left. The last place is behind the highest
    value: along an axis all rows are left there, which `least`, rows and weight, excludes.
    """
    codes, targets, weights, sums, side = data
    side[:] = 0.0
    n_left, total_left, total_right = 0, 0.0, 0.0
    for i in rows:
        if turned[i]:
            side[codes[i]] += weights[i] * targets[i]
            total_left += weights[i]
            n_left += 1
        else:
            total_right += weights[i]
    parts_left, parts_right = 0.0, 0.0
    for k in range(len(sums)):
        parts_left += _part(side[k], entropy)
        parts_right += _part(sums[k] - side[k], entropy)
    best, gap = -np.inf, -1
    for place in range(len(rows)):
        i = rows[place]
        weight = -weights[i] if turned[i] else weights[i]
        change, k = weight * targets[i], codes[i]
        here, there = side[k], sums[k] - side[k]
        parts_left += _part(here + change, entropy) - _part(here, entropy)
        parts_right += _part(there - change, entropy) - _part(there, entropy)
        side[k] = here + change
        total_left += weight
        total_right -= weight
        n_left += -1 if turned[i] else 1
        if place + 1 < len(rows) and values[rows[place + 1]] == values[i]:
            continue
        if n_left < least[0] or len(rows) - n_left < least[0]:
            continue
        if total_left < least[1] or total_right < least[1]:
            continue
        if entropy:  # by counts alone: sums of differences depend on the order of rows
            parts_left, parts_right = 0.0, 0.0
            for k in range(len(sums)):
                parts_left += _part(side[k], True)
                parts_right += _part(sums[k] - side[k], True)
        score = _per_weight(parts_left, total_left, entropy)
        score += _per_weight(parts_right, total_right, entropy)
        if score > best:
            best, gap = score, place
    return best, gap


@compile_inner
def _middle(rows, values, gap):
    """Threshold halfway between two values; behind the last one, halfway around to the first."""
    low = values[rows[gap]]
    if gap + 1 < len(rows):
        high = values[rows[gap + 1]]
        middle = 0.5 * low + 0.5 * high
        return middle if middle < high else low
    high = values[rows[0]]
    middle = 0.5 * (low + high + np.pi)
    if middle < np.pi:
        return middle
    return middle - np.pi if middle - np.pi < high else low


@compile_inner
def _random_split(rows, values, turned, circular, data, least, entropy, state):
    """Score and place of a threshold uniform among those that leave rows on both sides.

    If one leaves none, those of its gap are excluded, and only these.
    """
    codes, targets, weights, sums, side = data
    n_left = 0
    for i in rows:
        n_left += turned[i]
    low, length = 0.0, np.pi
    for place in range(len(rows)):
        i = rows[place]
        n_left += -1 if turned[i] else 1
        last = place + 1 == len(rows)
        if 0 < n_left < len(rows) or (not last and values[rows[place + 1]] == values[i]):
            continue
        low = values[rows[0 if last else place + 1]]
        length = values[i] - low + (0.0 if last else np.pi)
        break
    threshold = low + length * _uniform(state)
    if circular and threshold >= np.pi:
        threshold -= np.pi
    side[:] = 0.0
    n_left, total_left, total_right = 0, 0.0, 0.0
    for i in rows:
        if (values[i] <= threshold) != turned[i]:
            side[codes[i]] += weights[i] * targets[i]
            total_left += weights[i]
            n_left += 1
        else:
            total_right += weights[i]
    if n_left < least[0] or len(rows) - n_left < least[0]:
        return -np.inf, 0.0
    if total_left < least[1] or total_right < least[1]:
        return -np.inf, 0.0
    parts_left, parts_right = 0.0, 0.0
    for k in range(len(sums)):
        parts_left += _part(side[k], entropy)
        parts_right += _part(sums[k] - side[k], entropy)
    score = _per_weight(parts_left, total_left, entropy)
    return score + _per_weight(parts_right, total_right, entropy), threshold


@compile_inner
def _divide(rows, goes_left, buffer):
    """Move the rows that go left to the front, in their order, and count them."""
    n_left, n_right = 0, 0
    for place in range(len(rows)):
        i = rows[place]
        rows[n_left], buffer[n_right] = i, i  # without a branch: one of both is overwritten
        n_left += goes_left[i]
        n_right += not goes_left[i]
    for place in range(n_right):
        rows[n_left + place] = buffer[place]
    return n_left


@compile_inner
def _uniform(state):
    """Number in [0, 1) by splitmix64 (Steele, Lea and Flood, 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.float64((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


@compile_cached
def descend(values, turned, features, thresholds, left, nodes):
    """Write the leaf of each row over the root; rows step together, which hides the latency."""
    moving = True
    while moving:
        moving = False
        for i in range(len(nodes)):
            node = np.uintp(nodes[i])
            if features[node] < 0:
                continue
            f = np.uintp(features[node])
            goes_left = (values[f, np.uintp(i)] <= thresholds[node]) != turned[f, np.uintp(i)]
            nodes[i] = left[node] + (0 if goes_left else 1)
            moving = True


@compile_cached
def add_values(nodes, leaf_values, total):
    """Add the value of the leaf of each row to its row of `total`."""
    for i in range(len(nodes)):
        for k in range(leaf_values.shape[1]):
            total[i, k] += leaf_values[nodes[i], k]
