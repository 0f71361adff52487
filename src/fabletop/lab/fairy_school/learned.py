"""How the learned player of Fairy School is trained: see `lab.train`."""

from fabletop.lab.train.course import Course
from fabletop.lab.train.learning import Settings

COURSE = Course(Settings(margin=0.05), (24, 64, 64), {2: 64, 3: 48, 4: 16}, {2: 80, 3: 40})
