# All work is done by bootstrap.py; `make help` lists the commands. ARGS="…" passes options on.

PYTHON ?= python3
ARGS ?=

.PHONY: help play test check docs bench fuzz screenshots sanitize clean

help play test check docs bench fuzz screenshots sanitize clean:
	@$(PYTHON) bootstrap.py $@ $(ARGS)
