"""A game as text: for programs and language models that read what a person reads and answer in words.

>>> env = TextEnv("equinox", {"seats": 2}, seat=0, against="uniform", seed="midsummer")
>>> while not env.over:
...     seat, text = env.observe()
...     answered = env.act(env.options()[0])
>>> len(env.outcome.scores)
2

An answer that is no option changes nothing: `act` returns why, and what would be right.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fabletop.bots import Bot
from fabletop.bots.specs import Spec
from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, NotOffered
from fabletop.core.game import Choice, Game, Options, Outcome
from fabletop.core.sitting import Sitting
from fabletop.envs.reader import NoOption, Reader
from fabletop.games import game_called
from fabletop.lang import LANGUAGES

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eli", "Fay")


class Answered(NamedTuple):
    """What became of an answer: `done`, or refused with a `text` that says why and what would be right."""

    done: bool
    text: str


class TextEnv:
    """One game in words. The seats in `seats` are the caller's; bots play the others.

    `seat` is the caller's seat, or None for every seat. `against` names a bot for all other seats, or one bot for each
    of them in order: a text as `fabletop ladder` takes it, or an object with `choose(view, choice)`. The same seed
    gives the same game.
    """

    def __init__(
        self,
        game: Game | str,
        options: Options | None = None,
        *,
        seat: int | None = 0,
        against: str | Bot | Sequence[str | Bot] = "gretel",
        lang: str = "en",
        seed: str | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.game = game_called(game)
        self.options_of_game = self.game.options(options or {})
        if lang not in LANGUAGES:
            raise BadOptions(f"there is no language {lang!r}; there are {', '.join(LANGUAGES)}")
        self.lang = lang
        count: int = self.options_of_game["seats"]
        if seat is not None and seat not in range(count):
            raise BadOptions(f"seat is {seat!r}; it should be 0 to {count - 1}, or None for every seat")
        self.seats = tuple(range(count)) if seat is None else (seat,)
        self.against = _for_each(against, [other for other in range(count) if other not in self.seats])
        self.names = tuple(names) or NAMES[:count]
        if len(self.names) != count:
            raise BadOptions(f"{len(self.names)} names for {count} seats; give one for each seat, or none")
        self.reset(seed)

    def reset(self, seed: str | None = None) -> None:
        """Begin a new game."""
        self.sitting = Sitting(self.game, self.options_of_game, seed=seed, names=self.names)
        self.bots = {
            seat: Spec.read(bot, own=True).made(Chance.from_text(f"{self.sitting.seed} {seat}"))
            if isinstance(bot, str)
            else bot
            for seat, bot in self.against.items()
        }
        self.readers = {seat: Reader(self.game, seat, self.names, self.lang) for seat in self.seats}
        self._read = dict.fromkeys(self.seats, 0)
        self._play_bots()

    def _play_bots(self) -> None:
        """Let the bots answer until one of the caller's seats is asked, or the game is over."""
        while (pending := self.sitting.pending) and not any(seat in pending for seat in self.seats):
            for seat, choice in pending.items():
                self._play_bot(seat, choice)
        # those who decide at the same time as the caller
        while waiting := [seat for seat in self.sitting.pending if seat in self.bots]:
            for seat in waiting:
                self._play_bot(seat, self.sitting.pending[seat])

    def _play_bot(self, seat: int, choice: Choice) -> None:
        forced = len(choice.options) == 1
        action = choice.options[0] if forced else self.bots[seat].choose(self.sitting.view(seat), choice)
        self.sitting.act(seat, action)

    # ---- state ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self.sitting.pending

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the game is over."""
        return self.sitting.outcome

    @property
    def asked(self) -> tuple[int, ...]:
        """The caller's seats that have a question to answer; several in a simultaneous phase."""
        return tuple(seat for seat in self.sitting.pending if seat in self.readers)

    def _asked(self, seat: int | None) -> tuple[int, Choice]:
        """A seat of the caller that is asked, and its choice."""
        pending = self.sitting.pending
        if not pending:
            raise NotOffered(self.readers[self.seats[0]].text("refusal.over"))
        if seat is None:
            seat = self.asked[0]
        if seat not in pending:
            raise NotOffered(self._reader(seat).waiting(list(pending)))
        self._reader(seat)
        return seat, pending[seat]

    def _reader(self, seat: int | None) -> Reader:
        seat = self.seats[0] if seat is None else seat
        if seat not in self.readers:
            raise NotOffered(f"seat {seat!r} is not yours; yours are {', '.join(map(str, self.seats))}")
        return self.readers[seat]

    # ---- reading ----------------------------------------------------------------------------

    def observe(self, seat: int | None = None) -> tuple[int, str]:
        """A seat, and all that it reads now: what is new in the log, the table, and its question with the options.

        Without a seat, the first of the caller's seats that is asked. What has been read is not repeated.
        """
        if seat is None:
            seat = self.asked[0] if self.asked else self.seats[0]
        reader = self._reader(seat)
        story = self.sitting.events(seat)
        new = story[self._read[seat] :]
        self._read[seat] = len(story)
        read = [
            reader.introduction(),
            reader.log(new),
            reader.table(self.sitting.view(seat)),
            self.question(seat),
        ]
        return seat, "\n\n".join(read)

    def log(self, seat: int | None = None) -> str:
        """The whole log as this seat may know it."""
        reader = self._reader(seat)
        return "\n".join(reader.lines(self.sitting.events(reader.seat)))

    def table(self, seat: int | None = None) -> str:
        """What the seat sees, as an outline."""
        reader = self._reader(seat)
        return reader.table(self.sitting.view(reader.seat))

    def question(self, seat: int | None = None) -> str:
        """The seat's question with its options; or whom the table waits for; or how the game ended."""
        reader = self._reader(seat)
        pending = self.sitting.pending
        if outcome := self.sitting.outcome:
            return reader.end(outcome.scores, outcome.winners)
        choice = pending.get(reader.seat)
        return reader.question(choice) if choice is not None else reader.waiting(list(pending))

    def options(self, seat: int | None = None) -> list[str]:
        """The words with which the seat can answer now."""
        seat, choice = self._asked(seat)
        return list(self.readers[seat].words(choice))

    # ---- answering --------------------------------------------------------------------------

    def act(self, text: str, seat: int | None = None) -> Answered:
        """Answer the question of a seat; without a seat, of the first that is asked."""
        try:
            seat, choice = self._asked(seat)
            reader = self.readers[seat]
            action = reader.answer(self.sitting.view(seat), choice, text)
        except (NoOption, NotOffered) as error:
            return Answered(False, str(error))
        self.sitting.act(seat, action)
        self._play_bots()
        return Answered(True, reader.done(action))

    def why_not(self, thing: str, seat: int | None = None) -> str:
        """Why the seat cannot choose something now, or that it can."""
        try:
            seat, choice = self._asked(seat)
        except NotOffered as error:
            return str(error)
        reader = self.readers[seat]
        return reader.why_not(self.sitting.view(seat), choice, thing.strip())


def _for_each(against: str | Bot | Sequence[str | Bot], seats: Sequence[int]) -> Mapping[int, str | Bot]:
    """A bot for each of the seats; BadOptions where their numbers differ."""
    bots = (
        list(against)
        if isinstance(against, Sequence) and not isinstance(against, str)
        else [against] * len(seats)
    )
    if len(bots) != len(seats):
        raise BadOptions(f"{len(bots)} bots for {len(seats)} other seats; name one for all, or one for each")
    for bot in bots:
        if isinstance(bot, str):
            Spec.read(bot, own=True)
    return dict(zip(seats, bots, strict=True))
