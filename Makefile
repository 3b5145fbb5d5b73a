# Everything here creates .venv by itself. Choose the interpreter with `make PYTHON=python3.12 …`,
# pass options on to pytest with `make test ARGS="-k functions"`, and run its tests in one process with `WORKERS=0`.

VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready-for-repair
PYTHON ?=
ARGS ?=
WORKERS ?= auto
PYTEST = $(RUN) -m pytest --numprocesses $(WORKERS) --maxprocesses 8 --dist worksteal

# Both belong to other programs; neither may decide what is imported here.
unexport PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help setup test test-fast test-slow test-real test-agents lab lint format demo bench-validation bench-mutation bench-judge learn-weights check-weights bench-overhead bench-latency bench-hook bench-runs bench-memory bench-large bench-report bench-search bench-grow bench-heal bench-spec bench-make bench-model bench-judge-cheats constants words decisive learn soak corpus-own clean bench-tune bench-reading

help: ## Show these lines
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

setup: $(READY) ## Create .venv with the engine and its development tools

test: lint ## Lint, then every test but those of our laboratory; real libraries are skipped without a package index
	$(PYTEST) -m "not lab" $(ARGS)

test-fast: $(READY) ## The tests that start no other program's tests, in a minute
	$(PYTEST) -m "not (slow or real or lab)" $(ARGS)

test-slow: $(READY) ## The slow tests, without the real libraries
	$(PYTEST) -m "slow and not (real or lab)" $(ARGS)

test-real: $(READY) ## Repair and judge the real cases, made from source packages
	$(PYTEST) -m real -rs $(ARGS)

AGENTS = @anthropic-ai/claude-code@2.1.330 @openai/codex@0.169.0 @google/gemini-cli@0.61.0 @github/copilot@1.0.102 @modelcontextprotocol/inspector@0.15.0

test-agents: $(READY) ## Real coding agents, offline, call our hook; their clients come from the npm registry
	mkdir -p build/agents
	npm install --silent --prefix build/agents --ignore-scripts $(AGENTS)
	node build/agents/node_modules/@anthropic-ai/claude-code/install.cjs
	$(PYTEST) -m agents -rs $(ARGS)

lab: $(READY) ## The tests of our laboratory: benchmarks, the judging of judges, learning from histories
	$(PYTEST) -m lab $(ARGS)

lint: $(READY) ## Format, lint, types and import contracts
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m mypy --python-version 3.10 --no-warn-unreachable sandbox/probe
	PYTHONPATH=sandbox/probe $(VENV)/bin/lint-imports

format: $(READY) ## Rewrite the sources in the house's format
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .

demo: $(READY) ## Repair a historical bug of a real library, with no key
	$(RUN) -m corpora.lab.demo

bench-validation: $(READY) ## What trials cost beside cold runs and floors, and whether they agree; to build/bench/validation.json
	$(RUN) -m corpora.lab.benchmarks.validation $(ARGS)

bench-mutation: $(READY) ## The same mutants by mutmut and by us; to build/bench/mutation.json
	$(RUN) -m corpora.lab.benchmarks.mutation $(ARGS)

bench-large: $(READY) ## How soon `repair fix` has its first candidates in a suite of 20,000 tests
	$(RUN) -m corpora.lab.benchmarks.large_suite $(ARGS)

bench-report: $(READY) ## What a report of ten thousand cells costs
	$(RUN) -m corpora.lab.benchmarks.reporting $(ARGS)

bench-overhead: $(READY) ## What `repair bench run` costs over the engine's own time; to build/bench/overhead.json
	$(RUN) -m corpora.lab.benchmarks.overhead $(ARGS)

bench-latency: $(READY) ## How long people wait for `fix` and `check`, beside plain pytest; to build/bench/latency.json
	$(RUN) -m corpora.lab.benchmarks.latency $(ARGS)

bench-runs: $(READY) ## How long `repair runs` takes with 10,000 recorded runs; to build/bench/runs.json
	$(RUN) -m corpora.lab.benchmarks.many_runs $(ARGS)

bench-memory: $(READY) ## What a memory costs and holds, and with ARGS="--history DIR" what a history earns; to build/bench/memory.json
	$(RUN) -m corpora.lab.benchmarks.remembering $(ARGS)

