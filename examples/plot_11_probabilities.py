"""
Distances, scores and probabilities
===================================

Raw scores of a hyperboloid SVM grow like the exponential of the distance, so a few far points flatten a sigmoid that is fitted
to them. The default fits the sigmoid to the distance. The curves show the observed share of the class for each predicted
probability; the diagonal is perfect calibration.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split

from noneuclid import HyperboloidSVC

rng = np.random.default_rng(0)
X = np.concatenate([c + 1.3 * rng.normal(size=(1500, 2)) for c in ([1.2, 0.4], [-0.6, 0.0])])
y = np.repeat([1, 0], 1500)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.7, random_state=0)

fig, ax = plt.subplots(figsize=(5, 4.6), layout="constrained")
for calibration in ("distance", "platt"):
    model = HyperboloidSVC(C=1, calibration=calibration).fit(X_train, y_train)
    loss = brier_score_loss(y_test, model.predict_proba(X_test)[:, 1])
    CalibrationDisplay.from_estimator(
        model, X_test, y_test, n_bins=8, ax=ax, name=f"{calibration}, Brier score {loss:.3f}"
    )
ax.set(xlabel="predicted probability", ylabel="share of the class")
plt.show()
