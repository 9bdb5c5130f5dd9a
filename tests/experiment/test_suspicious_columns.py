"""Columns that copy the target, and names of columns that number groups of rows."""

import numpy as np
import pytest

from noneuclid.experiment.first_look.suspicious import copies_of, numbers_groups

GROUPS = """
batch plate_nr site batchid batch_num center_num donor_idx donor_uid batches sites runs
session experiment slide family household individual patientid PATIENTID subjectid donorid
SITEID batchno mouse animal_id cage litter batch_label cluster_label donors PlateNumber
batchID seq_run sample_batch sex_batch cv_fold study_site hospital clinic_code lab group
cluster replicate well chip block split
"""
MEASUREMENTS = """
time_in_hospital days_in_hospital beds_per_hospital visits_to_clinic age_of_patient
mutations_per_patient cells_per_cluster genes_in_cluster n_per_group distance_to_center
log_fold total_run home_run age_group blood_group risk_group tumor_site binding_site
n_donor num_patient age_at_run dist_center city_center primary_site log2_fold logFold
n_genes group_size batch_effect_score income_group run_time fold_change acid wells_count
"""

RNG = np.random.default_rng(0)


def test_one_outlier_in_both_columns_makes_no_copy():
    y, x = RNG.normal(size=(2, 200))
    for size in (1e3, 1e4, 1e8):
        y[7] = x[7] = size
        assert copies_of(y, x[:, None]) == ([], [])


def test_copies_with_an_outlier_are_found():
    y = RNG.normal(size=200)
    y[7] = 1e3
    assert copies_of(y, np.column_stack([5 - 2 * y, y + RNG.normal(0, 0.03, 200)])) == ([0], [1])


@pytest.mark.parametrize("name", GROUPS.split())
def test_names_of_groups(name):
    assert numbers_groups(name, np.array([1.0, 2, 2]))
    assert not numbers_groups(name, np.array([1.5, 2, 2]))


@pytest.mark.parametrize("name", MEASUREMENTS.split())
def test_names_of_measurements_and_counts(name):
    assert not numbers_groups(name, np.array([1.0, 2, 2]))
