"""
Products of spaces
==================

Some columns are not numbers on a line. A place on Earth is a point of a sphere, and an hour or a month is a point of a circle: December
is next to January. A product space (:doc:`/product_spaces`) holds them in one table.
"""

# %%
# Data
# ----
# 600 solar panels anywhere on Earth, each measured once: place, hour (UTC), month, and power in W/m². The data are simulated from the
# height of the sun, which is known, and clouds, which take up to half of the light. A second target is the temperature of a simple
# climate: colder towards the poles, with seasons that are opposite in the south, and noise of 2 °C.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold, cross_val_score

from noneuclid import ProductRandomForestRegressor, ProductSpaceDisplay

rng, n = np.random.default_rng(0), 600
lat, lon = np.arcsin(rng.uniform(-1, 1, n)), rng.uniform(-np.pi, np.pi, n)
hour, month = rng.uniform(0, 24, n), rng.integers(1, 13, n)
season = np.cos(2 * np.pi * (month - 6.5) / 12)
tilt, noon = np.radians(23.4) * season, lon + 2 * np.pi * (hour - 12) / 24
height = np.sin(lat) * np.sin(tilt) + np.cos(lat) * np.cos(tilt) * np.cos(noon)
power = 1000 * np.maximum(height, 0) * rng.uniform(0.5, 1, n)
warmth = 27 - 40 * np.sin(lat) ** 2 + 15 * np.sin(lat) * season + rng.normal(scale=2, size=n)

# %%
# Coordinates
# -----------
# A place becomes a unit vector, an hour or a month a point of the unit circle: the sphere and two circles of the signature ``S2 S1 S1``.
a, b = 2 * np.pi * hour / 24, 2 * np.pi * month / 12
place = np.c_[np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)]
X = np.c_[place, np.cos(a), np.sin(a), np.cos(b), np.sin(b)]

# %%
# Compare
# -------
# 30 trees each on the four raw numbers, on the seven columns, and on the product.
few = {"n_estimators": 30, "random_state": 0}
methods = {
    "raw numbers": (RandomForestRegressor(**few), np.c_[lat, lon, hour, month]),
    "seven columns": (RandomForestRegressor(**few), X),
    "product": (ProductRandomForestRegressor(space="S2 S1 S1", **few), X),
}
cv = KFold(3, shuffle=True, random_state=0)
for target, y in {"power, W/m²": power, "temperature, °C": warmth}.items():
    for name, (model, rows) in methods.items():
        errors = -cross_val_score(model, rows, y, cv=cv, scoring="neg_root_mean_squared_error")
        print(f"{target:16} {name:13} root mean squared error {errors.mean():.1f}")

# %%
# The product is best for the power: the sun divides the Earth along a great circle, and midnight and New Year divide nothing. It is worst
# for the temperature, which depends on the latitude: a tree on raw numbers splits at a parallel, a tree of the product at great circles.
#
# The picture shows the rows from 9 to 15 o'clock UTC. Points of the far side are hollow; on a circle each class has a row.
shown, y = np.abs(hour - 12) < 3, np.where(power > 0, "day", "night")
ProductSpaceDisplay.from_points("S2 S1 S1", X[shown], y[shown])
plt.show()
