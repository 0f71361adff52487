"""The benchmarks: Fabletop's engines side by side with other libraries, in one run, on one core.

`python -m bench` prints the table, `--quick` is a look of a few seconds, `--ours` leaves the peers out, `--json FILE`
keeps every reading, `--write` renews docs/benchmarks.md. A peer that is not installed gets a row that says so.
"""
