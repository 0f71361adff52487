"""Learn Equinox for two from nothing, by masked PPO in self-play: python -m examples.ppo --minutes 30 --out build/ppo

Minutes are those of one processor core. Now and then the net plays `uniform` and `greedy`, each deal in both seats; its
shares of the victories go to curve.csv and, with matplotlib, to curve.svg. The net goes to net.pt, and
`fabletop rate equinox examples.equinox_net:Player` rates it. Needs torch.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from examples.equinox_net import Net
from fabletop.envs import vector
from fabletop.envs.one_seat import OneSeatVectorEnv

RATE, LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCH, MARGIN = 2e-3, 0.95, 0.1, 0.03, 2, 4096, 0.02


def collect(games, net, steps):
    """Play some steps in every game, each seat with the net; the decisions with their advantages."""
    kept = {name: [] for name in ("seen", "mask", "seat", "action", "log", "value", "reward", "done")}
    for _ in range(steps):
        seen, mask, seat = games.observation.copy(), games.mask.copy(), games.seat.astype(np.int64)
        action, log, value = net.act(seen, mask)
        games.step(action)
        lead = games.score - games.score.mean(1, keepdims=True)
        reward = np.where(games.done[:, None], games.reward + MARGIN * lead, 0)
        for part, name in zip(
            (seen, mask, seat, action, log, value, reward, games.done.copy()), kept, strict=True
        ):
            kept[name].append(part)
    every, last = np.arange(games.n), net.act(games.observation, games.mask)[2]
    after = np.repeat(1 - last[:, None], games.seats, 1)  # the other seat gets the rest
    after[every, games.seat] = last
    gain, paid = np.zeros_like(after), np.zeros_like(after)
    advantage = np.zeros((steps, games.n), np.float32)
    for t in reversed(range(steps)):  # each seat has its own chain of decisions
        over, own, value = kept["done"][t], (every, kept["seat"][t]), kept["value"][t]
        after[over], gain[over], paid[over] = 0, 0, kept["reward"][t][over]
        gain[own] = paid[own] + after[own] - value + LAMBDA * gain[own]
        after[own], paid[own] = value, 0
        advantage[t] = gain[own]
    batch = {name: np.concatenate(kept[name]) for name in ("seen", "mask", "action", "log")}
    batch |= {
        "advantage": advantage.reshape(-1),
        "target": advantage.reshape(-1) + np.concatenate(kept["value"]),
    }
    real = batch["mask"].sum(1) > 1  # the rest teaches nothing
    return {name: torch.from_numpy(part[real]) for name, part in batch.items()}


def improve(net, optimizer, batch, entropy):
    """A few passes of PPO over the batch."""
    batch["advantage"] = (batch["advantage"] - batch["advantage"].mean()) / (batch["advantage"].std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(batch["action"])).split(MINIBATCH):
            b = {name: part[rows] for name, part in batch.items()}
            logs, value = net(b["seen"], b["mask"])
            ratio = (logs.gather(1, b["action"][:, None])[:, 0] - b["log"]).exp()
            gain = torch.minimum(
                ratio * b["advantage"], ratio.clamp(1 - CLIP, 1 + CLIP) * b["advantage"]
            ).mean()
            chance = -(logs.exp() * logs).sum(1).mean()
            loss = (value - b["target"]).pow(2).mean() - gain - entropy * chance
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def share(net, bot, games):
    """The share of victories against a bot, each deal in both seats."""
    env = OneSeatVectorEnv("equinox", games, seat=np.arange(games) % 2, others=bot, seats=2)
    seen, _ = env.reset(seed=[deal // 2 for deal in range(games)])
    won = np.full(games, np.nan)
    while (going := np.isnan(won)).any():
        seen, reward, over, _, _ = env.step(net.act(seen["observation"], seen["action_mask"], best=True)[0])
        won[over & going] = reward[over & going]
    return float(won.mean())


def train(minutes, out, n=256, steps=128, every=1.0, games=400, seed=0):
    """Train for some minutes of processor time; returns the rows of the curve."""
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    net, tables = Net(), vector("equinox", n, seats=2, seed=seed)
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE, eps=1e-5)
    spent, wall, due, decisions, rows = 0.0, 0.0, 0.0, 0, []
    while True:
        if spent >= min(due, minutes):  # measuring does not count as training
            shares = [share(net, bot, games) for bot in ("uniform", "greedy")]
            rows.append((round(spent, 2), round(wall, 2), decisions, *shares))
            print(
                "{} minutes ({} by the clock), {:,} decisions: uniform {:.3f}, greedy {:.3f}".format(
                    *rows[-1]
                ),
                flush=True,
            )
            write(rows, out)
            torch.save(net.state_dict(), out / "net.pt")
            due = spent + every
            if spent >= minutes:
                return rows
        cpu, clock, left = time.process_time(), time.monotonic(), 1 - spent / minutes
        optimizer.param_groups[0]["lr"] = RATE * (left + 0.02)
        improve(net, optimizer, collect(tables, net, steps), ENTROPY * (left + 0.1))
        decisions += n * steps
        spent += (time.process_time() - cpu) / 60
        wall += (time.monotonic() - clock) / 60


def write(rows, out):
    """The curve as numbers, and as a picture where matplotlib is there."""
    with (out / "curve.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("cpu_minutes", "minutes", "decisions", "uniform", "greedy"), *rows])
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure((6, 3.5), layout="constrained")
    axes = figure.subplots()
    for column, name in ((3, "uniform"), (4, "greedy")):
        axes.plot(
            [row[0] for row in rows], [row[column] for row in rows], marker=".", label=f"against {name}"
        )
    axes.axhline(0.5, color="grey", linewidth=0.5)
    axes.set(xlabel="minutes on one core", ylabel="share of victories", ylim=(0, 1))
    axes.legend(loc="lower right")
    figure.savefig(out / "curve.svg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30, help="of processor time (30)")
    parser.add_argument("--out", type=Path, default=Path("build/ppo"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(1)
    train(given.minutes, given.out, seed=given.seed)
