"""Learn Equinox for two from nothing, by masked PPO in self-play: python -m examples.ppo --minutes 30 --out build/ppo

Minutes are those of one processor core. Now and then the net plays `uniform` and `greedy`, each deal in both seats; its
shares of the victories go to curve.csv and curve.svg. The net goes to net.pt, and
`fabletop rate equinox examples.equinox_net:Player` rates it. Needs torch and matplotlib.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import nn

from examples.equinox_net import Net
from fabletop.envs import vector
from fabletop.envs.one_seat import OneSeatVectorEnv

RATE, LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCH, MARGIN = 2e-3, 0.95, 0.1, 0.03, 2, 4096, 0.02


def collect(games, net, steps):
    """Play some steps in every game, each seat with the net; the decisions with their advantages and targets."""
    kept, rows = [], np.arange(games.n)
    for _ in range(steps):
        seen, mask, seat = games.observation.copy(), games.mask.copy(), games.seat.astype(np.int64)
        action, log, value = net.act(seen, mask)
        games.step(action)
        lead = games.score - games.score.mean(1, keepdims=True)
        reward = np.where(games.done[:, None], games.reward + MARGIN * lead, 0)
        kept.append((seen, mask, seat, action, log, value, reward, games.done.copy()))
    seen, mask, seat, action, log, value, reward, done = map(np.stack, zip(*kept, strict=True))
    last = net.act(games.observation, games.mask)[2]
    after = np.repeat(1 - last[:, None], games.seats, 1)  # the other seat gets the rest
    after[rows, games.seat] = last
    gain, paid, advantage = np.zeros_like(after), np.zeros_like(after), np.zeros_like(value)
    for t in reversed(range(steps)):  # each seat has its own chain of decisions
        over, own = done[t], (rows, seat[t])
        after[over], gain[over], paid[over] = 0, 0, reward[t, over]
        gain[own] = advantage[t] = paid[own] + after[own] - value[t] + LAMBDA * gain[own]
        after[own], paid[own] = value[t], 0
    real = mask.sum(2) > 1  # a forced action teaches nothing
    return [torch.from_numpy(a[real]) for a in (seen, mask, action, log, advantage, advantage + value)]


def improve(net, optimizer, batch, entropy):
    """A few passes of PPO over the batch."""
    seen, mask, action, log, advantage, target = batch
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(action)).split(MINIBATCH):
            logs, value = net(seen[rows], mask[rows])
            ratio = (logs.gather(1, action[rows, None])[:, 0] - log[rows]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
            chance = -(logs.exp() * logs).sum(1).mean()
            loss = (value - target[rows]).pow(2).mean() - gain - entropy * chance
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
    spent, due, decisions, rows = 0.0, 0.0, 0, []
    while True:
        if spent >= min(due, minutes):  # measuring does not count as training
            rows.append((spent, decisions, share(net, "uniform", games), share(net, "greedy", games)))
            print(
                "{:.1f} minutes, {:,} decisions: uniform {:.1%}, greedy {:.1%}".format(*rows[-1]), flush=True
            )
            write(rows, out)
            torch.save(net.state_dict(), out / "net.pt")
            due = spent + every
            if spent >= minutes:
                return rows
        began, left = time.process_time(), 1 - spent / minutes
        optimizer.param_groups[0]["lr"] = RATE * (left + 0.02)
        improve(net, optimizer, collect(tables, net, steps), ENTROPY * (left + 0.1))
        decisions += n * steps
        spent += (time.process_time() - began) / 60


def write(rows, out):
    """The curve as numbers and as a picture."""
    head, formats = "minutes,decisions,uniform,greedy", ("%.2f", "%d", "%.4f", "%.4f")
    np.savetxt(out / "curve.csv", rows, formats, ",", header=head, comments="")
    minutes, _, *shares = zip(*rows, strict=True)
    figure = Figure((6, 3.5), layout="constrained")
    axes = figure.subplots()
    for name, column in zip(("uniform", "greedy"), shares, strict=True):
        axes.plot(minutes, column, marker=".", label=f"against {name}")
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
