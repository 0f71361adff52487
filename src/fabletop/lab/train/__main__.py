"""Train the learned player of a game: `python -m fabletop.lab.train equinox`. Needs the extra `train`.

The same command resumes where a run was interrupted. The best net so far lies in the folder; `--keep` puts it into the
package at the end, if it was ahead of greedy in an evaluation.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from fabletop.games import GAMES

if TYPE_CHECKING:
    from fabletop.lab.train.run import Evaluation, Run


def main() -> int:
    """Train, with a progress bar on standard error and the evaluations on standard output."""
    parser = argparse.ArgumentParser(
        prog="python -m fabletop.lab.train", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("game", choices=[name.replace("_", "-") for name in GAMES])
    parser.add_argument("--minutes", type=float, default=60, help="of the processor, in all (default 60)")
    parser.add_argument("--every", type=float, default=2, help="minutes between two evaluations (default 2)")
    parser.add_argument("--threads", type=int, default=1, help="of torch (default 1)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the folder of the run (default build/train/GAME)")
    parser.add_argument("--start", type=Path, help="a trained net to start from")
    parser.add_argument("--keep", action="store_true", help="put the best net into the package")
    given = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("training needs torch: pip install 'fabletop[train]'", file=sys.stderr)
        return 1
    from fabletop.lab.train.lessons import LessonRun
    from fabletop.lab.train.run import Run

    torch.set_num_threads(given.threads)
    game = given.game.replace("-", "_")
    kind = LessonRun if import_module(f"fabletop.lab.{game}.learned").CONFIG.from_search else Run
    run = kind(game, given.minutes, given.out or Path("build", "train", game), given.seed, given.start)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[done]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(given.game, total=given.minutes, done="")
        bar.update(task, completed=run.elapsed)

        def report(run: Run, evaluation: Evaluation | None) -> None:
            bar.update(task, completed=min(run.elapsed, given.minutes), done=f"{run.choices} choices")
            if evaluation is not None:
                print(evaluation.text(), flush=True)

        try:
            run.train(given.every, report)
        except KeyboardInterrupt:
            run.save()
            print("interrupted; the same command resumes", file=sys.stderr)
            return 130
    if given.keep and run.best <= 0:
        print("no net of this run is ahead of greedy, so none is kept", file=sys.stderr)
        return 1
    if given.keep:
        copyfile(run.net_file, import_module(f"fabletop.bots.{game}.learned").FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
