"""A small net for Equinox with one set of weights for all creatures.

Every column of the table goes through the same layers, meets what is known of the whole table, and scores its own
actions: what is learned of one creature holds for all. `Player` is the net as a bot. Needs torch.
"""

import torch
from torch import nn
from torch.nn.functional import log_softmax, one_hot, relu

from fabletop import GAMES
from fabletop.envs import observation

GAME = GAMES["equinox"]
SPACE = observation.space(GAME)
COLUMNS, IN_GAME, ROWS, STRENGTHS = 14, 8, 5, 11


def look(seen):
    """The planes of an observation as floats: some for each creature of the game, some for the table as a whole."""
    n = len(seen)
    plane = {p.name: seen[:, p.part].float() for p in SPACE.planes}

    def columns(name, number=1):  # planes by creature, the first ones: two seats, or all rows
        return plane[name][:, : number * COLUMNS].view(n, number, COLUMNS).transpose(1, 2)

    def cards(name, bit=255):  # planes by card
        flags = (plane[name].int() & bit).clamp(max=1)[:, : COLUMNS * STRENGTHS]
        return flags.view(n, COLUMNS, STRENGTHS).float()

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
            one_hot(row[:, 0], ROWS),
            one_hot(placing, STRENGTHS + 1),
            (card * columns("in_play")).sum(1) / IN_GAME,
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
        self.whole, self.broadcast = nn.Linear(3 * width, 2 * width), nn.Linear(2 * width, width)
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
        scores = self.by_column(relu(self.again(own) + self.broadcast(whole)[:, None]))
        by = scores.new_zeros(len(seen), COLUMNS, scores.shape[-1])
        by[seen[:, SPACE.part("in_game")].bool()] = scores.flatten(0, 1)
        cards, column, cells, champion = by.split([STRENGTHS, 1, ROWS, 1], 2)
        trees, words, secret = self.other(whole).split([STRENGTHS + 2, 8, 1], 1)
        cells = cells.transpose(1, 2).flatten(1)
        catalogue = [cards.flatten(1), trees, column[..., 0], cells, words, champion[..., 0], secret]
        logits = torch.cat(catalogue, 1)  # in the order of the actions
        return log_softmax(logits.masked_fill(mask == 0, -1e9), 1), self.value(whole)[:, 0]

    @torch.no_grad()
    def act(self, seen, mask, best=False):
        """Actions for rows of observations, their log probabilities, and what the net expects."""
        logs, value = self(torch.from_numpy(seen), torch.from_numpy(mask))
        scores = logs if best else logs - torch.empty_like(logs).exponential_().log()  # Gumbel's trick
        action = scores.argmax(1)
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
