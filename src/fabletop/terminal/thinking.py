"""Thinking in the background: a bot works in its own thread, and the screen stays responsive."""

from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Thread
from time import monotonic
from typing import Generic, TypeVar

from fabletop.core.game import Choice, View
from fabletop.core.sitting import Sitting

Answer = TypeVar("Answer")


@dataclass(eq=False)
class Thinking(Generic[Answer]):
    """Thinking about one choice of one seat. `work` gets the view and the choice, `stop` makes it end soon, `tell` is
    called in the thread when it is done, unless it was dropped."""

    seat: int
    view: View
    choice: Choice
    work: Callable[[View, Choice], Answer]
    stop: Callable[[], None]
    tell: Callable[["Thinking[Answer]"], object]
    answer: Answer | None = None
    dropped: bool = False
    began: float = field(default_factory=monotonic)

    def start(self) -> None:
        """Start the thread, as a daemon."""
        Thread(target=copy_context().run, args=(self._run,), daemon=True).start()

    def _run(self) -> None:
        self.answer = self.work(self.view, self.choice)
        if not self.dropped:
            self.tell(self)

    def drop(self) -> None:
        """Stop, and ignore the result."""
        self.dropped = True
        self.stop()

    def spent(self) -> float:
        """Seconds since it began."""
        return monotonic() - self.began

    def still_asked(self, sitting: Sitting) -> bool:
        """Does the seat still have this choice, with this view?"""
        return sitting.pending.get(self.seat) == self.choice and sitting.view(self.seat) == self.view
