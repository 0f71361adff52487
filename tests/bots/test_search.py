"""The search itself, on games so small that the right answer is known: interpreted, for a test can say what a game is.

`test_ismcts` checks that the compiled search does the same as the interpreted one.
"""

import pytest

from fabletop.pure import load_pure

search = load_pure("fabletop.bots.search")

NOBODY, REWARD = search.NOBODY, search.REWARD


def searched(world, iterations=600, explore=256, room=4096, word=1):  # type: ignore[no-untyped-def]
    """The tally of a search: action → (visits, mean reward)."""
    found = search.Search(world, room, explore, 1.0, 1.0, 0, -1)
    found.begin(word)
    assert found.run(iterations) == iterations
    tally = found.tally()
    return {
        action: (visits, reward / max(1, visits))
        for action, visits, reward in zip(tally["actions"], tally["visits"], tally["rewards"], strict=True)
    }


class Nim(search.World):  # type: ignore[misc, name-defined]
    """Two seats take one to three matches in turn; who takes the last one wins."""

    def __init__(self, matches: int) -> None:
        super().__init__(2, 0)
        self.matches = self.left = matches
        self.turn = 0

    def imagine(self, word):  # type: ignore[no-untyped-def]
        self.word, self.left, self.turn = word, self.matches, 0

    def asked(self):  # type: ignore[no-untyped-def]
        return self.turn if self.left else NOBODY

    def offer(self):  # type: ignore[no-untyped-def]
        self.n_options = min(3, self.left)
        self.options[:3] = [1, 2, 3]

    def act(self, action):  # type: ignore[no-untyped-def]
        self.left -= action
        self.turn = 1 - self.turn

    def reckon(self):  # type: ignore[no-untyped-def]
        self.rewards[self.turn], self.rewards[1 - self.turn] = 0, REWARD


class Pennies(search.World):  # type: ignore[misc, name-defined]
    """Both show heads or tails; seat 0 wins if they match.

    `open`: seat 1 sees what seat 0 shows before it answers; `hidden`: it sees only that; `together`: at the same time.
    """

    def __init__(self, way: str) -> None:
        super().__init__(2, 0)
        self.way = way
        self.veiled = way == "together"
        self.shown: list[int] = []

    def imagine(self, word):  # type: ignore[no-untyped-def]
        self.word, self.shown = word, []

    def asked(self):  # type: ignore[no-untyped-def]
        return len(self.shown) if len(self.shown) < 2 else NOBODY

    def offer(self):  # type: ignore[no-untyped-def]
        self.n_options = 2
        self.options[:2] = [0, 1]

    def act(self, action):  # type: ignore[no-untyped-def]
        self.shown.append(action)

    def sign(self, action, seat):  # type: ignore[no-untyped-def]
        return 7 if self.way == "hidden" else action

    def stage(self):  # type: ignore[no-untyped-def]
        return len(self.shown) // 2

    def reckon(self):  # type: ignore[no-untyped-def]
        match = self.shown[0] == self.shown[1]
        self.rewards[:2] = [REWARD, 0] if match else [0, REWARD]


class Twice(Pennies):
    """Pennies twice: in the second game seat 1 may use what it saw in the first, for seat 0 always repeats itself."""

    def asked(self):  # type: ignore[no-untyped-def]
        return len(self.shown) % 2 if len(self.shown) < 4 else NOBODY

    def offer(self):  # type: ignore[no-untyped-def]
        super().offer()
        if len(self.shown) == 2:  # seat 0 has to show the same again
            self.n_options = 1
            self.options[0] = self.shown[0]

    def reckon(self):  # type: ignore[no-untyped-def]
        match = self.shown[2] == self.shown[3]
        self.rewards[:2] = [REWARD, 0] if match else [0, REWARD]


