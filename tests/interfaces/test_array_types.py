"""Arrays of PyTorch and JAX, frames of polars, nullable columns of pandas, sparse matrices."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from clouds import ring_clouds
from scipy.sparse import csr_array
from sklearn.utils import get_tags

import noneuclid
from noneuclid.errors import InputError

X, CODES = ring_clouds()
NAMES = np.array(["a", "b", "c"])[CODES]
NUMBERS = X[:, 0] ** 2
CLASSIFIERS = [
    noneuclid.HyperboloidSVC,
    noneuclid.HyperbolicDecisionTreeClassifier,
    noneuclid.GeodesicKNeighborsClassifier,
]
REGRESSORS = [noneuclid.HyperbolicKernelRidge, noneuclid.HyperbolicDecisionTreeRegressor]
ON_GPU = (
    "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
    "memory first."
)


class Tensor:
    """What this package needs of a tensor of PyTorch, with PyTorch's errors."""

    def __init__(self, values, requires_grad=False, dtype="torch.float64", device="cpu"):
        self.values, self.requires_grad = np.asarray(values), requires_grad
        self.dtype, self.device, self.shape = dtype, device, self.values.shape

    def __len__(self):
        return len(self.values)

    def detach(self):
        return Tensor(self.values, False, self.dtype, self.device)

    def float(self):
        return Tensor(self.values.astype(np.float32), self.requires_grad, device=self.device)

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.device != "cpu":
            raise TypeError(ON_GPU)
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values.astype(dtype or self.values.dtype)


def same(cls, X_of, y_of, y):
    """Whether a model of the rows in another type predicts as that of the array."""
    X_given, settings = X_of(X), {"chart": "tangent"}
    expected = cls(**settings).fit(np.asarray(pd.DataFrame(X)), y).predict(X)
    found = cls(**settings).fit(X_given, y_of(y)).predict(X_given)
    np.testing.assert_array_equal(found, expected)


def with_gradient(values):
    return Tensor(values, requires_grad=True)


@each_of("cls", CLASSIFIERS + REGRESSORS)
def test_a_tensor_is_read_without_its_gradient(cls):
    y, y_of = (NUMBERS, with_gradient) if cls in REGRESSORS else (CODES, Tensor)
    same(cls, with_gradient, y_of, y)
    short = np.round(X * 64) / 64  # exact in bfloat16
    model = cls(chart="tangent").fit(Tensor(short, True, "torch.bfloat16"), y)
    expected = cls(chart="tangent").fit(short, y).predict(short)
    np.testing.assert_array_equal(model.predict(Tensor(short, dtype="torch.bfloat16")), expected)


@each_of(
    "model",
    [
        noneuclid.geometry.ChartTransformer("tangent", "poincare"),
        noneuclid.geometry.Isometry([0.3, 0.1], chart="tangent"),
        noneuclid.PrincipalGeodesicAnalysis(chart="tangent"),
        noneuclid.HorosphericalPCA(chart="tangent"),
        noneuclid.LiftedPCA(2),
    ],
)
def test_transformers_read_a_tensor_without_its_gradient(model):
    expected = model.fit(X).transform(X)
    back = model.inverse_transform(expected)
    np.testing.assert_array_equal(model.fit(with_gradient(X)).transform(with_gradient(X)), expected)
    np.testing.assert_array_equal(model.inverse_transform(with_gradient(expected)), back)


@each_of("cls", [*CLASSIFIERS, *REGRESSORS, noneuclid.LiftedPCA])
def test_a_tensor_on_a_gpu_is_refused_by_pytorch(cls):
    with pytest.raises(TypeError, match=r"Use Tensor\.cpu\(\)"):
        cls().fit(Tensor(X, True, device="cuda:0"), CODES)


