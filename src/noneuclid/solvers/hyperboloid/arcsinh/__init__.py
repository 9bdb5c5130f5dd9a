"""The loss of Cho et al. (2019): a local optimum, and in the plane a bound."""
