"""How the learned player of Fairy School is trained: see `lab.train`."""

from fabletop.lab.train.ppo import Hyperparameters
from fabletop.lab.train.run import Config

CONFIG = Config(
    Hyperparameters(margin=0.05),
    (24, 64, 64),
    {2: 25, 3: 40, 4: 20, 5: 10, 6: 5},
    {3: 40, 2: 40, 4: 20},
    choices=1500,
    from_search=True,
)
