"""A script run twice, with compiled and with interpreted modules."""

import json
import os
import subprocess
import sys
from typing import Any


def compiled_and_interpreted(script: str) -> tuple[Any, Any]:
    """What a script prints with compiled and with interpreted modules. It prints JSON: COMPILED, then its results."""
    results = []
    for pure in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "FABLETOP_PURE": pure, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        results.append(json.loads(done.stdout))
    assert [compiled for compiled, *_ in results] == [True, False]
    return results[0][1:], results[1][1:]
