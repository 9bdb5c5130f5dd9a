"""Linear SVM without intercept and with the squared hinge: Newton's method or LIBLINEAR."""

from noneuclid.solvers.linear.liblinear import check_range, linear_svm
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid.solvers.products import WIDE


def soft_margin_svm(X, signs, C=1.0, weights=None):
    """Minimise ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i)².

    Rows of `WIDE` or more coordinates go to Newton's method. LIBLINEAR takes 2 to 29 times as long
    on 20,000 rows of these, and stops with gaps of up to 1.1e-02 (benchmarks/wide_svm.py); on
    fewer rows than 2000 columns it can be faster. It has the narrow rows.
    """
    if X.shape[1] < WIDE:
        return linear_svm(X, signs, C, weights=weights)
    check_range(X, C, weights)
    return newton_svm(X, signs, C, max_iter=10_000, weights=weights)
