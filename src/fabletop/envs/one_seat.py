"""One seat against given policies, for Gymnasium: `OneSeatVectorEnv` with many games at once, `OneSeatEnv` with one.

The learner has a seat; policies play the others between its decisions. An observation is a dict of `observation` and
`action_mask`, as PettingZoo has it, and the mask is in the info as well. The reward is the learner's share of the
victory when the game ends, else 0. docs/envs.md has an example.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from fabletop.bots import Bot
from fabletop.bots.play import player_of
from fabletop.bots.specs import Spec
from fabletop.core.chance import GOLDEN, Chance
from fabletop.core.errors import NotOffered
from fabletop.core.game import Game, whole
from fabletop.envs import observation
from fabletop.envs.batch import VectorGames, at_least_one, check_illegal, check_options
from fabletop.games import game_called

Policy = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.uint8]], Any]
"""Gets the observations and the masks of some seats, a row each, and answers with an action for each row."""
Decider = Callable[[Any, int], int]
"""A bot: which action it takes in a state for a seat."""
Seen = dict[str, npt.NDArray[Any]]
UNIFORM = "uniform"
SETTINGS = ("seat", "others", "illegal", "autoreset_mode", "max_episode_steps", "threads")
"""What `OneSeatVectorEnv` takes besides the options of the game."""


def spaces(game: Game) -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete[Any]]:
    """The spaces of one seat: what it observes and what it does."""
    space = observation.space(game)
    seen = gymnasium.spaces.Box(np.zeros(space.size, np.uint8), space.high, dtype=np.uint8)
    mask = gymnasium.spaces.Box(0, 1, (space.actions,), np.uint8)
    return (
        gymnasium.spaces.Dict({"observation": seen, "action_mask": mask}),
        gymnasium.spaces.Discrete(space.actions),
    )


class OneSeatVectorEnv(VectorEnv[Seen, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games, in each of which the learner has one seat.

    `others` plays the other seats: a policy, or the name of a bot (`uniform`, `greedy`, any that `fabletop ladder`
    takes). `seat` is the learner's seat, or one for each game. With `illegal="replace"` the first legal action is taken
    in place of one outside the mask; else that is an error. All three autoreset modes of Gymnasium are supported;
    `metadata["autoreset_mode"]` says which one is in use. `max_episode_steps` truncates a game after this many steps of
    the learner.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seat: int | Sequence[int] = 0,
        others: Policy | str = UNIFORM,
        illegal: Literal["raise", "replace"] = "raise",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        check_options(game_called(game), options, SETTINGS)
        self.illegal = check_illegal(illegal)
        self.games = VectorGames(game, num_envs, seed=None, threads=threads, autoreset=False, **options)
        self.num_envs = self.games.n
        self.autoreset_mode = mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.single_observation_space, self.single_action_space = spaces(self.games.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.learner = seats_of_learner(seat, self.num_envs, self.games.seats)
        self.max_episode_steps = (
            None if max_episode_steps is None else at_least_one("max_episode_steps", max_episode_steps)
        )
        self._others = others
        self._bots = self._new_bots()
        self._steps = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._ready = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin again, all games or those of `options["reset_mask"]`; with a seed from its first game on."""
        options = reset_options(options, ("reset_mask",))
        mask = options.get("reset_mask")
        super().reset(seed=seed if isinstance(seed, int) else None)
        if mask is None:
            self.games.reset(seed)
            self._ended[:], self._steps[:] = False, 0
            if seed is not None:
                self._bots = self._new_bots(seed)
        else:
            if seed is not None:
                raise ValueError("a seed begins all games again, so it does not go with a reset_mask")
            if not isinstance(mask, np.ndarray) or not mask.any():
                raise ValueError("reset_mask should be a numpy array of bools, at least one of them true")
            self.games.reset(where=mask)
            self._ended[mask], self._steps[mask] = False, 0
        self._play_others()
        return self._seen(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Seen, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """The learner acts in each game, then the others until the learner is asked again or the game is over."""
        if not self._ready:
            raise ResetNeeded("there is no game yet, or the others stopped halfway; call reset() first")
        actions = whole_numbers("actions", actions, self.num_envs)
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            which = self._ended.nonzero()[0].tolist()
            raise ValueError(f"the games {which} are over: reset them with options={{'reset_mask': …}}")
        if self.illegal == "replace":
            actions = self._legal(actions)
        begun = self._ended.copy()
        self.games.step(actions, where=~begun)
        if begun.any():  # next-step mode: an ended game begins again, and its action is ignored
            self.games.reset(where=begun)
        self._steps = np.where(begun, 0, self._steps + 1)
        self._play_others()
        rows = np.arange(self.num_envs)
        over = self.games.seat < 0
        cut = ~over & (self._steps >= (self.max_episode_steps or np.inf))
        reward = np.where(over, self.games.reward[rows, self.learner], 0).astype(np.float64)
        self._ended = over | cut
        seen, info = self._seen(), dict[str, Any]()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            for i in self._ended.nonzero()[0].tolist():
                final = {name: part[i].copy() for name, part in seen.items()}
                final_info = {"action_mask": final["action_mask"]}
                info = self._add_info(info, {"final_obs": final, "final_info": final_info}, i)
            self.games.reset(where=self._ended)
            self._steps[self._ended] = 0
            self._ended = np.zeros(self.num_envs, np.bool_)
            self._play_others()
            seen = self._seen()
        return seen, reward, over, cut, info | self._info()

    def _legal(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The actions, but the first legal one in place of each that is not offered."""
        mask = self.games.mask
        known = (actions >= 0) & (actions < mask.shape[1])
        offered = known & (mask[np.arange(self.num_envs), np.where(known, actions, 0)] == 1)
        return np.where(offered, actions, mask.argmax(1))

    def _play_others(self) -> None:
        """The other seats act until the learner is asked everywhere, or the game is over."""
        games, self._ready = self.games, False  # for good, if the policy of the others raises an error
        while (waiting := (games.seat >= 0) & (games.seat != self.learner)).any():
            if self._others == UNIFORM:
                games.sample()
            else:
                games.actions[waiting] = self._actions_of_others(waiting)
            games.step(where=waiting)
        self._ready = True

    def _new_bots(self, seed: int | Sequence[int] = 0) -> list[Decider]:
        return bots_for(self.games.game, self._others, self.games.state(0), self.num_envs, seed)

    def _actions_of_others(self, waiting: npt.NDArray[np.bool_]) -> Any:
        """An action for each game in which another seat is asked."""
        games = self.games
        if callable(self._others):
            actions = self._others(games.observation[waiting], games.mask[waiting])
            return whole_numbers("the answers of `others`", actions, int(waiting.sum()))
        return [self._bots[i](games.state(i), int(games.seat[i])) for i in waiting.nonzero()[0].tolist()]

    def _seen(self) -> Seen:
        """What the learner observes, in arrays of its own; of a game that is over, from its own seat."""
        seen = {"observation": self.games.observation.copy(), "action_mask": self.games.mask.copy()}
        for i in (self.games.seat < 0).nonzero()[0].tolist():
            self.games.observe(i, int(self.learner[i]), seen["observation"][i])
        self._mask = seen["action_mask"]
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.games.close()


class OneSeatEnv(gymnasium.Env[Seen, np.int64]):
    """One game, in which the learner has one seat: simple and slow. The arguments are those of `OneSeatVectorEnv`."""

    def __init__(
        self,
        game: Game | str,
        *,
        seat: int = 0,
        others: Policy | str = UNIFORM,
        illegal: Literal["raise", "replace"] = "raise",
        **options: Any,
    ) -> None:
        self.game = game_called(game)
        check_options(self.game, options, ("seat", "others", "illegal"))
        self.illegal = check_illegal(illegal)
        self.options = self.game.options(options)
        seen, self.action_space = spaces(self.game)
        self.observation_space = seen  # type: ignore[assignment]  # a Dict space says less than what is in it
        self.seat = int(seats_of_learner(seat, 1, self.options["seats"])[0])
        self._others = others
        self._bots: list[Decider] = []
        self._seed, self._number = 0, 0
        self._state: Any = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin the next game; with a seed, its first."""
        reset_options(options, ())
        super().reset(seed=seed)
        first = seed is not None or self._number == 0
        if first:
            self._seed, self._number = int.from_bytes(os.urandom(8), "big") if seed is None else seed, 0
        chance = Chance(Chance(self._seed + self._number * GOLDEN).word())
        self._number += 1
        self._state = self.game.new(self.options, [chance.word() for _ in range(self.options["seats"] + 1)])
        if first:
            self._bots = bots_for(self.game, self._others, self._state, 1, self._seed)
        self._play_others()
        return self._seen()

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """The learner acts, then the others until the learner is asked again or the game is over."""
        self._need_game()
        number = whole(action)
        if number is None:
            raise NotOffered(f"an action is a whole number, not {action!r}")
        if self.illegal == "replace" and (legal := self._state.legal(self.seat)) and number not in legal:
            number = legal[0]
        self._state.apply(self.seat, number)
        self._play_others()
        outcome = self.game.outcome(self._state)
        reward = outcome.shares[self.seat] if outcome is not None else 0.0
        seen, info = self._seen()
        return seen, reward, outcome is not None, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask as Stable-Baselines3's `MaskablePPO` asks for it."""
        self._need_game()
        return observation.mask(self.game, self._state, self.seat).view(np.bool_)

    def _need_game(self) -> None:
        if self._state is None:
            raise ResetNeeded("there is no game yet; call reset() first")

    def _play_others(self) -> None:
        while (asked := self._state.asked()) and (seat := min(asked)) != self.seat:
            if callable(self._others):
                row = observation.observe(self.game, self._state, seat)
                mask = observation.mask(self.game, self._state, seat)
                actions = self._others(row[None], mask[None])
                action = int(whole_numbers("the answers of `others`", actions, 1)[0])
            else:
                action = self._bots[0](self._state, seat)
            self._state.apply(seat, action)

    def _seen(self) -> tuple[Seen, dict[str, Any]]:
        mask = observation.mask(self.game, self._state, self.seat)
        seen = observation.observe(self.game, self._state, self.seat)
        return {"observation": seen, "action_mask": mask}, {"action_mask": mask}


def reset_options(given: Any, known: Sequence[str]) -> dict[str, Any]:
    """The options of a reset, checked."""
    if not isinstance(given, dict | None):
        raise ValueError(f"the options of reset are {given!r}; they should be a dict, or None")
    for name in given or {}:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}; there is {', '.join(known) or 'none'}")
    return given or {}


def mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """An autoreset mode, or the one with this name."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(known.value) for known in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}; it should be one of {modes}") from None


def whole_numbers(what: str, given: Any, n: int) -> npt.NDArray[np.int64]:
    """Whole numbers, one for each game."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu" or numbers.shape != (n,):
        raise ValueError(
            f"{what} should be {n} whole numbers, not {numbers.dtype} with the shape {numbers.shape}"
        )
    return np.ascontiguousarray(numbers, np.int64)


def seats_of_learner(seat: int | Sequence[int], n: int, seats: int) -> npt.NDArray[np.int8]:
    """The learner's seat in each of `n` games."""
    given = np.asarray(seat)
    if given.dtype.kind not in "iu" or given.shape not in ((), (n,)):
        raise ValueError(f"seat is {seat!r}; it should be a whole number, or {n} of them")
    if not ((given >= 0) & (given < seats)).all():
        raise ValueError(f"seat is {seat!r}; the seats are 0 to {seats - 1}")
    return np.broadcast_to(given.astype(np.int8), (n,)).copy()


def bots_for(
    game: Game, others: Policy | str, like: Any, n: int, seed: int | Sequence[int] = 0
) -> list[Decider]:
    """A bot for each of `n` games whose states are like this one; none for a policy, which needs none."""
    if callable(others):
        return []
    if not isinstance(others, str):
        raise ValueError(f"others is {others!r}; it should be the name of a bot, or a function")
    spec = Spec.read(others)
    return [decider(game, spec.made(Chance.from_text(f"others {seed} {i}")), like) for i in range(n)]


def decider(game: Game, bot: Bot, like: Any) -> Decider:
    """How a bot decides: straight from the record where it can, else with its view and its choice."""
    player = player_of(bot, game.id, like)
    if player is not None:
        return player.choose

    def choose(state: Any, seat: int) -> int:
        choice = game.pending(state)[seat]
        return choice.options[0] if len(choice.options) == 1 else bot.choose(game.view(state, seat), choice)

    return choose
