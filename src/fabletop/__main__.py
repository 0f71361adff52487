"""The command `fabletop`, also as `python -m fabletop`."""

import sys

from fabletop.core.errors import FabletopError


def main() -> int:
    """Run the command. If a game cannot be loaded (a mistake in its card file), the error is one line."""
    try:
        from fabletop.cli import main as run
    except FabletopError as error:
        print(f"fabletop: {error}", file=sys.stderr)
        return 1
    return run()


if __name__ == "__main__":
    raise SystemExit(main())