class Draws(search.World):  # type: ignore[misc, name-defined]
    """One seat, a coin that it cannot see: heads is likely by behaviour; guessing right wins."""

    def __init__(self, heads: int) -> None:
        super().__init__(1, 0)
        self.heads = heads
        self.coin = self.guess = -1

    def imagine(self, word):  # type: ignore[no-untyped-def]
        self.word, self.guess = word, -1
        self.coin = self.below(2)

    def likelihood(self):  # type: ignore[no-untyped-def]
        return self.heads if self.coin else 1024 - self.heads

    def asked(self):  # type: ignore[no-untyped-def]
        return 0 if self.guess < 0 else NOBODY

    def offer(self):  # type: ignore[no-untyped-def]
        self.n_options = 2
        self.options[:2] = [0, 1]

    def act(self, action):  # type: ignore[no-untyped-def]
        self.guess = action

    def reckon(self):  # type: ignore[no-untyped-def]
        self.rewards[0] = REWARD if self.guess == self.coin else 0


@pytest.mark.parametrize(("matches", "right"), [(5, 1), (6, 2), (7, 3), (9, 1)])
def test_the_winning_move_is_found(matches: int, right: int) -> None:
    found = searched(Nim(matches))
    assert max(found, key=lambda action: found[action][0]) == right
    assert found[right][1] > 0.8


def test_a_lost_position_looks_lost() -> None:
    assert all(reward < 0.5 for _, reward in searched(Nim(4), 1500).values())


@pytest.mark.parametrize("way", ["hidden", "together"])
def test_a_seat_cannot_answer_what_it_has_not_seen(way: str) -> None:
    won = 0.0
    for word in range(4):
        found = searched(Pennies(way), 1000, word=word)
        won += sum(visits * reward for visits, reward in found.values())
    assert 0.4 < won / 4000 < 0.6


def test_a_seat_answers_what_it_has_seen() -> None:
    found = searched(Pennies("open"), 2000)
    assert sum(visits * reward for visits, reward in found.values()) / 2000 < 0.1


def test_what_was_done_together_is_seen_afterwards() -> None:
    """Seat 1 sees in the first game what seat 0 will show in the second, though both showed at the same time."""
    found = searched(Twice("together"), 3000)
    assert sum(visits * reward for visits, reward in found.values()) / 3000 < 0.2
    hidden = searched(Twice("hidden"), 3000)
    assert sum(visits * reward for visits, reward in hidden.values()) / 3000 > 0.3


def test_deals_are_weighed_by_behaviour() -> None:
    found = searched(Draws(900), 800)
    assert found[1][0] > found[0][0]
    assert found[1][1] > 0.75
    even = searched(Draws(512), 800)
    assert all(0.35 < reward < 0.65 for _, reward in even.values())


def test_a_full_table_goes_on_with_what_it_has() -> None:
    world = Nim(60)
    found = search.Search(world, 1024, 256, 1.0, 1.0, 0, -1)
    found.begin(3)
    found.run(3000)
    assert found.used <= 1024 * 3 // 4 + 1
    assert sum(found.tally()["visits"]) == 3000


def test_to_go_on_is_to_search_longer() -> None:
    one, two = (search.Search(Nim(9), 4096, 256, 1.0, 1.0, 0, -1) for _ in range(2))
    for part in (one, two):
        part.begin(5)
    one.run(300)
    for count in (1, 99, 200):
        two.run(count)
    assert one.tally() == two.tally()
    two.begin(5)
    two.run(300)
    assert one.tally() == two.tally(), "a new beginning forgets everything"


def test_better_options_are_drawn_more_often() -> None:
    world = Nim(9)
    world.imagine(11)
    world.offer()
    world.scores[:3] = [0, -100, -800]
    assert world.weigh(100) == 4096 + 2048 + 16
    drawn = [0, 0, 0]
    for _ in range(6000):
        drawn[world.draw(100)] += 1
    assert 3700 < drawn[0] < 4300
    assert 1750 < drawn[1] < 2250
    assert drawn[2] < 60


