"""Linear soft-margin SVM without intercept: Newton's method or LIBLINEAR."""

from noneuclid.solvers.linear.liblinear import check_range, linear_svm
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid.solvers.products import WIDE


def soft_margin_svm(
    X,
    signs,
    C=1.0,
    loss="squared_hinge",
    max_iter=10_000,
    tol=1e-6,
    random_state=0,
    weights=None,
):
    """Minimise ½|w|² + C Σ q_i loss(y_i w·x_i), loss(m) = max(0, 1 - m) or its square.

    The squared hinge on rows of `WIDE` or more coordinates goes to Newton's method. LIBLINEAR takes
    2 to 29 times as long on 20,000 rows, and stops with gaps of up to 1.1e-02
    (benchmarks/wide_svm.py); on fewer rows than 2000 columns it can be faster. It has the hinge and
    narrow rows.
    """
    if loss == "squared_hinge" and X.shape[1] >= WIDE:
        check_range(X, C, weights)
        return newton_svm(X, signs, C, tol, max_iter, weights)
    return linear_svm(X, signs, C, loss, max_iter, tol, random_state, weights)
