"""The net of `bots.net` in torch, its critic, which only the training needs, and the numbers of the net as weights."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from fabletop.bots.net import MOST_VALUE, ONE, WEIGHT_BITS, Shape, Weights, check


class Observations(NamedTuple):
    """A batch of choices as the net sees them. The options of all of them lie one behind the other."""

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
    hidden_table: Tensor
    """(choices, inputs of the critic alone)"""
    hidden_parts: Tensor
    """(choices, most parts, inputs of the critic alone)"""

    def there(self) -> Tensor:
        """(choices, most parts, 1): 1 where there is a part."""
        return (torch.arange(self.parts.shape[1])[None] < self.n_parts[:, None]).float()[..., None]


class Model(nn.Module):
    """The layers have the names of the blocks of `Shape`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.scale = (
            0.3  # by what the corrections are multiplied in play; the evaluations find a better value
        )
        self.part = nn.Linear(shape.part, shape.wide_part)
        self.table = nn.Linear(shape.table, shape.wide_table)
        self.together = nn.Linear(shape.wide_part, shape.wide_table, bias=False)
        self.option = nn.Linear(shape.option, shape.wide_option)
        self.about = nn.Linear(shape.wide_part, shape.wide_option, bias=False)
        self.frame = nn.Linear(shape.wide_table, shape.wide_option, bias=False)
        self.score = nn.Linear(shape.wide_option, 1)
        nn.init.zeros_(self.score.weight)  # at first the scores are those of knowledge
        nn.init.zeros_(self.score.bias)

    def forward(self, batch: Observations) -> Tensor:
        """The correction of each option's score, in points."""
        n, most, _ = batch.parts.shape
        table, parts, options = (x.float() / ONE for x in batch[:2] + batch[3:4])
        part = clipped_relu(self.part(parts)) * batch.there()
        frame = clipped_relu(self.table(table) + self.together(part.sum(1).clamp(max=MOST_VALUE)))
        known = (batch.about >= 0)[:, None]
        mine = part.view(n * most, -1)[batch.owner * most + batch.about.clamp(min=0)] * known
        option = clipped_relu(self.option(options) + self.about(mine) + self.frame(frame)[batch.owner])
        scores: Tensor = self.score(option).squeeze(1)
        return scores

    def scores(self, batch: Observations) -> Tensor:
        """The score of each option in points, as `Learned.rate` has it."""
        correction: Tensor = self(batch)
        return correction - batch.down


class Critic(nn.Module):
    """What a seat can expect when it has to choose. It also sees what the seat may not: lower variance, same policy."""

    def __init__(self, shape: Shape, hidden: tuple[int, int] = (0, 0), wide: int = 96) -> None:
        super().__init__()
        self.part = nn.Sequential(nn.Linear(shape.part + hidden[1], wide // 2), nn.ReLU())
        self.rest = nn.Sequential(
            nn.Linear(shape.table + hidden[0] + wide // 2, wide),
            nn.ReLU(),
            nn.Linear(wide, wide),
            nn.ReLU(),
            nn.Linear(wide, 1),
        )

    def forward(self, batch: Observations) -> Tensor:
        """(choices,)"""
        parts = torch.cat((batch.parts, batch.hidden_parts), 2).float() / ONE
        table = torch.cat((batch.table, batch.hidden_table), 1).float() / ONE
        together = (self.part(parts) * batch.there()).sum(1)
        value: Tensor = self.rest(torch.cat((table, together), 1)).squeeze(1)
        return value


def clipped_relu(x: Tensor) -> Tensor:
    """ReLU with the upper bound of the values in `bots.net`."""
    return x.clamp(0, MOST_VALUE)


def weights(model: Model, notes: dict[str, Any], scale: float = 1.0) -> Weights:
    """The numbers of the net in 16 bits, with its corrections multiplied by `scale`."""
    numbers: array[int] = array("h")
    for name, inputs, outputs in model.shape.blocks():
        layer: nn.Linear = getattr(model, name)
        rows = layer.weight.detach().T
        if layer.bias is not None:
            rows = torch.cat((rows, layer.bias.detach()[None]))
        assert rows.shape == (inputs, outputs)
        factor = (scale if name == "score" else 1.0) * (1 << WEIGHT_BITS)
        rounded = (rows * factor).round().clamp(-32767, 32767).to(torch.int16)
        numbers.extend(rounded.flatten().tolist())
    check(model.shape, numbers)
    return Weights(model.shape, numbers, notes)


def widened(model: Model, net: Weights) -> None:
    """Start from a trained net, perhaps a smaller one: units that it has not are of no consequence at first."""
    at = 0
    with torch.no_grad():
        for name, inputs, outputs in net.shape.blocks():
            rows = torch.tensor(net.numbers[at : at + inputs * outputs]).view(inputs, outputs)
            at += inputs * outputs
            layer: nn.Linear = getattr(model, name)
            if layer.bias is not None:
                layer.bias[:outputs] = rows[-1] / (1 << WEIGHT_BITS)
                rows = rows[:-1]
            if name in ("together", "about", "frame", "score"):
                layer.weight[:outputs, rows.shape[0] :] = 0
            layer.weight[:outputs, : rows.shape[0]] = rows.T / (1 << WEIGHT_BITS)
