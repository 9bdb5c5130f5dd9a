"""Gradient descent of yang2024's program, one-vs-one with the signs that it gives each pair."""

from dataclasses import replace

from noneuclid.papers import yang2024


class ReleasedPGD(yang2024.ReleasedPGD):
    """`yang2024.ReleasedPGD` with the first class of each pair positive, as in the program.

    The labels -3 and 1 of the start make the two signs unequal (src/models/SVMBase.py, line 79).
    """

    def _solve(self, points, signs, *args):
        if self.multi_class != "ovo" or len(self.classes_) == 2:
            return super()._solve(points, signs, *args)
        found = super()._solve(points, -signs, *args)
        return replace(found, w=-found.w)
