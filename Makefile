# Each target first creates .venv with pinned versions.
PYTHON ?= python3.11
BIN := .venv/bin
READY := .venv/ready

.PHONY: run test test-slow lint bench clean

run: $(READY)
	$(BIN)/snakemake --cores all

test: $(READY) lint
	$(BIN)/pytest -n 2 --dist loadgroup

test-slow: $(READY)
	$(BIN)/pytest -m slow

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

bench: $(READY)
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf results .snakemake
