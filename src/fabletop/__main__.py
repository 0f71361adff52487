"""`python -m fabletop` is the command `fabletop`."""

from fabletop.cli import main

raise SystemExit(main())
