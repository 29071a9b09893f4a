# The two commands that matter are `make lesson` and `make test`; each sets up what it needs first.
# Options for render.py go in ARGS, for example:  make lesson ARGS="--jobs 4"

.DEFAULT_GOAL := help
.PHONY: help setup lesson draft test quick lint lock clean distclean force

python := .venv/bin/python
ready := .venv/ready
# Test processes: a number, or auto for one a core.
workers := auto

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

lesson: $(ready)  ## set up if needed, then the whole lesson video at 1080p60
	$(python) render.py $(ARGS)

draft: $(ready)  ## the same at 480p15, in a fraction of the time
	$(python) render.py -q l $(ARGS)

test: lint  ## set up if needed, then every check and every test
	$(python) -m pytest -n $(workers)

quick: lint  ## the same without the tests that render video
	$(python) -m pytest -n $(workers) -m "not slow"

lint: $(ready)  ## style, types, and who may import whom
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo

setup: $(ready)  ## the virtual environment, and the system packages it needs (PYTHON=... chooses the Python)
	@echo 'ready: $(python)'

# Set up again when the lock or the project file changed, and also when this folder was moved, when its Python is gone
# or another one is asked for.
$(ready): pyproject.toml requirements.txt requirements-build.txt tools/setup.sh
	tools/setup.sh
ifneq ($(shell cat $(ready) 2>/dev/null),$(CURDIR))
$(ready): force
endif
ifeq ($(wildcard $(python)),)
$(ready): force
endif
ifeq ($(origin PYTHON),command line)
$(ready): force
endif

lock:  ## choose all package versions anew and write them down with their hashes
	tools/lock.sh

clean:  ## remove caches and what builds leave behind; keep the environment and the videos
	rm -rf build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find attention_core lesson scenes voice pipeline tests tools -name __pycache__ -exec rm -rf {} +

distclean: clean  ## remove the virtual environment and everything rendered, too
	rm -rf .venv
	find media -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
