"""The HTML display of an estimator links to the page of its class."""

import tomllib
from pathlib import Path

from sklearn.base import BaseEstimator
from sklearn.utils import estimator_html_repr

import noneuclid
from noneuclid import geometry
from noneuclid.estimator import DOCUMENTATION

ROOT = Path(__file__).resolve().parents[1]


def test_the_address_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["urls"]["Documentation"] == DOCUMENTATION


def test_every_public_estimator_has_the_link():
    found = [getattr(noneuclid, name) for name in noneuclid.__all__]
    found = [cls for cls in found if isinstance(cls, type) and issubclass(cls, BaseEstimator)]
    assert len(found) > 40
    for cls in found:
        page = f"{DOCUMENTATION}/api/noneuclid.{cls.__name__}.html"
        assert cls._get_doc_link(cls.__new__(cls)) == page, cls


def test_those_of_the_geometry_have_theirs():
    model = geometry.ChartTransformer("klein", "poincare")
    assert model._get_doc_link() == f"{DOCUMENTATION}/api/noneuclid.geometry.ChartTransformer.html"


def test_the_display_has_it():
    text = estimator_html_repr(noneuclid.PoincareSVC(C=2))
    assert f'href="{DOCUMENTATION}/api/noneuclid.PoincareSVC.html"' in text
