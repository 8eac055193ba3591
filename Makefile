# Two commands do all the set-up: `make demo` and `make test`.
#
#   make TORCH_INDEX=<url> demo    takes torch from that index, e.g. a CPU build
#   make PYTHON=python3.12 test    uses that Python to create .venv

PYTHON ?= python3
VENV ?= .venv
TORCH_INDEX ?=

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test test-slow check format lint types docs bench bench-profile bench-growth bench-peers bench-tables clean help

help:  ## what can be made
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/installed  ## install, train on toy data, write demo/report.html
	$(BIN)/wdrop demo

test: $(VENV)/installed-dev  ## the tests
	$(BIN)/python -m pytest -n auto

test-slow: $(VENV)/installed-dev  ## minutes of real training
	$(BIN)/python -m pytest -m slow -s --timeout 1800

check: format lint types test docs  ## the whole truth

format: $(VENV)/installed-dev  ## is the code formatted?
	$(BIN)/ruff format --check .

lint: $(VENV)/installed-dev  ## ruff's rules
	$(BIN)/ruff check .

types: $(VENV)/installed-dev  ## mypy, strict
	$(BIN)/mypy

docs: $(VENV)/installed-dev  ## the docs site, in site/; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/installed-dev  ## how fast, as ratios in one run; fails nothing
	$(BIN)/python -m benchmarks.training_step
	$(BIN)/python -m benchmarks.one_pass
	$(BIN)/python -m benchmarks.start_up
	$(BIN)/python -m benchmarks.detector

bench-profile: $(VENV)/installed-dev  ## where the time of a training step goes, and the arithmetic limit; two minutes
	$(BIN)/python -m benchmarks.profile_step

bench-growth: $(VENV)/installed-dev  ## how time and memory grow, with exponents; eight minutes
	$(BIN)/python -m benchmarks.growth

bench-peers: $(VENV)/installed-dev  ## beside other libraries, each in its own environment: half an hour
	$(BIN)/python -m benchmarks.peers.run $(if $(TORCH_INDEX),--torch-index $(TORCH_INDEX))

bench-tables: $(VENV)/installed-dev  ## Regressor with its defaults on eleven of the paper's tables (WDROP_DATA); half an hour
	$(BIN)/python -m benchmarks.eleven_tables

clean:  ## forget everything installed and built
	rm -rf $(VENV) site demo benchmarks/peers/.venvs benchmarks/peers/.quick

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "wdrop needs Python 3.11 or newer, got $$($(PYTHON) --version 2>&1); try: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
ifneq ($(TORCH_INDEX),)
	$(PIP) --index-url $(TORCH_INDEX) torch
endif
	@touch $@

$(VENV)/installed: pyproject.toml constraints.txt | $(VENV)/python
	@echo "installing wdrop and what it needs into $(VENV); torch is large, this takes a few minutes" >&2
	$(PIP) -e '.[cli,report,study,data]'
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(PIP) -e '.[dev]'
	@touch $@
