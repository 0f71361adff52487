# C types of episode.py: one line per name.
cimport cython
from fabletop.bots.player cimport Player
from fabletop.bots.world cimport World

cdef int FINE


@cython.final
cdef class Episode:
    cdef readonly World world
    cdef readonly Player rival
    cdef int learners
    cdef readonly int seat

    @cython.locals(waiting=int)
    cpdef int ask(self) noexcept
    cpdef void act(self, int index) noexcept
    @cython.locals(best=double, total=double, left=double, i=int)
    cpdef int sample(self, double temperature) noexcept
    cpdef int best_option(self) noexcept
