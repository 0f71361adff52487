"""Learn Equinox for two from nothing, by masked PPO in self-play: python examples/ppo.py --minutes 30 --out build/ppo

Every minute the net plays `uniform` and `greedy` on the same deals; the shares of victories go to curve.csv and, with
matplotlib, to curve.svg. The net goes to net.pt; `fabletop rate equinox examples.ppo:Player` rates it. Needs torch.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from fabletop import GAMES, Chance
from fabletop.bots.play import play
from fabletop.envs import observation, vector

GAME = GAMES["equinox"]
SPACE = observation.space(GAME)
SCALE = torch.from_numpy(SPACE.high.astype(np.float32)).clamp(min=1)
LAMBDA, CLIP, EPOCHS, MINIBATCH, MARGIN = 0.95, 0.15, 2, 2048, 0.02


class Net(nn.Module):
    """Two hidden layers; a policy over the legal actions, and the expected result."""

    def __init__(self, width: int = 160) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SPACE.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, SPACE.actions), nn.Linear(width, 1)

    def forward(
        self, seen: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        hidden = self.body(seen.float() / SCALE)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(
            hidden
        ).squeeze(-1)


class Player:
    """The net as a bot: it sees the observation of a state that it imagines from its view, which is the same one."""

    def __init__(self, chance, path="build/ppo/net.pt", net=None) -> None:
        self.chance = chance
        self.net = net or Net()
        if net is None:
            self.net.load_state_dict(torch.load(path))

    def choose(self, view, choice) -> int:
        world = GAME.imagine(view, self.chance)
        seen, mask = (
            torch.from_numpy(f(GAME, world, choice.seat))[None]
            for f in (observation.observe, observation.mask)
        )
        with torch.no_grad():
            return int(self.net(seen, mask)[0].logits.argmax())


def collect(games, net, steps):
    """Play some steps in every game, each seat with the net; the arrays of a batch, advantages included."""
    kept = {name: [] for name in ("seen", "mask", "seat", "action", "log", "value", "reward", "done")}
    for _ in range(steps):
        seen, mask = torch.from_numpy(games.observation.copy()), torch.from_numpy(games.mask.copy())
        with torch.no_grad():
            policy, value = net(seen, mask)
            action = policy.sample()
        row = (seen, mask, games.seat.astype(np.int64), action, policy.log_prob(action), value.numpy())
        games.step(action.numpy())
        lead = games.score - games.score.mean(1, keepdims=True)
        reward = np.where(games.done[:, None], games.reward + MARGIN * lead, 0)
        for name, part in zip(kept, (*row, reward, games.done.copy()), strict=True):
            kept[name].append(part)
    with torch.no_grad():
        last = net(torch.from_numpy(games.observation), torch.from_numpy(games.mask))[1].numpy()
    every, seats = np.arange(games.n), games.seats
    after = np.repeat(((1 - last) / (seats - 1))[:, None], seats, 1)  # what is left for the others
    after[every, games.seat] = last
    gain, paid = np.zeros_like(after), np.zeros_like(after)
    advantage = np.zeros((steps, games.n), np.float32)
    for t in reversed(range(steps)):  # each seat has its own chain of decisions
        over = kept["done"][t]
        after[over], gain[over], paid[over] = 0, 0, kept["reward"][t][over]
        own = (every, kept["seat"][t])
        gain[own] = paid[own] + after[own] - kept["value"][t] + LAMBDA * gain[own]
        after[own], paid[own] = kept["value"][t], 0
        advantage[t] = gain[own]
    batch = {name: torch.cat(kept[name]) for name in ("seen", "mask", "action", "log")}
    batch["advantage"] = torch.from_numpy(advantage.reshape(-1))
    batch["target"] = batch["advantage"] + torch.from_numpy(np.concatenate(kept["value"]))
    return batch


def improve(net, optimizer, batch, entropy):
    """A few passes of PPO over the batch."""
    batch["advantage"] = (batch["advantage"] - batch["advantage"].mean()) / (batch["advantage"].std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(batch["action"])).split(MINIBATCH):
            b = {name: part[rows] for name, part in batch.items()}
            policy, value = net(b["seen"], b["mask"])
            ratio = (policy.log_prob(b["action"]) - b["log"]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            gain = torch.minimum(ratio * b["advantage"], clipped * b["advantage"]).mean()
            loss = (value - b["target"]).pow(2).mean() - gain - entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def share(net, bot, games):
    """The share of victories against a bot, on the same deals in both seats."""
    won = 0.0
    for deal in range(games):
        player = Player(Chance(deal), net=net)
        table, seat = ([player, bot], 0) if deal % 2 == 0 else ([bot, player], 1)
        outcome = play(GAME, table, seed=f"deal {deal // 2}").outcome
        won += (seat in outcome.winners) / len(outcome.winners)
    return won / games


def train(minutes, out, n=256, steps=64, every=1.0, games=100, seed=0):
    """Train for some minutes; returns the rows of the curve."""
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    net, tables = Net(), vector("equinox", n, seats=2, seed=seed)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-5)
    began, spent, measured, decisions, rows = time.monotonic(), 0.0, -every, 0, []
    while True:
        if spent - measured >= every or spent >= minutes:
            shares = [share(net, bot, games) for bot in ("uniform", "greedy")]
            began += time.monotonic() - began - 60 * spent  # measuring does not count as training
            measured = spent
            rows.append((round(spent, 2), decisions, *shares))
            print(
                f"minutes {spent:.1f}, decisions {decisions}: uniform {shares[0]:.2f}, greedy {shares[1]:.2f}"
            )
            write(rows, out)
            torch.save(net.state_dict(), out / "net.pt")
            if spent >= minutes:
                return rows
        left = 1 - spent / minutes
        optimizer.param_groups[0]["lr"] = 1e-3 * left + 5e-5
        batch = collect(tables, net, steps)
        improve(net, optimizer, batch, 0.02 * left + 0.002)
        decisions += n * steps
        spent = (time.monotonic() - began) / 60


def write(rows, out):
    """The curve as numbers, and as a picture where matplotlib is there."""
    with (out / "curve.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("minutes", "decisions", "uniform", "greedy"), *rows])
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure((6, 3.5), layout="constrained")
    axes = figure.subplots()
    for column, name in ((2, "uniform"), (3, "greedy")):
        axes.plot(
            [row[0] for row in rows], [row[column] for row in rows], marker=".", label=f"against {name}"
        )
    axes.axhline(0.5, color="grey", linewidth=0.5)
    axes.set(xlabel="minutes of training", ylabel="share of victories", ylim=(0, 1))
    axes.legend()
    figure.savefig(out / "curve.svg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--out", type=Path, default=Path("build/ppo"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    train(given.minutes, given.out, seed=given.seed)
