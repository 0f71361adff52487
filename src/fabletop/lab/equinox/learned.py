"""How the learned player of Equinox is trained: see `lab.train`."""

from fabletop.lab.train.course import Course
from fabletop.lab.train.learning import Settings

COURSE = Course(Settings(margin=0.02), (32, 64, 64), {4: 96, 2: 40, 3: 28, 5: 28}, {4: 250, 2: 150})
