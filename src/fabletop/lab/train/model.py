"""The net of `bots.net` in torch, its critic, which only the training needs, and the numbers of the net as weights."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from fabletop.bots.net import MOST_VALUE, ONE, WEIGHT_BITS, Shape, Weights, check


class Choices(NamedTuple):
    """Some choices as the net sees them. The options of all of them lie one behind the other."""

    table: Tensor
    """(choices, inputs)"""
    parts: Tensor
    """(choices, most parts, inputs), 0 where there is none"""
    n_parts: Tensor
    """(choices,)"""
    options: Tensor
    """(options, inputs)"""
    about: Tensor
    """(options,): the part, -1 for none"""
    down: Tensor
    """(options,): how far knowledge puts it below the best, in points"""
    owner: Tensor
    """(options,): the choice that it belongs to, ascending"""

    def there(self) -> Tensor:
        """(choices, most parts, 1): 1 where there is a part."""
        return (torch.arange(self.parts.shape[1])[None] < self.n_parts[:, None]).float()[..., None]


class Model(nn.Module):
    """The layers have the names of the blocks of `Shape`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.trust = 0.3  # by what the corrections are multiplied in play; the trials find a better value
        self.part = nn.Linear(shape.part, shape.wide_part)
        self.table = nn.Linear(shape.table, shape.wide_table)
        self.together = nn.Linear(shape.wide_part, shape.wide_table, bias=False)
        self.option = nn.Linear(shape.option, shape.wide_option)
        self.about = nn.Linear(shape.wide_part, shape.wide_option, bias=False)
        self.frame = nn.Linear(shape.wide_table, shape.wide_option, bias=False)
        self.score = nn.Linear(shape.wide_option, 1)
        nn.init.zeros_(self.score.weight)  # at first the scores are those of knowledge
        nn.init.zeros_(self.score.bias)

    def forward(self, choices: Choices) -> Tensor:
        """The correction of each option's score, in points."""
        n, most, _ = choices.parts.shape
        table, parts, options = (x.float() / ONE for x in choices[:2] + choices[3:4])
        part = cut(self.part(parts)) * choices.there()
        frame = cut(self.table(table) + self.together(part.sum(1).clamp(max=MOST_VALUE)))
        known = (choices.about >= 0)[:, None]
        mine = part.view(n * most, -1)[choices.owner * most + choices.about.clamp(min=0)] * known
        option = cut(self.option(options) + self.about(mine) + self.frame(frame)[choices.owner])
        found: Tensor = self.score(option).squeeze(1)
        return found

    def scores(self, choices: Choices) -> Tensor:
        """The score of each option in points, as `Learned.rate` has it."""
        correction: Tensor = self(choices)
        return self.trust * correction - choices.down


class Critic(nn.Module):
    """What a seat can expect when it has to choose."""

    def __init__(self, shape: Shape, wide: int = 96) -> None:
        super().__init__()
        self.part = nn.Sequential(nn.Linear(shape.part, wide // 2), nn.ReLU())
        self.rest = nn.Sequential(
            nn.Linear(shape.table + wide // 2, wide),
            nn.ReLU(),
            nn.Linear(wide, wide),
            nn.ReLU(),
            nn.Linear(wide, 1),
        )

    def forward(self, choices: Choices) -> Tensor:
        """(choices,)"""
        together = (self.part(choices.parts.float() / ONE) * choices.there()).sum(1)
        value: Tensor = self.rest(torch.cat((choices.table.float() / ONE, together), 1)).squeeze(1)
        return value


def cut(x: Tensor) -> Tensor:
    """ReLU with the upper bound of the values in `bots.net`."""
    return x.clamp(0, MOST_VALUE)


def weights(model: Model, notes: dict[str, Any]) -> Weights:
    """The numbers of the net in 16 bits."""
    numbers: array[int] = array("h")
    for name, inputs, outputs in model.shape.blocks():
        layer: nn.Linear = getattr(model, name)
        rows = layer.weight.detach().T
        if layer.bias is not None:
            rows = torch.cat((rows, layer.bias.detach()[None]))
        assert rows.shape == (inputs, outputs)
        scale = (model.trust if name == "score" else 1.0) * (1 << WEIGHT_BITS)
        rounded = (rows * scale).round().clamp(-32767, 32767).to(torch.int16)
        numbers.extend(rounded.flatten().tolist())
    check(model.shape, numbers)
    return Weights(model.shape, numbers, notes)
