"""Stable-Baselines3: MaskablePPO learns one seat of Equinox: python examples/sb3_maskable_ppo.py [STEPS]

Needs sb3-contrib. The environment is the PettingZoo one, seen from seat 0; the other seat chooses at random.
"""

import sys

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

from fabletop.envs import equinox_v1


class OneSeat(gymnasium.Env):
    """Seat 0 of a game; the other seats choose at random."""

    def __init__(self, seed=0):
        self.env = equinox_v1.raw_env(seats=2)
        self.random = np.random.default_rng(seed)
        self.observation_space = self.env.observation_space("seat_0")["observation"]
        self.action_space = self.env.action_space("seat_0")

    def action_masks(self):
        """What MaskablePPO asks for."""
        return self.env.infos["seat_0"]["action_mask"].astype(bool)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.env.reset(seed)
        self.play_others()
        return self.env.observe("seat_0")["observation"], {}

    def step(self, action):
        self.env.step(int(action))
        self.play_others()
        over = self.env.terminations["seat_0"]
        return self.env.observe("seat_0")["observation"], self.env.rewards["seat_0"], over, False, {}

    def play_others(self):
        while self.env.agent_selection != "seat_0" and not self.env.terminations["seat_0"]:
            mask = self.env.infos[self.env.agent_selection]["action_mask"]
            self.env.step(int(self.random.choice(np.flatnonzero(mask))))


def train(steps=20_000):
    """Train; returns the share of victories of the last games."""
    model = MaskablePPO("MlpPolicy", OneSeat(), n_steps=min(steps, 2048), batch_size=64, verbose=0)
    model.learn(steps)
    results = [episode["r"] for episode in model.ep_info_buffer]
    return sum(results) / max(1, len(results))


if __name__ == "__main__":
    print("share of victories in the last games:", train(*map(int, sys.argv[1:])))
