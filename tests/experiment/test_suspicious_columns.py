"""Columns that copy the target, and names of columns that number groups of rows."""

import numpy as np
import pytest
from cases import each_of
from sklearn.datasets import load_wine

from noneuclid_compare.inspect_file.suspicious import copies_of, gives_away
from noneuclid_compare.inspect_file.tables import is_named_so, numbers_groups

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

IDENTIFIERS = """
sample_id patientID id ID caseid sampleNo rownames index sample_nr barcode cell_barcode key mrn
sample_key record Subject ssn
"""
# The first are pollutants and counts per region.
VALUES = """
NO2 NO no cases patients records samples key_length LD_ID50 key_strokes signal_key
keyPressDuration ssn_kmers mrn_level id_score barcode_length ID_width ID50 ids keys refractive_index
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


@each_of("name", GROUPS.split())
def test_names_of_groups(name):
    assert numbers_groups(name, np.array([1.0, 2, 2]))
    assert not numbers_groups(name, np.array([1.5, 2, 2]))


@each_of("name", MEASUREMENTS.split())
def test_names_of_measurements_and_counts(name):
    assert not numbers_groups(name, np.array([1.0, 2, 2]))


@each_of("name", IDENTIFIERS.split())
def test_names_of_identifiers(name):
    assert is_named_so(name)


@each_of("name", VALUES.split())
def test_names_of_values_that_contain_words_of_identifiers(name):
    assert not is_named_so(name)


@pytest.mark.parametrize("column", [6, 11])
def test_a_measurement_that_separates_classes_is_no_copy_of_the_label(column):
    wine = load_wine()
    rows = wine.target != 1
    assert gives_away(wine.target[rows] // 2, wine.data[rows, column], 13) == ""


def test_values_that_occur_once_say_nothing_of_a_class():
    labels = np.arange(120) % 2
    few = 2 * (np.arange(120) // 2 % 15) + labels
    assert gives_away(labels, few) == "each value occurs in one class only"
    assert gives_away(labels, np.where(np.arange(120) < 20, few, np.arange(120) + 99)) == ""
