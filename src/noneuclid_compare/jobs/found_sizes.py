"""Sizes of embedded data sets from whatever gives them, before a run or after it."""

from contextlib import chdir

from noneuclid_compare import io, provenance
from noneuclid_compare.config import dataset_sizes, load_by_name, registry
from noneuclid_compare.jobs import job_resources
from noneuclid_compare.records import Dataset


def of(config, dataset, embedding, results, directory, known):
    """Size of an embedded data set, or None where nothing gives it.

    Its result gives it, or that of acquire (if made from the present files and parameters), the
    table of sizes, the parameters of a generator, or the files themselves.
    """
    entry = config["datasets"][dataset]
    embedded, acquired = results / f"embed/{dataset}/{embedding}.npz", f"acquire/{dataset}.npz"
    if is_of_now(embedded, entry, directory):
        return job_resources.size_of(embedded)
    if is_of_now(results / acquired, entry, directory):
        data = io.read_record(results / acquired, Dataset)
    else:
        expected = dataset_sizes.expected(config, dataset, embedding, known)
        cells = None if expected else dataset_sizes.of_counts(entry, directory)
        if cells is not None:
            return dataset_sizes.embedded(cells, config["embeddings"][embedding])
        data = None if expected else loaded(entry, directory)
        if data is None:
            return expected
    return dataset_sizes.embedded(dataset_sizes.of_dataset(data), config["embeddings"][embedding])


def is_of_now(path, entry, directory):
    """Whether a result was made with the present parameters and files of a data set."""
    header = job_resources.header_of(path)
    if header is None:
        return False
    about = header[1]["about"]
    about = about.get("dataset", about)
    files = {role: directory / file for role, file in entry.get("files", {}).items()}
    return about.get("settings") == entry.get("params", {}) and all(
        provenance.checksum(file) == about.get("checksums", {}).get(role)
        for role, file in files.items()
        if file.is_file()
    )


def loaded(entry, directory):
    """Data set of the user's own files, or None if one is not there."""
    files = {role: (directory / path).resolve() for role, path in entry.get("files", {}).items()}
    if not files or not all(path.is_file() for path in files.values()):
        return None
    path = registry.path_of(entry["use"], "load")
    with chdir(directory):
        return load_by_name.call(path, files, 0, **entry.get("params", {}))
