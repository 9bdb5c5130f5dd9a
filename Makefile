# Each target first creates .venv with pinned versions.
PYTHON ?= python3.11
BIN := .venv/bin
READY := .venv/ready

.PHONY: run test test-slow lint bench clean

run: $(READY)
	$(BIN)/snakemake --cores all
	@echo "The report: results/report/index.html"

test: $(READY) lint
	$(BIN)/pytest -n 2 --dist loadgroup

test-slow: $(READY)
	$(BIN)/pytest -m slow -n 2 --dist loadgroup

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/deptry . && $(BIN)/deptry src --ignore DEP002 --optional-dependencies-dev-groups dev
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

# Results are written beside the scripts. Scripts that need the papers' data read NONEUCLID_MIRROR.
bench: export OMP_NUM_THREADS = 1
bench: $(READY)
	$(BIN)/python benchmarks/boundary_precision.py
	$(BIN)/python benchmarks/cold_start.py
	$(BIN)/python benchmarks/trees.py
	$(BIN)/python benchmarks/hydra.py benchmarks/hydra.tsv
	$(BIN)/python benchmarks/costs.py
	$(BIN)/python benchmarks/costs.py --fit
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
	$(BIN)/python benchmarks/poincare_svm.py
	$(BIN)/python benchmarks/cho2019_deepwalk.py
	$(BIN)/python benchmarks/pan2023_hyperboloid.py
endif

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf results .snakemake
