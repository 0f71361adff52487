"""Proximal policy optimisation on complete games, for any number of seats: the policy is knowledge and the net."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from fabletop.lab.train.model import Critic, Model, Observations
from fabletop.lab.train.rollouts import Rollouts

MINIBATCH = 2048
MAX_GRADIENT_NORM = 0.5
EPSILON = 1e-5
CRITIC_LEARNING_RATE = 1e-3


class Hyperparameters(NamedTuple):
    """Hyperparameters that stay the same during a run."""

    margin: float
    """What a point of lead counts beside the share of the victory, in rewards."""
    temperature: float = 0.07
    """Points that make an option e times as likely in the games of the training."""
    gae_lambda: float = 0.9
    """λ of generalised advantage estimation (GAE)."""
    epochs: int = 2
    """Of the updates, over one batch."""


class Schedule(NamedTuple):
    """The values of the schedule at one moment of the training."""

    learning_rate: float
    clip: float
    entropy: float


class Batch:
    """Rollouts as tensors, to take some choices out of."""

    def __init__(self, rollouts: Rollouts) -> None:
        self.n = len(rollouts.action)
        self.table, self.parts, self.hidden_table, self.hidden_parts, self.options = (
            torch.from_numpy(numbers)
            for numbers in (
                rollouts.table,
                rollouts.parts,
                rollouts.hidden_table,
                rollouts.hidden_parts,
                rollouts.options,
            )
        )
        self.n_parts = torch.from_numpy(rollouts.n_parts.astype(np.int64))
        self.about = torch.from_numpy(rollouts.about.astype(np.int64))
        self.down = torch.from_numpy(rollouts.down)
        self.action = torch.from_numpy(rollouts.action.astype(np.int64))
        self.counts = torch.from_numpy(rollouts.counts.astype(np.int64))
        self.first = self.counts.cumsum(0) - self.counts

    def places(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The options of some of the choices: the choice that each belongs to, and its place among all."""
        counts = self.counts[rows]
        owner = torch.repeat_interleave(torch.arange(len(rows)), counts)
        return owner, self.first[rows][owner] + place_of(owner)

    def at(self, rows: Tensor) -> Observations:
        """Some of the choices."""
        owner, options = self.places(rows)
        return Observations(
            self.table[rows],
            self.parts[rows],
            self.n_parts[rows],
            self.options[options],
            self.about[options],
            self.down[options],
            owner,
            self.hidden_table[rows],
            self.hidden_parts[rows],
        )


def place_of(owner: Tensor) -> Tensor:
    """(options,): the number of each option in its choice."""
    counts = torch.bincount(owner)
    return torch.arange(len(owner)) - (counts.cumsum(0) - counts)[owner]


def by_choice(owner: Tensor, numbers: Tensor, empty: float) -> Tensor:
    """(choices, most options): numbers of options, choice by choice; `empty` where there is none."""
    place = place_of(owner)
    rows = torch.full((int(owner[-1]) + 1, int(place.max()) + 1), empty)
    return rows.index_put((owner, place), numbers)


def log_probabilities(model: Model, batch: Observations, temperature: float) -> Tensor:
    """(choices, most options): the log-probability of each option."""
    return torch.log_softmax(by_choice(batch.owner, model.scores(batch) / temperature, -1e9), 1)


def advantages(rollouts: Rollouts, values: list[float], gae_lambda: float) -> Tensor:
    """Of every choice, by GAE; nothing is paid before the end of a game."""
    result = [0.0] * len(values)
    after: list[float] = rollouts.reward.tolist()
    gain = [0.0] * len(after)
    trajectory: list[int] = rollouts.trajectory.tolist()
    for i in range(len(values) - 1, -1, -1):
        number = trajectory[i]
        result[i] = gain[number] = after[number] - values[i] + gae_lambda * gain[number]
        after[number] = values[i]
    return torch.tensor(result)


def minibatches(rows: Tensor) -> list[Tensor]:
    """These rows, some at a time."""
    return [rows[i : i + MINIBATCH] for i in range(0, len(rows), MINIBATCH)]


class Learner:
    """A net and its critic, and how they learn."""

    def __init__(self, model: Model, critic: Critic, hyperparameters: Hyperparameters) -> None:
        self.model = model
        self.critic = critic
        self.hyperparameters = hyperparameters
        self.optimizer = torch.optim.Adam(
            [{"params": list(model.parameters())}, {"params": list(critic.parameters())}], eps=EPSILON
        )

    def learn(self, rollouts: Rollouts, schedule: Schedule) -> dict[str, float]:
        """A few epochs over the batch; returns how well the critic knew, and how far the policy went."""
        batch = Batch(rollouts)
        temperature = self.hyperparameters.temperature
        policy, critic = self.optimizer.param_groups
        policy["lr"], critic["lr"] = schedule.learning_rate, CRITIC_LEARNING_RATE
        values, before = [], []
        with torch.no_grad():
            for rows in minibatches(torch.arange(batch.n)):
                seen = batch.at(rows)
                values.append(self.critic(seen))
                log_p = log_probabilities(self.model, seen, temperature)
                before.append(log_p.gather(1, batch.action[rows, None]).squeeze(1))
        value, old = torch.cat(values), torch.cat(before)
        raw = advantages(rollouts, value.tolist(), self.hyperparameters.gae_lambda)
        target = raw + value
        advantage = (raw - raw.mean()) / (raw.std() + EPSILON)
        clipped_share = []
        for _ in range(self.hyperparameters.epochs):
            for rows in minibatches(torch.randperm(batch.n)):
                seen = batch.at(rows)
                log_p = log_probabilities(self.model, seen, temperature)
                log = log_p.gather(1, batch.action[rows, None]).squeeze(1)
                ratio = (log - old[rows]).exp()
                clipped = ratio.clamp(1 - schedule.clip, 1 + schedule.clip)
                objective = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
                entropy = -(log_p.exp() * log_p.clamp(min=-30)).sum(1).mean()
                value_loss = (self.critic(seen) - target[rows]).pow(2).mean()
                loss = value_loss / 2 - objective - schedule.entropy * entropy
                self.optimizer.zero_grad()
                loss.backward()
                for part in (self.model, self.critic):
                    nn.utils.clip_grad_norm_(part.parameters(), MAX_GRADIENT_NORM)
                self.optimizer.step()
                clipped_share.append(float((ratio != clipped).float().mean()))
        reward = torch.from_numpy(rollouts.reward)[torch.from_numpy(rollouts.trajectory)]
        return {
            "explained": float(1 - (reward - value).var() / reward.var()),
            "clipped": sum(clipped_share) / len(clipped_share),
        }
