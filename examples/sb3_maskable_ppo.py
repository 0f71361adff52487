"""Stable-Baselines3: MaskablePPO learns one seat of Equinox: python examples/sb3_maskable_ppo.py [STEPS]

Needs sb3-contrib. `OneSeatEnv` has the method `action_masks` for it. Seat 0 learns; the other seat chooses at random.
"""

import sys

from sb3_contrib import MaskablePPO

from fabletop.envs.one_seat import OneSeatEnv


def train(steps=20_000):
    """Train; returns the share of victories of the last games."""
    env = OneSeatEnv("equinox", seats=2, seat=0, others="uniform")
    model = MaskablePPO("MultiInputPolicy", env, n_steps=min(steps, 2048), batch_size=64, verbose=0)
    model.learn(steps)
    results = [episode["r"] for episode in model.ep_info_buffer]
    return sum(results) / max(1, len(results))


if __name__ == "__main__":
    print("share of victories in the last games:", train(*map(int, sys.argv[1:])))