bench-hook: $(READY) ## What `repair hook stop` says of changes as agents make them, beside plain pytest; to build/bench/hook.json
	$(RUN) -m corpora.lab.benchmarks.hook $(ARGS)

bench-reading: $(READY) ## Ten patches to be read and decided about: ARGS="--make DIR" or ARGS="--read DIR"
	$(RUN) -m corpora.lab.benchmarks.reading $(ARGS)

bench-judge: $(READY) ## Wrong patches that pass their tests and are stopped, right ones withheld; to build/bench/judge.json
	$(RUN) -m corpora.lab.judging.command $(ARGS)

learn-weights: $(READY) ## The table of the judge's weights from judged patches: ARGS="--folder DIR --out FILE"
	$(RUN) -m corpora.lab.judging.weights_command learn $(ARGS)

check-weights: $(READY) ## How good the judge's weights are on judged patches: ARGS="--folder DIR [--anew]"
	$(RUN) -m corpora.lab.judging.weights_command check $(ARGS)

bench-search: $(READY) ## What search alone mends, in the learned order and a uniform one; to build/bench/search.json
	$(RUN) -m corpora.lab.benchmarks.search $(ARGS)

bench-grow: $(READY) ## What grown tests kill beside those of others: ARGS="--small" or "--only LIBRARIES"; to build/bench/grow.json
	$(RUN) -m corpora.lab.benchmarks.growing $(ARGS)

bench-heal: $(READY) ## Generated tests after seeded changes of real libraries, healed: to build/bench/heal.json
	$(RUN) -m corpora.lab.benchmarks.healing $(ARGS)

bench-spec: $(READY) ## What `repair spec` reads and finds in planted projects; to build/bench/spec.json
	$(RUN) -m corpora.lab.benchmarks.specified $(ARGS)

bench-make: $(READY) ## Ten tasks by `repair make` with scripted answers, and answers that are cut; to build/bench/make.json
	$(RUN) -m corpora.lab.benchmarks.making $(ARGS)

bench-tune: $(READY) ## How often `repair tune` accepts noise, and finds what is there; to build/bench/tune.json
	$(RUN) -m corpora.lab.benchmarks.tuned $(ARGS)

bench-model: $(READY) ## Search, a model whose truth is known, and both: ARGS="CORPUS…"; to build/bench/model.json
	$(RUN) -m corpora.lab.benchmarks.model $(ARGS)

bench-judge-cheats: $(READY) ## Judge all texts that cheat their tests and all honest ones that look so; to build/bench/adversary.json
	$(RUN) -m corpora.lab.benchmarks.adversary $(ARGS)

words: $(READY) ## Make docs/words.md, the page of words that answers use
	$(RUN) -m corpora.lab.words

decisive: $(READY) ## How often each operator and gate decided: ARGS="--records DIR --judged DIR"
	$(RUN) -m corpora.lab.decisive $(ARGS)

constants: $(READY) ## Make docs/constants.md, the page of numbers that change a verdict
	$(RUN) -m corpora.lab.constants

learn: $(READY) ## Count what the fixes of histories are made of: ARGS="--git REPO --out FILE"
	$(RUN) -m corpora.lab.learning.command $(ARGS)

soak: $(READY) ## 100,000 trials in one session, then kills at random moments: nothing may be left behind
	$(RUN) -m corpora.lab.benchmarks.soak $(ARGS)

corpus-own: $(READY) ## Verify all bugs of our own corpus
	$(VENV)/bin/repair corpus verify flat:corpora/own $(ARGS)

clean: ## Remove what was built; .venv stays
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(READY): setup.cfg pyproject.toml
	@set -eu; \
	if [ ! -x $(RUN) ] || ! $(RUN) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  chosen=; \
	  for name in $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11 python); do \
	    if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then chosen=$$name; break; fi; \
	  done; \
	  if [ -z "$$chosen" ]; then \
	    echo "No Python 3.11 or newer found$(if $(PYTHON), under the name $(PYTHON)). Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; \
	  fi; \
	  echo "Creating $(VENV) with $$("$$chosen" --version)"; \
	  "$$chosen" -m venv --clear $(VENV) || { \
	    echo "$$chosen cannot create a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; \
	fi; \
	echo "Installing the engine and its tools into $(VENV)"; \
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
	touch $@
