# Each target first creates .venv with pinned versions, by a Python from 3.11 on that is found;
# PYTHON=/path/to/python chooses another.
usable = $(shell $(1) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(1))
found = $(firstword $(foreach name,$(1),$(call usable,$(name))))
ifdef PYTHON
NEWEST = $(PYTHON)
else
PYTHON = $(call found,python3.11 python3 python3.12 python3.13 python3.14)
NEWEST = $(call found,python3.14 python3.13 python3.12 python3 python3.11)
endif
require_python = $(if $(and $(1),$(call usable,$(1))),,$(error \
	no Python 3.11 or later is found$(1:%=, %): install one, or set PYTHON=/path/to/python))
BIN := .venv/bin
READY := .venv/ready

.PHONY: run warm test test-slow test-kept test-floor test-newest lint docs dist bench before-and-after clean

run: $(READY)
	$(BIN)/noneuclid run

# Hundreds of processes would otherwise compile the package again.
test test-slow test-floor test-newest: export PYTHONDONTWRITEBYTECODE =

# Machine code is made once, beside the linters, not by each worker.
test: $(READY)
	$(MAKE) --no-print-directory --jobs 2 --output-sync warm $(LINTERS)
	$(BIN)/pytest -n 4 --dist loadgroup

test-slow: $(READY)
	$(BIN)/pytest -m slow -n 2 --dist loadgroup

warm:
	$(BIN)/noneuclid warmup > /dev/null

# Fifty kept numbers of the papers, computed again from downloaded data.
test-kept: $(READY)
	$(BIN)/noneuclid fetch hsvm-relax hyplinear PoincareLinearClassification --directory build/papers
	NONEUCLID_MIRROR=$(CURDIR)/build/papers/resources/data \
		$(BIN)/pytest -m slow -s papers/tests/test_kept_cells_again.py

# The library with the lowest and with the newest versions of what it depends on.
LIBRARY := geometry solvers classifiers embeddings data plots
TESTS ?= $(wildcard $(LIBRARY:%=tests/%)) tests/experiment/test_optional_packages.py

test-floor: .venv-floor/ready
test-newest: .venv-newest/ready
# scikit-learn before 1.8 collects its checks only if scipy's array API is enabled.
test-floor: export SCIPY_ARRAY_API = 1
test-floor test-newest: test-%:
	NUMBA_CACHE_DIR=$(CURDIR)/.venv-$*/numba .venv-$*/bin/python -m pytest -p no:cacheprovider -n 2 \
		--dist loadgroup $(TESTS)

.venv-floor/ready: pyproject.toml
	$(call require_python,$(PYTHON))
	$(call create,$(PYTHON))
	grep -o '"[a-z][a-z0-9-]*>=[0-9.]*"' pyproject.toml | tr -d '"' | sed 's/>=/==/' > $(@D)/floor.txt
	$(install) --constraint $(@D)/floor.txt --editable '.[workflow,cvxpy,test]' --editable papers
	touch $@

.venv-newest/ready: pyproject.toml
	$(call require_python,$(NEWEST))
	$(call create,$(NEWEST))
	$(install) --upgrade --editable '.[workflow,cvxpy,test]' --editable papers
	touch $@

# uv if it is installed, else pip, which takes ten times as long.
UV := $(shell command -v uv)
create = $(if $(UV),uv venv --quiet --seed --allow-existing --python $(1) $(@D),$(1) -m venv $(@D))
install_in = $(if $(UV),uv pip install --quiet --python $(1)/bin/python,$(1)/bin/python -m pip install --quiet)
install = $(call install_in,$(@D))

# Two of them at a time.
lint: $(READY)
	$(MAKE) --no-print-directory --jobs 2 --output-sync $(LINTERS)

LINTERS := lint-workflow lint-types lint-imports lint-packages lint-style
.PHONY: $(LINTERS)

lint-workflow:
	$(BIN)/snakefmt --check Snakefile workflow papers/workflow
	$(BIN)/snakemake --lint
	$(BIN)/snakemake --lint --snakefile papers/workflow/Snakefile

lint-types:
	$(BIN)/mypy

lint-imports:
	$(BIN)/lint-imports --no-cache

lint-packages:
	$(BIN)/deptry . && $(BIN)/deptry src --ignore DEP002 --optional-dependencies-dev-groups dev

lint-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Tutorials and gallery are run; nothing is fetched while pages are made.
docs: $(READY)
	$(call install_in,.venv) --constraint constraints.txt --constraint docs/constraints.txt \
		--editable '.[docs,workflow,cells]'
	$(BIN)/sphinx-build -b html -W --keep-going $(DOCS) docs docs/_build/html
	@echo "The site: docs/_build/html/index.html"

# Results are written beside the scripts. Scripts that need the papers' data read NONEUCLID_MIRROR.
bench: export OMP_NUM_THREADS = 1
# What the programs of the papers share with the others.
bench: export PYTHONPATH = benchmarks
bench: $(READY)
	$(BIN)/python benchmarks/boundary_precision.py
	$(BIN)/python benchmarks/geometry_digits.py
	$(BIN)/python benchmarks/clustering.py
	$(BIN)/python benchmarks/cold_start.py
	$(BIN)/python benchmarks/trees.py
	$(BIN)/python benchmarks/hydra.py benchmarks/hydra.tsv
	$(BIN)/python benchmarks/costs.py
	$(BIN)/python benchmarks/hyperboloid_svm.py scale
	$(BIN)/python benchmarks/perceptrons.py table_ii
	$(BIN)/python benchmarks/perceptrons.py speed
	$(BIN)/python benchmarks/perceptrons.py memory
ifdef NONEUCLID_MIRROR
	$(BIN)/python benchmarks/poincare_maps.py $(NONEUCLID_MIRROR)/PoincareMaps benchmarks/poincare_maps.tsv
	$(BIN)/python benchmarks/graph_embeddings.py $(NONEUCLID_MIRROR)/hyplinear benchmarks/graph_embeddings.tsv
	$(BIN)/python benchmarks/hyperboloid_pgd.py
	$(BIN)/python benchmarks/hyperboloid_svm.py tables
	$(BIN)/python benchmarks/hyperboloid_svm.py images
	$(BIN)/python benchmarks/tree_2.py
	$(BIN)/python benchmarks/poincare_svm.py
	$(BIN)/python papers/benchmarks/cho2019_deepwalk.py
	$(BIN)/python papers/benchmarks/pan2023_hyperboloid.py
endif

# The solvers of this checkout beside those of commit BEFORE, case by case.
BEFORE = a654792
before-and-after: $(READY)
	rm -rf build/before
	git clone --quiet . build/before
	git -C build/before checkout --quiet $(BEFORE)
	$(BIN)/python benchmarks/hyperboloid_hard.py --before build/before
	$(BIN)/python benchmarks/hilbert_extremes.py --before build/before
	$(BIN)/python benchmarks/hilbert_soft.py --before build/before
	$(BIN)/python benchmarks/hilbert_soft_polytope.py --before build/before
	$(BIN)/python benchmarks/hilbert_slice.py

# The files of a release: source and wheel, checked.
dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python tests/sdist_files.py dist/*.tar.gz

$(READY): pyproject.toml papers/pyproject.toml constraints.txt
	$(call require_python,$(PYTHON))
	$(call create,$(PYTHON))
	$(install) --constraint constraints.txt --editable '.[dev]' --editable papers
	touch $@

clean:
	rm -rf results .snakemake dist docs/_build docs/api docs/backreferences docs/gallery docs/tutorials
