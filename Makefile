# All work is done by bootstrap.py; `make help` lists the commands. ARGS="…" passes options on.

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help play test check docs bench examples fuzz torture screenshots sanitize clean

bootstrap = @$(PYTHON) bootstrap.py $@ $(ARGS)

play:
	$(bootstrap)

test:
	$(bootstrap)

help check docs bench examples fuzz torture screenshots sanitize clean:
	$(bootstrap)
