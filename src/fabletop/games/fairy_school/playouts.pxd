# C types of playouts.py.
cimport cython
from fabletop.games.fairy_school.constants cimport *
from fabletop.games.fairy_school.engine cimport State

@cython.final
cdef class Playouts:
    cdef State state
    cdef readonly int seats
    cdef unsigned long long seed
    cdef readonly long long games
    cdef readonly long long turns
    cdef long long wins[SEATS_MAX]
    cdef long long points[SEATS_MAX]

    cdef void play(self, int games) noexcept nogil
