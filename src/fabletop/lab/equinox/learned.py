"""How the learned player of Equinox is trained: see `lab.train`."""

from fabletop.lab.train.ppo import Hyperparameters
from fabletop.lab.train.run import Config

CONFIG = Config(
    Hyperparameters(margin=0.02),
    (48, 128, 128),
    {4: 60, 2: 12, 3: 14, 5: 14},
    {2: 100, 3: 100, 4: 300, 5: 100},
)
