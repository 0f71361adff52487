# C types of player.py: one line per name.
cimport cython
from fabletop.bots.constants cimport *
from fabletop.bots.world cimport World
from fabletop.core.splitmix cimport scramble

cdef int EVERY, WHIMS, BEST
cdef int BLOCK
cdef unsigned long long MASK64
cdef unsigned long long GOLDEN


@cython.final
cdef class Player:
    cdef readonly World world
    cdef object source
    cdef unsigned long long word
    cdef double slack
    cdef double stray
    cdef bint any_option
    cdef readonly int choices
    cdef int best[OPTIONS]

    @cython.locals(z="unsigned long long")
    cdef int below(self, int n) noexcept nogil
    cdef int answer(self, int seat) noexcept nogil
    @cython.locals(least=double, n=int, at=int, action=int)
    cdef int pick(self, int which) noexcept nogil
    cpdef int choose(self, object state, int seat) except -1


@cython.final
cdef class Table:
    cdef list players
    cdef World rules
    cdef int seats
    cdef object state
    cdef object seed
    cdef readonly int stage
    cdef int made[MOST_SEATS]
    cdef int block[MOST_SEATS + 1]
    cdef unsigned long long words[4 * (MOST_SEATS + 1)]

    @cython.locals(i=int)
    cdef unsigned long long word_of(self, int stream, int counter) except? 0
    @cython.locals(player=Player, rules=World, waiting=int, seat=int, action=int)
    cpdef list play(self, list rows, int longest)
