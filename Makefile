# `make demo` and `make test` bring all that they need; see README.md.
.PHONY: help setup demo test test-all fuzz lint bench requirements clean

help:
	@echo "make demo          build a small benchmark, run six systems, open a report"
	@echo "make test          the test suite (under 12 minutes on two cores)"
	@echo "make test-all      the same with the slow tests"
	@echo "make fuzz          the property tests with new random examples"
	@echo "make lint          ruff and mypy"
	@echo "make bench         timings against a plain or stock version in the same run"
	@echo "make setup         only the environment in .venv, a browser and fonts"
	@echo "make requirements  compile the locked requirement files anew"

setup:
	@tools/setup.sh

demo: setup
	.venv/bin/riskchain demo demo

# Tests start many processes; none of them compiles again what another one has compiled.
test test-all fuzz: export PYTHONDONTWRITEBYTECODE =

test: setup
	.venv/bin/python -m pytest -n 2

test-all: setup
	.venv/bin/python -m pytest -n 2 -m "slow or not slow"

fuzz: setup
	HYPOTHESIS_PROFILE=fresh .venv/bin/python -m pytest -n 2 -m hypothesis

lint: setup
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy

bench: setup
	@for file in benchmarks/*.py; do echo "== $$file"; .venv/bin/python $$file || exit 1; done

COMPILE = uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11
requirements:
	$(COMPILE) pyproject.toml --all-extras --group dev --output-file requirements-dev.txt
	$(COMPILE) pyproject.toml --constraints requirements-dev.txt --output-file requirements.txt

clean:
	rm -rf .venv .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis demo
