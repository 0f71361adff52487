"""Both games for OpenSpiel: `import fabletop.envs.openspiel`, then `pyspiel.load_game("fabletop_equinox(players=3)")`.

Needs the extra `openspiel`. A game begins with one chance node: which of `deals` deals is played. Everything random
that follows comes from the deal, so a history replays and a state serialises. Seats that are asked at once answer one
after the other, and what one answers is hidden from the next. A return is the share of the victory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import pyspiel

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, NotOffered
from fabletop.core.game import Game, Setting
from fabletop.envs.observation import observe, space
from fabletop.games import GAMES

DEALS = 10_000
"""Deals among which the first chance node chooses, unless the parameter `deals` says otherwise."""
MOST_DEALS = 1_000_000
LONGEST = 100_000
"""More actions than games have. (In Fairy School a player who opens and cancels conversions can go on for ever.)"""
PARAMETER_KINDS = ("one", "yes", "number")
"""The kinds of settings that are parameters; those of other kinds, seats and lists, keep their defaults."""


def name_of(rules: Game) -> str:
    """The name of a game in OpenSpiel."""
    return f"fabletop_{rules.id}"


def parameters(rules: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults."""
    defaults = {"players": rules.options({})["seats"], "deals": DEALS}
    return defaults | {s.name: _default(s) for s in rules.settings if s.kind in PARAMETER_KINDS}


def _default(setting: Setting) -> Any:
    return bool(setting.default) if setting.kind == "yes" else setting.default


def game_type(rules: Game) -> pyspiel.GameType:
    """What OpenSpiel knows of a game."""
    return pyspiel.GameType(
        short_name=name_of(rules),
        long_name=f"Fabletop: {rules.id.replace('_', ' ').title()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seat_counts[-1],
        min_num_players=rules.seat_counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(rules),
    )


class FabletopGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters. Each game has a subclass, which sets the rules."""

    rules: ClassVar[Game]
    type_: ClassVar[pyspiel.GameType]
    state_class: ClassVar[type[FabletopState]]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        chosen = parameters(self.rules) | given
        self.deals = int(chosen.pop("deals"))
        if not 1 <= self.deals <= MOST_DEALS:
            raise BadOptions(f"deals is {self.deals}; it should be 1 to {MOST_DEALS}")
        self.options = self.rules.options({"seats": chosen.pop("players"), **chosen})
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.actions),
            max_chance_outcomes=self.deals,
            num_players=self.options["seats"],
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.type_, info, given)

    def new_initial_state(self) -> FabletopState:
        """The state before the deal."""
        return self.state_class(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Observations as arrays and as text."""
        return Observer(self.rules)


class FabletopState(pyspiel.State):  # type: ignore[misc]
    """A state; before the deal there is no engine. OpenSpiel copies a state with all its attributes, so the rules are
    one of the class."""

    rules: ClassVar[Game]

    def __init__(self, game: FabletopGame) -> None:
        super().__init__(game)
        self.engine: Any = None
        self.deals = game.deals
        self.options = game.options

    # ---- whose turn, and what can be done ------------------------------------------------

    def current_player(self) -> int:
        """The lowest seat that is asked."""
        if self.engine is None:
            return int(pyspiel.PlayerId.CHANCE)
        asked = self.engine.asked()
        return int(asked[0]) if asked else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.engine.legal(player)) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal is as likely as any other."""
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if self.engine is not None:
            self.engine.apply(self.current_player(), action)
            return
        if not 0 <= action < self.deals:
            raise NotOffered(f"there is no deal {action}: the deals are 0 to {self.deals - 1}")
        chance = Chance(action)
        words = [chance.word() for _ in range(self.options["seats"] + 1)]
        self.engine = self.rules.new(self.options, words)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.rules.actions[action]

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.engine is not None and not self.engine.asked()

    def returns(self) -> list[float]:
        """The share of the victory of each seat; nothing before the end."""
        outcome = None if self.engine is None else self.rules.outcome(self.engine)
        return [0.0] * self.options["seats"] if outcome is None else list(outcome.shares)

    def __str__(self) -> str:
        return "no deal yet" if self.engine is None else self.rules.position(self.engine)

    # ---- what a seat knows ---------------------------------------------------------------

    def resample_from_infostate(self, player: int, draw: Callable[[], float]) -> FabletopState:
        """A state that the player could be in, drawn uniformly from all that fits what it knows.

        Its history is that of this state: OpenSpiel has no other, since the draws of the others are hidden.
        """
        twin: FabletopState = self.clone()
        if self.engine is not None:
            chance = Chance(int(draw() * (1 << 53)))
            twin.engine = self.rules.imagine(self.rules.view(self.engine, player), chance)
        return twin

    def _to_struct(self) -> dict[str, Any]:
        return {"position": str(self)}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return {} if self.engine is None else dict(self.rules.view(self.engine, player))

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"action": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        text = str(struct["action"])
        return [int(text.removeprefix("deal ")) if self.engine is None else self.rules.parse(text)]


class Observer:
    """What a seat may know: the bytes of `fabletop.envs.observation` as floats, and its view as JSON."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.tensor = np.zeros(space(rules).size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: FabletopState, player: int) -> None:
        """Write the observation of a seat."""
        if state.engine is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = observe(self.rules, state.engine, player)

    def string_from(self, state: FabletopState, player: int) -> str:
        """The view of a seat."""
        if state.engine is None:
            return f"{player}"
        return json.dumps(self.rules.view(state.engine, player), separators=(",", ":"))


def registered(rules: Game) -> type[FabletopGame]:
    """Register a game with OpenSpiel; returns its class.

    Its classes are names of this module, as `EquinoxGame` and `EquinoxState`, so that pickle finds them.
    """
    name = rules.id.replace("_", " ").title().replace(" ", "")

    def made(base: type, **attributes: Any) -> Any:
        called = base.__name__.replace("Fabletop", name)
        globals()[called] = type(called, (base,), {"__module__": __name__, "rules": rules, **attributes})
        return globals()[called]

    state = made(FabletopState)
    game: type[FabletopGame] = made(FabletopGame, type_=game_type(rules), state_class=state)
    pyspiel.register_game(game.type_, game)
    return game


SPIEL_GAMES = {name_of(game): registered(game) for game in GAMES.values()}
"""The classes of the games by their names in OpenSpiel."""
