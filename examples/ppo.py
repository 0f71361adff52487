"""Learn Equinox for two from nothing, by masked PPO in self-play: python examples/ppo.py --minutes 30 --out build/ppo

The net has one set of weights for all creatures: every column of the table goes through the same layers, meets what is
known of the whole table, and scores its own actions. Minutes are those of one processor core. Now and then the net
plays `uniform` and `greedy`, each deal in both seats; its shares of the victories go to curve.csv and, with matplotlib,
to curve.svg. The net goes to net.pt; `fabletop rate equinox examples.ppo:Player` rates it. Needs torch.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import log_softmax, one_hot, relu

from fabletop import GAMES
from fabletop.envs import observation, vector
from fabletop.envs.one_seat import OneSeatVectorEnv

GAME = GAMES["equinox"]
SPACE = observation.space(GAME)
COLUMNS, IN_GAME, ROWS, STRENGTHS = 14, 8, 5, 11
RATE, LAMBDA, CLIP, ENTROPY, EPOCHS, MINIBATCH, MARGIN = 2e-3, 0.95, 0.1, 0.03, 2, 4096, 0.02


def look(seen):
    """The planes of an observation as floats: some for each creature of the game, some for the table as a whole."""
    n = len(seen)
    plane = {p.name: seen[:, p.part].float() for p in SPACE.planes}

    def columns(name, number=1):  # planes by creature, the first ones: two seats, or all rows
        return plane[name][:, : number * COLUMNS].view(n, number, COLUMNS).transpose(1, 2)

    def cards(name, bit=255):  # planes by card
        return (
            (plane[name].int() & bit)
            .clamp(max=1)[:, : COLUMNS * STRENGTHS]
            .view(n, COLUMNS, STRENGTHS)
            .float()
        )

    row = plane["round"].long().clamp(min=1) - 1
    strength, chameleon = columns("strength", ROWS), columns("top", ROWS).gt(COLUMNS * STRENGTHS).float()
    here = row[:, None].expand(n, COLUMNS, 1)
    card = one_hot(strength.gather(2, here)[..., 0].long(), STRENGTHS + 1).float()
    own = torch.cat(
        [
            *(columns(name) for name in ("in_play", "creature", "power", "named")),
            *(columns("pebble", 2 * ROWS), columns("champion", 2), columns("controller", 2)),
            *(columns(name, 2)[..., 1:] for name in ("lacks_hand", "lacks_secret", "at_least")),
            *(card, chameleon.gather(2, here), chameleon, strength / STRENGTHS, columns("eliminated") / ROWS),
            *(cards("hand"), cards("known", 1), cards("discarded")),
            *(cards("own", bit).sum(2, keepdim=True) for bit in (1, 2)),
            torch.eye(COLUMNS).expand(n, COLUMNS, COLUMNS),
        ],
        2,
    )
    placing = (plane["placing"][:, 0].long() - COLUMNS * STRENGTHS).clamp(0, STRENGTHS)
    table = torch.cat(
        [
            *(
                one_hot(row[:, 0], ROWS),
                one_hot(placing, STRENGTHS + 1),
                (card * columns("in_play")).sum(1) / IN_GAME,
            ),
            *(plane[name] for name in ("phase", "second_card", "carmen", "committed")),
            *(plane["hand"][:, COLUMNS * STRENGTHS :], plane["deck"] / 50, plane["discards"] / 3),
            *(plane[name][:, :2] / 8 for name in ("hand_size", "aside_size", "pebbles")),
            *(plane[name][:, :2] for name in ("resting", "has_secret", "secret_made", "turn")),
        ],
        1,
    )
    return own[plane["in_game"].bool()].view(n, IN_GAME, -1), table


class Net(nn.Module):
    """Columns and table, twice: each time the columns hear of the table, and the table of all columns."""

    def __init__(self, width=64):
        super().__init__()
        blank = torch.zeros(1, SPACE.size, dtype=torch.uint8)
        blank[0, SPACE.part("in_game")][:IN_GAME] = 1
        own, table = (part.shape[-1] for part in look(blank))
        self.column, self.table = nn.Linear(own, width), nn.Linear(table, width)
        self.whole, self.told = nn.Linear(3 * width, 2 * width), nn.Linear(2 * width, width)
        self.again = nn.Linear(width, width)
        self.by_column, self.other = nn.Linear(width, STRENGTHS + ROWS + 2), nn.Linear(2 * width, 22)
        self.value = nn.Linear(2 * width, 1)
        for head in (self.by_column, self.other):
            head.weight.data *= 0.1

    def forward(self, seen, mask):
        """The log probability of every action, and the expected result."""
        own, table = look(seen)
        table = self.table(table)
        own = relu(self.column(own) + table[:, None])
        whole = relu(self.whole(torch.cat([relu(table), own.mean(1), own.amax(1)], 1)))
        scores = self.by_column(relu(self.again(own) + self.told(whole)[:, None]))
        by = scores.new_zeros(len(seen), COLUMNS, scores.shape[-1])
        by[seen[:, SPACE.part("in_game")].bool()] = scores.flatten(0, 1)
        cards, column, cells, champion = by.split([STRENGTHS, 1, ROWS, 1], 2)
        trees, words, secret = self.other(whole).split(
            [STRENGTHS + 2, 8, 1], 1
        )  # in the order of the catalogue
        logits = torch.cat(
            [
                cards.flatten(1),
                trees,
                column[..., 0],
                cells.transpose(1, 2).flatten(1),
                words,
                champion[..., 0],
                secret,
            ],
            1,
        )
        return log_softmax(logits.masked_fill(mask == 0, -1e9), 1), self.value(whole)[:, 0]

    @torch.no_grad()
    def act(self, seen, mask, best=False):
        """Actions for rows of observations, their log probabilities, and what the net expects."""
        logs, value = self(torch.from_numpy(seen), torch.from_numpy(mask))
        action = (logs if best else logs - torch.empty_like(logs).exponential_().log()).argmax(
            1
        )  # Gumbel's trick
        return action.numpy(), logs.gather(1, action[:, None])[:, 0].numpy(), value.numpy()


class Player:
    """The net as a bot: it sees the observation of a state that it imagines from its view, which is the same one."""

    def __init__(self, chance, path="build/ppo/net.pt"):
        self.chance, self.net = chance, Net()
        self.net.load_state_dict(torch.load(path))

    def choose(self, view, choice):
        """The action that the net likes best."""
        world = GAME.imagine(view, self.chance)
        parts = (f(GAME, world, choice.seat)[None] for f in (observation.observe, observation.mask))
        return int(self.net.act(*parts, best=True)[0][0])


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
