"""Proximal policy optimisation on complete games, for any number of seats: the policy is knowledge and the net."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from fabletop.lab.train.model import Choices, Critic, Model
from fabletop.lab.train.rooms import Seen, Step

MINIBATCH = 1024
LARGEST_STEP = 0.5
EPSILON = 1e-5


class Settings(NamedTuple):
    """How a game is learned."""

    margin: float
    """What a point of lead counts beside the share of the victory, in rewards."""
    heat: float = 0.1
    """Points that make an option e times as likely in the games of the training."""
    decay: float = 0.95
    """λ of the advantages."""
    passes: int = 3
    """How often a batch is gone over."""


class Pace(NamedTuple):
    """How boldly to learn at one moment of the training."""

    rate: float
    clip: float
    entropy: float


class Batch(NamedTuple):
    """Decisions to learn from."""

    seen: list[Seen]
    action: Tensor
    log: Tensor
    advantage: Tensor
    target: Tensor


def choices(seen: Sequence[Seen]) -> Choices:
    """Choices as one."""
    n_parts = np.array([len(one.parts) for one in seen])
    parts = np.zeros((len(seen), max(1, n_parts.max()), seen[0].parts.shape[1]), np.uint8)
    for i, one in enumerate(seen):
        parts[i, : len(one.parts)] = one.parts
    counts = torch.tensor([len(one.options) for one in seen])
    return Choices(
        torch.from_numpy(np.stack([one.table for one in seen])),
        torch.from_numpy(parts),
        torch.from_numpy(n_parts),
        torch.from_numpy(np.concatenate([one.options for one in seen])),
        torch.from_numpy(np.concatenate([one.about for one in seen])).long(),
        torch.from_numpy(np.concatenate([one.down for one in seen])),
        torch.repeat_interleave(torch.arange(len(seen)), counts),
    )


def logs(model: Model, seen: Choices, heat: float) -> Tensor:
    """(choices, most options): the log-probability of each option."""
    counts = torch.bincount(seen.owner)
    place = torch.arange(len(seen.owner)) - (counts.cumsum(0) - counts)[seen.owner]
    rows = torch.full((len(counts), int(counts.max())), -1e9)
    return torch.log_softmax(rows.index_put((seen.owner, place), model.scores(seen) / heat), 1)


def gathered(games: Iterable[tuple[list[Step], float]], least: int, decay: float) -> Batch:
    """The decisions of complete games, at least so many, with advantages (GAE; nothing is paid before the end)."""
    steps: list[Step] = []
    advantage: list[float] = []
    for chain, reward in games:
        gain, after = 0.0, reward
        back = []
        for step in reversed(chain):
            gain = after - step.value + decay * gain
            after = step.value
            back.append(gain)
        steps += chain
        advantage += reversed(back)
        if len(steps) >= least:
            break
    found = torch.tensor(advantage)
    return Batch(
        [step.seen for step in steps],
        torch.tensor([step.action for step in steps]),
        torch.tensor([step.log for step in steps]),
        found,
        found + torch.tensor([step.value for step in steps]),
    )


def minibatches(n: int) -> list[list[int]]:
    """The numbers below n in random order, some at a time."""
    order: list[int] = torch.randperm(n).tolist()
    return [order[i : i + MINIBATCH] for i in range(0, n, MINIBATCH)]


class Learner:
    """A net and its critic, and how they learn."""

    def __init__(self, model: Model, critic: Critic, settings: Settings) -> None:
        self.model = model
        self.critic = critic
        self.settings = settings
        self.optimizer = torch.optim.Adam([*model.parameters(), *critic.parameters()], eps=EPSILON)

    def answer(self, seen: list[Seen]) -> list[tuple[int, float, float]]:
        """Options drawn by their scores."""
        with torch.no_grad():
            together = choices(seen)
            every = logs(self.model, together, self.settings.heat)
            action = torch.multinomial(every.exp(), 1)
            log, value = every.gather(1, action), self.critic(together)
        return list(zip(action.squeeze(1).tolist(), log.squeeze(1).tolist(), value.tolist(), strict=True))

    def learn(self, batch: Batch, pace: Pace) -> None:
        """A few passes over the batch."""
        for group in self.optimizer.param_groups:
            group["lr"] = pace.rate
        advantage = (batch.advantage - batch.advantage.mean()) / (batch.advantage.std() + EPSILON)
        for _ in range(self.settings.passes):
            for rows in minibatches(len(batch.seen)):
                seen = choices([batch.seen[i] for i in rows])
                every = logs(self.model, seen, self.settings.heat)
                log = every.gather(1, batch.action[rows, None]).squeeze(1)
                ratio = (log - batch.log[rows]).exp()
                clipped = ratio.clamp(1 - pace.clip, 1 + pace.clip)
                gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
                entropy = -(every.exp() * every.clamp(min=-30)).sum(1).mean()
                off = (self.critic(seen) - batch.target[rows]).pow(2).mean()
                loss = off / 2 - gain - pace.entropy * entropy
                self.optimizer.zero_grad()
                loss.backward()
                for part in (self.model, self.critic):
                    nn.utils.clip_grad_norm_(part.parameters(), LARGEST_STEP)
                self.optimizer.step()
