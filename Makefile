# A fresh machine needs two commands: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CHECK_PYTHON := $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "onebit needs Python 3.11 or newer; name one with PYTHON=python3.12")'
# Data sets that are not embedded: tests that need one skip where it is absent.
ONEBIT_DATA ?= $(abspath $(firstword $(wildcard ../shared/data)))
ifneq ($(ONEBIT_DATA),)
export ONEBIT_DATA
endif

# How long `make fuzz` tries.
MINUTES ?= 5

.PHONY: demo test pytest fuzz cover lint bench bench-peers bench-cases papers papers-full docs clean

demo: $(VENV)/installed
	$(BIN)/onebit demo

# Lint and tests side by side.
test: $(VENV)/installed-dev
	$(MAKE) --no-print-directory -j2 lint pytest

pytest: $(VENV)/installed-dev
	$(BIN)/pytest -n auto --dist worksteal

# Hostile files, rows, tables, logs, plans and flags for MINUTES, with fresh seeds. What fails is kept in fuzz-failures/, and
# the end names the command that plays it again. Linux only.
fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.fuzz.room --minutes $(MINUTES)

# The tests with a table of lines that no test reaches; tracing makes it a quarter slower.
cover: lint
	$(BIN)/pytest -n auto --dist worksteal --cov --cov-report=term

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.sets speed
	$(BIN)/python -m benchmarks.onebit.speed
	$(BIN)/python -m benchmarks.graphs.speed
	$(BIN)/python -m benchmarks.kernels.speed
	$(BIN)/python -m benchmarks.sweeps

# onebit beside other libraries, into docs/benchmarks.md: about an hour and a half on two cores. Measurements already made
# are kept in benchmarks/build/peers; settings tuned on other seeds are in benchmarks/peers/settings.json.
bench-peers: $(VENV)/installed-peers
	$(BIN)/python -m benchmarks.peers run
	$(BIN)/python -m benchmarks.peers page

# Raw cases beside VW, which is tuned already (benchmarks/cases/settings.json), into docs/benchmarks.md and README.md: about
# half an hour on one core. What was measured is kept in benchmarks/build/cases.
bench-cases: $(VENV)/installed-peers
	$(BIN)/python -m benchmarks.cases fetch
	$(BIN)/python -m benchmarks.cases run
	$(BIN)/python -m benchmarks.cases page

# Every table and figure of the papers, quick, into papers/: a first look without verdicts.
papers: $(VENV)/installed
	$(BIN)/onebit paper run all

# The same as long as in the papers, into papers/full, then docs/reproductions.md: about an hour on two cores.
# Interrupted, the same command goes on.
papers-full: $(VENV)/installed-dev
	$(BIN)/onebit paper run all --full
	$(BIN)/python -m docs.reproductions

# Draws the pictures of the README and the docs again, and builds the site into site/. `make test` runs every example.
docs: $(VENV)/installed-dev
	$(BIN)/python -m docs.pictures
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) build dist demo papers site sweeps artefacts fuzz-failures .mypy_cache .ruff_cache .pytest_cache .coverage benchmarks/build

$(VENV)/installed: pyproject.toml
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-dev: pyproject.toml
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(VENV)/installed $@

$(VENV)/installed-peers: $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[peers]' || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[peers-wheels]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[peers-torch]' || \
		echo "the networks of the benchmarks are skipped: no torch"
	@touch $@
