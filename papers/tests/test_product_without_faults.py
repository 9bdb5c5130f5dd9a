"""The product repeats no fault of a paper: those belong to noneuclid_papers.programs."""

import inspect

from noneuclid import HyperboloidSVC


def test_hyperboloid_svc_has_at_most_16_parameters():
    parameters = inspect.signature(HyperboloidSVC).parameters
    assert len(parameters) <= 16
    assert not {"start", "extraction", "labels", "variant", "ball"} & set(parameters)