@each_of("kind", ["float64", "float32", "gradient", "bfloat16"])
def test_tensors_of_pytorch(kind):
    torch = pytest.importorskip("torch", reason="PyTorch, the extra 'images', is not installed")
    settings = {"requires_grad": True} if kind == "gradient" else {}
    dtype = getattr(torch, "float64" if kind == "gradient" else kind)
    rows = torch.tensor(X, dtype=dtype, **settings)
    plain = rows.detach().double().numpy()
    for cls in (*CLASSIFIERS, noneuclid.LiftedPCA):
        model, expected = (cls(chart="tangent").fit(Z, CODES) for Z in (rows, plain))
        for method in ("predict", "transform"):
            if hasattr(model, method):
                found = getattr(model, method)(rows)
                np.testing.assert_array_equal(found, getattr(expected, method)(plain))
    for cls in REGRESSORS:
        same(cls, lambda X: torch.tensor(X, **settings), torch.tensor, NUMBERS)


def test_arrays_of_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    rows = jax.numpy.asarray(X)  # float32
    for cls in CLASSIFIERS:
        model = cls(chart="tangent").fit(rows, jax.numpy.asarray(CODES))
        expected = cls(chart="tangent").fit(np.asarray(rows, float), CODES)
        np.testing.assert_array_equal(model.predict(rows), expected.predict(np.asarray(rows)))


@each_of("cls", CLASSIFIERS + REGRESSORS)
def test_frames_of_polars(cls):
    polars = pytest.importorskip("polars", reason="polars is not installed")

    def frame(X):
        return polars.DataFrame(X, schema=["east", "north"])

    if cls in REGRESSORS:
        same(cls, frame, polars.Series, NUMBERS)
        return
    for dtype in (polars.String, polars.Categorical, polars.Enum(["a", "b", "c"])):
        same(cls, frame, lambda y, dtype=dtype: polars.Series(y, dtype=dtype), NAMES)
    with pytest.raises(InputError, match="y at row 0 is None, but each row needs a label"):
        cls().fit(frame(X), polars.Series([None, *NAMES[1:].tolist()]))


def nullable(X):
    return pd.DataFrame(X, columns=["east", "north"]).astype("Float64")


@each_of("cls", CLASSIFIERS + REGRESSORS)
def test_nullable_columns_of_pandas(cls):
    with_na = nullable(X)
    with_na.loc[3, "north"] = pd.NA
    y = NUMBERS if cls in REGRESSORS else NAMES
    if get_tags(cls()).input_tags.allow_nan:
        filled = with_na.to_numpy(dtype=float, na_value=np.nan)
        found, expected = cls(random_state=0).fit(with_na, y), cls(random_state=0).fit(filled, y)
        np.testing.assert_array_equal(found.predict(with_na), expected.predict(filled))
    else:
        with pytest.raises(InputError, match=r"^X at row 3, column 1 is NaN, but a point needs"):
            cls().fit(with_na, y)
    if cls in REGRESSORS:
        labels = [pd.Series(y, dtype="Float64")]
    else:
        labels = [pd.Series(CODES, dtype="Int64"), pd.Series(CODES > 0, dtype="boolean")]
        labels += [pd.Series(NAMES, dtype=dtype) for dtype in ("category", "string", "object")]
    for column in labels:
        same(cls, nullable, lambda y, column=column: column, column.to_numpy())
        missing = column.copy()
        missing.iloc[4] = pd.NA
        with pytest.raises(InputError, match=r"^y at row 4 is (<NA>|nan), but each row needs a"):
            cls().fit(X, missing)


@each_of("cls", [*CLASSIFIERS, *REGRESSORS, noneuclid.LiftedPCA, noneuclid.HyperbolicNystroem])
def test_sparse_features_are_refused_with_the_remedy(cls):
    with pytest.raises(TypeError, match=r"dense data is required. Use '\.toarray\(\)'"):
        cls().fit(csr_array(X), CODES)


def test_features_of_landmarks_keep_float32():
    model = noneuclid.HyperbolicNystroem(n_components=9, random_state=0, chart="tangent")
    rows = X.astype(np.float32)
    found, expected = model.fit(rows).transform(rows), model.transform(rows.astype(float))
    assert (found.dtype, expected.dtype) == (np.float32, np.float64)
    np.testing.assert_array_equal(found, expected.astype(np.float32))
