"""A checkbox that shows its state without colour."""

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """`[x] label` or `[ ] label`."""

    DEFAULT_CSS = """
    Tick { background: transparent; border: none; padding: 0; height: 1; width: auto; }
    Tick:focus { border: none; background: $primary 30%; text-style: bold; }
    """

    def render(self) -> Content:
        """The box and its label."""
        return Content.assemble("[x]" if self.value else "[ ]", " ", self._label)
