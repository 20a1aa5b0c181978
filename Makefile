# Start with `make run` or `make test`: each sets up .venv first. `make help` lists the targets.

PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000
READY := .venv/ready
TEST := $(BIN)/python -m pytest
# The tests start hundreds of processes, which would compile every module again without bytecode files.
unexport PYTHONDONTWRITEBYTECODE
COMPILED := .venv/tests-compiled
# Two processes more than cores, because some tests wait for a browser, a disk or a clock.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 2)))

.PHONY: help run play test test-fast tests-fast lint types layers js message-types docs reference contract tests tests-long planted clauses clauses-page clauses-bite mutants tables corpus bench bench-house \
	long-run clean

help: ## print this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(READY) ## set up, then start the server at http://127.0.0.1:8000 (PORT=9000 for another port, HOST=0.0.0.0 for friends on your network)
	@$(BIN)/houseway serve --host $(HOST) --port $(PORT)

play: $(READY) ## set up, then sit down at a table in the terminal
	@$(BIN)/houseway play

test: $(READY) ## set up, lint, type-check, check layers, JavaScript, documentation and clauses, run all tests except the exhaustive ones
	@$(MAKE) --no-print-directory -j2 types lint layers js docs clauses-bite
	@$(MAKE) --no-print-directory tests

test-fast: $(READY) ## run the checks for daily work, in about a minute
	@$(MAKE) --no-print-directory -j2 types lint layers tests-fast

tests-fast: $(READY)
	$(TEST) -n auto --dist worksteal --fast -m "not exhaustive"

lint: $(READY) ## check style and likely bugs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## check types strictly
	$(BIN)/mypy

layers: $(READY) ## check that modules import only from lower layers
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

message-types: $(READY) ## generate the message types against which the page's JavaScript is checked
	cd tests && ../$(BIN)/python -m js.message_types

docs: $(READY) ## build the documentation site into build/docs; every warning is an error
	$(BIN)/zensical build --strict --clean

reference: $(READY) ## generate docs/reference.md, and the module list in docs/architecture.md, from the docstrings
	cd tests && ../$(BIN)/python -m reference

contract: $(READY) ## write tests/contract.txt, the public surface (names, options, fields, codes), which a test compares with the code
	cd tests && ../$(BIN)/python -m contract

tests: $(READY) ## run all tests except the exhaustive ones, on all cores
	$(TEST) -n $(WORKERS) --dist worksteal -m "not exhaustive"

planted: $(READY) ## run the tests that plant a fault (a deliberate mistake) and fail unless it is noticed
	$(TEST) -n $(WORKERS) --dist worksteal -m planted

tests-long: $(READY) ## run every test with long samples, including the exhaustive tests
	HYPOTHESIS_PROFILE=long $(TEST) -n $(WORKERS) --dist worksteal

clauses: $(READY) ## show how many clauses of each document have tests
	@$(TEST) --collect-only -q --no-header --clauses | sed -n '/^rulebook/,$$p'

clauses-page: $(READY) ## generate docs/clauses.md, the table of clauses and their tests
	@$(TEST) --collect-only -q --no-header --clauses-page docs/clauses.md tests >/dev/null

clauses-bite: $(COMPILED) ## disable each clause in turn; at least one of its tests must fail
	$(TEST) -q -n auto --dist loadfile --bite --clauses-current docs/clauses.md tests

mutants: $(READY) ## plant small faults in settlement, which the conformance rounds or the tests must notice (takes minutes)
	$(BIN)/python tests/mutants.py

tables: $(READY) ## regenerate the fast evaluator's tables
	$(BIN)/python -m houseway.ranking.generate

corpus: $(READY) ## rebuild the conformance rounds
	$(BIN)/python tests/conformance/build.py

bench: $(READY) ## run the benchmarks; they report ratios within one run, which can be compared across machines
	$(BIN)/pip install -q -c constraints.txt -e '.[bench]'
	$(BIN)/python benchmarks/settle.py
	$(BIN)/python benchmarks/rounds.py
	$(BIN)/python benchmarks/cold_start.py
	$(BIN)/python benchmarks/shuffle.py
	$(BIN)/python benchmarks/stores.py
	$(BIN)/python benchmarks/live_command.py
	$(BIN)/python benchmarks/exact_game.py
	$(BIN)/python benchmarks/simulated_rounds.py
	$(BIN)/python benchmarks/http_servers.py
	$(BIN)/python benchmarks/rating_irt.py

bench-house: $(READY) ## load-test a server: 200 tables for three minutes, then clients that send too much or read too slowly
	$(BIN)/python benchmarks/house_load.py
	$(BIN)/python benchmarks/hostile_clients.py
	$(BIN)/python benchmarks/front_door_attacks.py

ROUNDS ?= 1000000000
long-run: $(READY) ## simulate a billion rounds and compare means and variances with the exact ones (takes about 15 minutes; ROUNDS=N plays fewer)
	$(BIN)/houseway simulate uth-ma --rounds $(ROUNDS) --side trips,progressive --check

clean: ## remove everything that make created
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis dist

# Import every test once. Otherwise each test process would rewrite the assertions of every test.
$(COMPILED): $(READY) $(wildcard tests/*.py tests/*/*.py)
	@$(TEST) --collect-only -q >/dev/null
	@touch $(COMPILED)

$(READY): pyproject.toml constraints.txt
ifeq ($(strip $(PYTHON)),)
	@echo "houseway needs Python 3.11 or newer with venv. On Debian: apt install python3 python3-venv;" \
		"on macOS: brew install python. Or name one: make PYTHON=/path/to/python3.12"; exit 2
endif
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)
