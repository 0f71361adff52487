"""TorchRL: a masked policy learns Equinox in self-play: python examples/torchrl_policy_gradient.py [GAMES]

Needs torchrl. `PettingZooWrapper` takes the environment as it is; the mask is in every step of the rollout.
"""

import sys

import torch
from torch import nn
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical

from fabletop.envs import equinox_v1


def train(games=20, seed=0):
    """Play games with one net in every seat, and make winning actions more likely.

    Returns the last loss: 0 where the last game was a draw.
    """
    torch.manual_seed(seed)
    zoo = equinox_v1.env(seats=2)
    env = PettingZooWrapper(zoo, use_mask=True, group_map=None, categorical_actions=True, seed=seed)
    size = zoo.observation_space("seat_0")["observation"].shape[0]
    actions = int(zoo.action_space("seat_0").n)
    net = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, actions))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    loss = torch.zeros(())
    for _ in range(games):
        step, kept = env.reset(), []
        while not step["done"].all():
            for seat in ("seat_0", "seat_1"):
                mask = step[seat, "action_mask"]
                if mask.all() or not mask.any():  # TorchRL shows a full mask for a seat that is not to act
                    step[seat, "action"] = torch.zeros(1, dtype=torch.int64)
                    continue
                policy = MaskedCategorical(net(step[seat, "observation", "observation"].float()), mask=mask)
                action = policy.sample()
                step[seat, "action"] = action
                kept.append((seat, policy.log_prob(action)))
            step = env.step(step)["next"]
        result = {seat: step[seat, "reward"].sum() - 0.5 for seat in ("seat_0", "seat_1")}
        loss = -torch.stack([log.sum() * result[seat] for seat, log in kept]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float(loss.detach())


if __name__ == "__main__":
    print("last loss:", train(*map(int, sys.argv[1:])))
