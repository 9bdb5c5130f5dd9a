from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobRateLimiter

from noneuclid_compare.jobs import job_environment


@pytest.mark.parametrize(("most", "seconds", "stays"), [(100, 1, False), (200, 1, True)])
def test_only_the_default_limit_of_jobs_in_a_second_is_lifted(most, seconds, stays):
    limiter = JobRateLimiter(SimpleNamespace(max_jobs=most, timespan=seconds))
    scheduler = SimpleNamespace(job_rate_limiter=limiter)
    job_environment.lift_rate_limit(scheduler)
    assert scheduler.job_rate_limiter is (limiter if stays else None)