def test_a_play_out_stops_at_the_horizon() -> None:
    world = Nim(60)
    world.finish(1, 0, 1.0, 4)
    assert 60 - 12 <= world.left <= 60 - 4


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 15, 16, 17, 10**6, 10**12 - 1, 10**12, 2**60 - 1])
def test_roots_are_rounded_down(number: int) -> None:
    root = search.root_of(number)
    assert root * root <= number < (root + 1) ** 2


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="power of two"):
        search.Search(Nim(3), 1000, 256, 1.0, 1.0, 0, -1)
    world = Nim(3)
    world.viewer = 1
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        search.Search(world, 1024, 256, 1.0, 1.0, 0, -1).begin(1)


class Luck(search.World):  # type: ignore[misc, name-defined]
    """One choice; what it brings is its own worth and the luck of the deal, which is a hundred times as much."""

    def __init__(self, worths: list[int], scores: list[int], trust: int = 0) -> None:
        super().__init__(1, 0)
        self.flat = True
        self.trust = trust
        self.worths, self.known = worths, scores
        self.taken = -1
        self.deals: dict[int, list[int]] = {}

    def imagine(self, word):  # type: ignore[no-untyped-def]
        self.word, self.taken = word, -1
        self.luck = self.below(40_000)

    def asked(self):  # type: ignore[no-untyped-def]
        return 0 if self.taken < 0 else NOBODY

    def offer(self):  # type: ignore[no-untyped-def]
        self.n_options = len(self.worths)
        self.options[: self.n_options] = range(self.n_options)

    def rate(self):  # type: ignore[no-untyped-def]
        self.scores[: self.n_options] = [search.POINT * score for score in self.known]

    def act(self, action):  # type: ignore[no-untyped-def]
        self.taken = action
        self.deals.setdefault(action, []).append(self.luck)

    def reckon(self):  # type: ignore[no-untyped-def]
        self.rewards[0] = self.luck + self.worths[self.taken]


def test_a_flat_search_compares_in_the_same_deals() -> None:
    world = Luck([100, 300, 200], [0, 0, 0], trust=1)
    found = searched(world, iterations=60, explore=16)
    assert max(found, key=lambda action: found[action][0]) == 1, "however large the luck"
    deals = [world.deals[action] for action in sorted(world.deals)]
    shortest = min(map(len, deals))
    assert deals[0][:shortest] == deals[1][:shortest] == deals[2][:shortest]


def test_a_flat_search_trusts_knowledge_until_it_knows_better() -> None:
    # knowledge thinks that the first option is two points better, which is 2048 in rewards; in truth it is worse
    few = searched(Luck([0, 1000], [2, 0], trust=8), iterations=3, explore=0)
    assert few[0][0] == 3
    many = searched(Luck([0, 1000], [2, 0], trust=8), iterations=400)
    assert many[1][0] > many[0][0]


class Shuffled(Nim):
    """Nim whose options come in another order in every deal."""

    def offer(self):  # type: ignore[no-untyped-def]
        super().offer()
        at = self.word % self.n_options
        self.options[: self.n_options] = [1 + (at + i) % self.n_options for i in range(self.n_options)]


@pytest.mark.parametrize("world", [Nim, Shuffled])
def test_a_first_guess_leads_the_search_until_it_knows_better(world: type[Nim]) -> None:
    """With six matches it is right to take two, and the guess says three, in whatever order they are offered."""
    guess = {1: -50.0, 2: -50.0, 3: 0.0}
    visits = {}
    for iterations in (5, 3000):
        found = search.Search(world(6), 4096, 256, 1.0, 1.0, 0, -1)
        found.begin(1, guess)
        found.run(iterations)
        tally = found.tally()
        visits[iterations] = dict(zip(tally["actions"], tally["visits"], strict=True))
    assert visits[5][3] >= 3
    assert max(visits[3000], key=lambda action: visits[3000][action]) == 2


def test_a_flat_search_takes_the_first_guess_too() -> None:
    found = search.Search(Luck([0, 0], [2, 0], trust=8), 4096, 0, 1.0, 1.0, 0, -1)
    found.begin(1, {0: 0.0, 1: 2.0})
    found.run(3)
    assert found.tally()["visits"] == [0, 3]
