"""Well-known scales of words, from low to high: a category of one of them has an order."""

SCALES = (
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("tiny", "small", "medium", "large", "huge"),
    ("very low", "low", "moderate", "high", "very high"),
    ("very low", "low", "medium", "high", "very high"),
    ("none", "mild", "moderate", "severe"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("never", "seldom", "occasionally", "frequently", "always"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("i", "ii", "iii", "iv", "v"),
    ("first", "second", "third", "fourth", "fifth"),
    ("primary", "secondary", "tertiary"),
    ("beginner", "intermediate", "advanced", "expert"),
)
# Of two levels the order says nothing, and S and M may be a marital status.
FEWEST = 3


def in_order(levels):
    """Levels in the order of the one scale that has them all, empty if there is none.

    Capitals do not matter; two levels that differ by them only have no order.

    Examples
    --------
    >>> in_order(["L", "S", "M"]), in_order(["Often", "never", "sometimes"])
    (['S', 'M', 'L'], ['never', 'sometimes', 'Often'])
    >>> in_order(["S", "M", "L", "D"]), in_order(["S", "M"]), in_order(["low", "Low", "high"])
    ([], [], [])
    """
    known = {level.casefold(): level for level in levels}
    if len(known) < max(FEWEST, len(levels)):
        return []
    scale = next((scale for scale in SCALES if {*known} <= {*scale}), ())
    return [known[word] for word in scale if word in known]
