"""PettingZoo environments of any game: turn by turn (AEC), and all seats at once (Parallel). Need the extra `envs`.

`fabletop.envs.equinox_v1` and `fabletop.envs.fairy_school_v1` are the modules to use; docs/envs.md describes them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pettingzoo
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, FabletopError, NotOffered
from fabletop.core.game import Game, View, whole
from fabletop.envs.batch import check_illegal
from fabletop.envs.observation import mask, observe, space
from fabletop.envs.reader import outline
from fabletop.games import game_called
from fabletop.lang import LANGUAGES, Lexicon
from fabletop.lang.lines import Teller

Mask = npt.NDArray[np.int8]
Draw = Callable[[View], npt.NDArray[np.uint8]]

SETTINGS = ("seats", "options", "max_cycles", "illegal", "render_mode", "lang")
"""What an environment can be given when it is made."""
RENDER_MODES = ("human", "ansi", "rgb_array")
LOG_LINES = 12
"""Lines of the log in a picture as text."""


def add_to_registry(kind: Literal["aec", "parallel"], name: str, entry_point: str) -> None:
    """Let `pettingzoo.make` know an environment. PettingZoo has a registry since 1.27."""
    if hasattr(pettingzoo, "register"):
        pettingzoo.register(kind, name, entry_point)


class GameSession:
    """What both kinds of environment share: a game, its spaces, its chance, its pictures."""

    def __init__(
        self,
        game: Game | str,
        draw: Draw,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        max_cycles: int | None = None,
        illegal: Literal["raise", "replace"] = "raise",
        render_mode: str | None = None,
        lang: str = "en",
        **unknown: Any,
    ) -> None:
        self.game = game_called(game)
        for name, value in unknown.items():
            right = f"there are {', '.join(SETTINGS)}"
            if any(name == setting.name for setting in self.game.settings):
                right = f"it goes into options={{{name!r}: {value!r}}}"
            raise BadOptions(f"there is no setting {name!r}; {right}")
        if not isinstance(options, Mapping | None):
            raise BadOptions(f"options is {options!r}; it should be a dict, such as {{'first': 0}}")
        given = dict(options or {})
        if seats is not None:
            given["seats"] = seats
        self.options = self.game.options(given)
        self.seats: int = self.options["seats"]
        if max_cycles is not None and (whole(max_cycles) is None or max_cycles < 1):
            raise BadOptions(f"max_cycles is {max_cycles!r}; it should be a whole number from 1 on, or None")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadOptions(f"render_mode is {render_mode!r}; it should be one of {', '.join(RENDER_MODES)}")
        if lang not in LANGUAGES:
            raise BadOptions(f"there is no language {lang!r}; there are {', '.join(LANGUAGES)}")
        self.max_cycles, self.illegal, self.render_mode = max_cycles, check_illegal(illegal), render_mode
        self.agents = [f"seat_{seat}" for seat in range(self.seats)]
        self.teller = Teller(Lexicon(lang), self.game, self.agents, None)
        self.draw = draw
        layout = space(self.game)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(layout.high), layout.high, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (layout.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(layout.actions)
        self.nothing: Mask = np.zeros(layout.actions, np.int8)
        self.chance = Chance(int.from_bytes(os.urandom(8), "big"))
        self.state: Any = None

    def reset(self, seed: int | None) -> None:
        """Begin a game; the same seed gives the same game."""
        if seed is not None:
            number = whole(seed)
            if number is None:
                raise BadOptions(f"seed is {seed!r}; it should be a whole number, or None")
            self.chance = Chance(number)
        words = [self.chance.word() for _ in range(self.seats + 1)]
        self.state = self.game.new(self.options, words)
        self.lines: list[str] = []
        self.state.listen(self.render_mode is not None)
        self._collect_lines()

    def mask(self, seat: int) -> Mask:
        """A new mask of a seat, for both places in which PettingZoo reads it."""
        return mask(self.game, self.state, seat).view(np.int8)

    def seen(self, seat: int, legal: Mask) -> dict[str, Any]:
        """The observation of a seat."""
        return {"observation": observe(self.game, self.state, seat), "action_mask": legal}

    def checked(self, seat: int, action: Any) -> int:
        """The action, if it is offered; else the first that is, or NotOffered."""
        number = whole(action)
        if number is not None and self.state.offers(seat, number):
            return number
        legal = self.state.legal(seat)
        if self.illegal == "replace":
            return int(legal[0])
        shown = ", ".join(map(str, legal[:20])) + (", …" if len(legal) > 20 else "")
        raise NotOffered(f"seat_{seat} is not offered action {action!r}; its action_mask has {shown}")

    def apply(self, seat: int, action: int) -> None:
        """Carry out an action."""
        self.state.apply(seat, action)
        self._collect_lines()

    def _collect_lines(self) -> None:
        if self.render_mode is not None:
            events = self.game.events.story(self.state.heard(), None)
            self.lines += [line for event in events if (line := self.teller.line(event))]

    def shares(self) -> list[float]:
        """The share of the victory of each seat; nothing while the game goes on."""
        outcome = self.game.outcome(self.state)
        return [0.0] * self.seats if outcome is None else list(outcome.shares)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as a spectator sees it, in the way that was asked for."""
        if self.render_mode is None:
            raise FabletopError(f"nothing to render: give render_mode, one of {', '.join(RENDER_MODES)}")
        if self.state is None:
            raise FabletopError("there is no game yet; call reset() first")
        view = self.game.view(self.state, None)
        if self.render_mode == "rgb_array":
            return self.draw(view)
        text = "\n".join((*outline(view), "", *self.lines[-LOG_LINES:]))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


