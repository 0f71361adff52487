# C types of playouts.py.
cimport cython
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

@cython.final
cdef class Playouts:
    cdef State state
    cdef readonly int seats
    cdef unsigned long long seed
    cdef readonly long long games
    cdef readonly long long choices
    cdef readonly long long decisions
    cdef long long wins[SEATS_MAX]
    cdef long long halves[SEATS_MAX]

    cdef void play(self, int games) noexcept nogil
