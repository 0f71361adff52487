# C types of rehearsal.py: one line per name.
cimport cython
from fabletop.bots.player cimport Player
from fabletop.bots.search cimport World


@cython.final
cdef class Rehearsal:
    cdef readonly World world
    cdef readonly Player rival
    cdef int learners
    cdef readonly int seat

    @cython.locals(waiting=int)
    cpdef int ask(self) noexcept
    cpdef void act(self, int index) noexcept
    cpdef int rated(self) noexcept
