"""How long each job of a run should take, by the laws of `noneuclid_compare.jobs.costs`."""

from functools import cache

from noneuclid_compare.config import configuration, dataset_sizes
from noneuclid_compare.jobs import costs, estimates, job_resources

# Of evaluate, report and other stages without a law, each; plan writes one small file.
PAGE_SECONDS = estimates.END_SECONDS / 3
OTHERS = {**estimates.PROCESS_SECONDS, "plan": 0.0}
KEEPING = "train_and_keep"


class JobTimes:
    """Expected seconds of the jobs of a configuration, in the folder of the run.

    `sizes` has the `Size` of each (data set, embedding) that is expected before the run, or None;
    what the run has made counts first.
    """

    def __init__(self, config, sizes, laws):
        self.config, self.sizes, self.laws = config, sizes, laws
        self.fitting = cache(self._fitting)

    def __call__(self, rule, wildcards):
        """Seconds of one job of a rule, or None where no law or no size says them."""
        stage = "train" if rule == KEEPING else rule
        if stage in ("train", "embed", "certify", "isometries"):
            pair = wildcards["dataset"], wildcards["embedding"]
            size = job_resources.size_of(f"results/embed/{'/'.join(pair)}.npz")
            size = size or self.sizes.get(pair) or self._acquired(pair)
            if stage == "train":
                keeps = rule == KEEPING
                first = keeps or wildcards.get("repeat") == "0"
                seconds = self.fitting(pair[0], wildcards["method"], size, first, keeps)
            elif stage == "embed":
                seconds = self._embedding(pair, size)
            elif stage == "isometries":
                seconds = estimates.refitting_seconds(
                    self.config, size, self.laws, pair[0], wildcards["method"]
                )
            else:
                seconds = self._certificates(pair, size)
            return None if seconds is None else seconds + estimates.PROCESS_SECONDS[stage]
        return OTHERS.get(stage, PAGE_SECONDS)

    def _embedding(self, pair, size):
        """Seconds of one embedding without its process."""
        use = self.config["embeddings"][pair[1]]["use"]
        if size is None and use not in costs.LINEAR:
            return None
        seconds, unknown = estimates.embedding_seconds(self.config, {pair: size}, self.laws)
        return None if unknown else seconds

    def _acquired(self, pair):
        """Size that the embedding of a data set will have which the run has acquired, or None."""
        header = job_resources.header_of(f"results/acquire/{pair[0]}.npz")
        if header is None:
            return None
        shapes, values = header
        columns = shapes["features"][1] if "features" in shapes else 0
        size = costs.Size(shapes["labels"][0], columns, len(values["class_names"]))
        return dataset_sizes.embedded(size, self.config["embeddings"][pair[1]])

    def _certificates(self, pair, size):
        """Seconds of the certificates of one embedded data set."""
        dataset, embedding = pair
        alone = self.config["datasets"][dataset] | {"embeddings": [embedding]}
        section = self.config["certificates"] | {"datasets": [dataset]}
        config = self.config | {"datasets": {dataset: alone}, "certificates": section}
        seconds, unknown = estimates.certificate_seconds(config, {pair: size}, self.laws)
        return None if unknown else seconds

    def _fitting(self, dataset, method, size, first, keeps):
        """Seconds of the fits of the first or another repeat; with the model if it `keeps` one."""
        entry = configuration.method_of(self.config, method)
        split, folds = configuration.split_of(self.config, dataset), self.config["search"]["folds"]
        once, twice = (
            costs.cost(
                size,
                entry,
                costs.fits_of(split, repeats, entry, folds, size, keep_model=keeps),
                self.laws,
            )[0]
            for repeats in (1, 2)
        )
        if once is None or not first:
            return None if once is None else twice - once
        return once + keeps * estimates.PROCESS_SECONDS["keep"]