class GameEnv:
    """The part of an environment that is the same for both kinds: one session, and spaces that every seat shares."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(self, session: GameSession, name: str) -> None:
        super().__init__()
        self.session = session
        self.metadata = {**self.metadata, "name": name}  # type: ignore[misc]
        self.render_mode = session.render_mode
        self.possible_agents = list(session.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self.session.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self.session.action_space

    def render(self) -> Any:
        """The table as a spectator sees it."""
        return self.session.render()

    def close(self) -> None:
        """Nothing is open."""


class GameAECEnv(GameEnv, AECEnv[str, Any, int]):  # type: ignore[misc]
    """One seat acts after the other. Where several are asked at once, they act in the order of their seats, and what
    one does is hidden from the next."""

    metadata: ClassVar[dict[str, Any]] = {**GameEnv.metadata, "is_parallelizable": False}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The settings of the game are given when the environment is made; `options` is not used."""
        self.session.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.cycles = 0
        self._seat = self.session.seats - 1
        self._turn_to_next()
        self.cycles = 0

    def _turn_to_next(self) -> None:
        """Select the next seat that is asked, counted from the last one; count the rounds of the table."""
        asked = self.session.state.asked()
        if asked:
            last, seats = self._seat, self.session.seats
            self._seat = min(asked, key=lambda seat: (seat - last - 1) % seats)
            self.cycles += self._seat <= last
        self.agent_selection = self.agents[self._seat]
        nothing = self.session.nothing
        self._masks = dict.fromkeys(self.agents, nothing)
        if asked:
            self._masks[self.agent_selection] = self.session.mask(self._seat)
        self.infos = {agent: {"action_mask": self._masks[agent]} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """What the seat may know, and what it may do: nothing, where another seat is to act."""
        if self.session.state is None:
            raise FabletopError("there is no game yet; call reset() first")
        if agent not in self.possible_agents:
            raise BadOptions(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        legal = self._masks.get(agent, self.session.nothing)
        return self.session.seen(self.possible_agents.index(agent), legal)

    def step(self, action: int | None) -> None:
        """Carry out the action of the selected seat."""
        if self.session.state is None or not self.agents:
            raise FabletopError("the game is over, or there is none yet; call reset() first")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.session.apply(self._seat, self.session.checked(self._seat, action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        over = not self.session.state.asked()
        self.rewards = dict(zip(self.agents, self.session.shares(), strict=True))
        self._turn_to_next()
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.session.max_cycles is not None and self.cycles >= self.session.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class GameParallelEnv(GameEnv, ParallelEnv[str, Any, int]):  # type: ignore[misc]
    """All seats that are asked act at once. The action of a seat that is not asked is not looked at; its mask is all
    zeros."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a game. The settings of the game are given when the environment is made; `options` is not used."""
        self.session.reset(seed)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        return self._observe_all(self.agents)

    def _observe_all(self, agents: list[str]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Observations and infos of the agents; a seat that is not asked has a mask of zeros."""
        asked = self.session.state.asked()
        seats = {agent: self.possible_agents.index(agent) for agent in agents}
        masks = {
            a: self.session.mask(seat) if seat in asked else self.session.nothing for a, seat in seats.items()
        }
        seen = {agent: self.session.seen(seat, masks[agent]) for agent, seat in seats.items()}
        return seen, {agent: {"action_mask": masks[agent]} for agent in agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Carry out one action of every seat that is asked. All are checked before the first is carried out."""
        if self.session.state is None or not self.agents:
            raise FabletopError("the game is over, or there is none yet; call reset() first")
        unknown = [agent for agent in actions if agent not in self.agents]
        if unknown:
            raise BadOptions(f"there is no agent {unknown[0]!r}; the agents are {', '.join(self.agents)}")
        asked = self.session.state.asked()
        missing = [f"seat_{seat}" for seat in asked if f"seat_{seat}" not in actions]
        if missing:
            raise NotOffered(f"no action of {', '.join(missing)}; give one for every agent that is asked")
        chosen = [(seat, self.session.checked(seat, actions[f"seat_{seat}"])) for seat in asked]
        for seat, action in chosen:
            self.session.apply(seat, action)
        self.cycles += 1
        over = not self.session.state.asked()
        cut = not over and self.session.max_cycles is not None and self.cycles >= self.session.max_cycles
        agents = self.agents
        seen, infos = self._observe_all(agents)
        rewards = dict(zip(agents, self.session.shares(), strict=True))
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    @property
    def max_cycles(self) -> int | None:
        """After how many steps a game is cut off."""
        return self.session.max_cycles

    @max_cycles.setter
    def max_cycles(self, number: int | None) -> None:
        self.session.max_cycles = number
