# Everything a stranger needs. `make run` and `make test` set up .venv by themselves.

PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000
READY := .venv/ready
TEST := $(BIN)/python -m pytest
# One process more than cores: some tests wait for a browser, a disk or a clock.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 2)))

.PHONY: help run play test test-fast tests-fast lint types layers js message-types docs reference contract tests tests-long planted clauses clauses-page clauses-bite mutants tables corpus bench bench-house \
	long-run clean

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(READY) ## set up, then start the server at http://127.0.0.1:8000 (PORT=9000 another port, HOST=0.0.0.0 for friends)
	@$(BIN)/houseway serve --host $(HOST) --port $(PORT)

play: $(READY) ## set up, then sit down at a table in the terminal
	@$(BIN)/houseway play

test: $(READY) ## set up, lint, type-check, run all tests
	@$(MAKE) --no-print-directory -j2 types lint layers js docs clauses-bite
	@$(MAKE) --no-print-directory tests

test-fast: $(READY) ## what daily work needs, in a minute
	@$(MAKE) --no-print-directory -j2 types lint layers tests-fast

tests-fast: $(READY)
	$(TEST) -n auto --dist worksteal --fast -m "not exhaustive"

lint: $(READY) ## style and likely bugs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## strict types
	$(BIN)/mypy

layers: $(READY) ## imports go down the layers only
	$(BIN)/lint-imports

NPM := $(shell command -v npm)
TSC := node_modules/.package-lock.json

js: $(if $(NPM),$(TSC)) ## type-check and unit-test the page's JavaScript (needs Node and npm)
ifneq ($(NPM),)
	node_modules/.bin/tsc
	node --test --test-reporter=spec tests/js/*.test.js
else ifneq ($(CI),)
	@echo "make js needs Node and npm. On Debian: apt install nodejs npm"; exit 2
else
	@echo "make js: skipped, because npm is not installed. On Debian: apt install nodejs npm"
endif

$(TSC): package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	@touch $(TSC)

message-types: $(READY) ## write the types of the messages that the page's JavaScript is checked against
	cd tests && ../$(BIN)/python -m js.message_types

docs: $(READY) ## build the documentation site into build/docs; every warning is an error
	$(BIN)/zensical build --strict --clean

reference: $(READY) ## write the API reference, docs/reference.md, from the docstrings
	cd tests && ../$(BIN)/python -m reference

contract: $(READY) ## write the public surface (names, options, fields, codes) that a test compares
	cd tests && ../$(BIN)/python -m contract

tests: $(READY) ## all tests but the exhaustive ones, on all cores
	$(TEST) -n $(WORKERS) --dist worksteal -m "not exhaustive"

planted: $(READY) ## the tests that plant a fault and must notice it
	$(TEST) -n $(WORKERS) --dist worksteal -m planted

tests-long: $(READY) ## every test there is, the exhaustive ones included
	HYPOTHESIS_PROFILE=long $(TEST) -n $(WORKERS) --dist worksteal

clauses: $(READY) ## which clauses of the documents have tests
	@$(TEST) --collect-only -q --no-header --clauses | sed -n '/^rulebook/,$$p'

clauses-page: $(READY) ## write the table of clauses and their tests into docs/clauses.md
	@$(TEST) --collect-only -q --no-header --clauses-page docs/clauses.md tests >/dev/null

clauses-bite: $(READY) ## mute each clause in turn; its tests must fail
	$(TEST) -q -n auto --dist loadfile --bite --clauses-current docs/clauses.md tests

mutants: $(READY) ## plant small faults in settlement; the corpus and the tests must notice (minutes)
	$(BIN)/python tests/mutants.py

tables: $(READY) ## generate the fast evaluator's tables anew
	$(BIN)/python -m houseway.ranking.generate

corpus: $(READY) ## build the conformance rounds anew
	$(BIN)/python tests/conformance/build.py

bench: $(READY) ## benchmarks: ratios within one run
	$(BIN)/pip install -q -c constraints.txt -e '.[bench]'
	$(BIN)/python benchmarks/settle.py
	$(BIN)/python benchmarks/rounds.py
	$(BIN)/python benchmarks/cold_start.py
	$(BIN)/python benchmarks/shuffle.py
	$(BIN)/python benchmarks/stores.py
	$(BIN)/python benchmarks/live_command.py
	$(BIN)/python benchmarks/exact_game.py
	$(BIN)/python benchmarks/simulated_rounds.py

bench-house: $(READY) ## a house under load: 200 tables for three minutes, then flooders and slow readers
	$(BIN)/python benchmarks/house_load.py
	$(BIN)/python benchmarks/hostile_clients.py

ROUNDS ?= 1000000000
long-run: $(READY) ## ROUNDS=1000000000 rounds held against exact means and variances (a quarter of an hour)
	$(BIN)/houseway simulate uth-ma --rounds $(ROUNDS) --side trips,progressive --check

clean: ## remove what make made
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis dist

$(READY): pyproject.toml constraints.txt
ifeq ($(strip $(PYTHON)),)
	@echo "houseway needs Python 3.11 or newer with venv. On Debian: apt install python3 python3-venv;" \
		"on macOS: brew install python. Or name one: make PYTHON=/path/to/python3.12"; exit 2
endif
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)
