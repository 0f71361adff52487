# C types of world.py: one line per name.
cimport cython
from fabletop.bots.constants cimport *
from fabletop.core.splitmix cimport scramble

cdef unsigned long long MASK64
cdef unsigned long long GOLDEN


cdef class World:
    cdef readonly int seats
    cdef readonly int viewer
    cdef bint veiled
    cdef int per_point
    cdef bint streams
    cdef bint flat
    cdef int trust
    cdef int slope
    cdef readonly int n_options
    cdef unsigned long long word
    cdef int options[OPTIONS]
    cdef int scores[OPTIONS]
    cdef int weights[OPTIONS]
    cdef int rewards[MOST_SEATS]
    cdef int shares[MOST_SEATS]
    cdef int points[MOST_SEATS]

    # what a game says
    cdef void imagine(self, unsigned long long word) noexcept nogil
    cdef int likelihood(self) noexcept nogil
    cdef int asked(self) noexcept nogil
    cdef void offer(self) noexcept nogil
    cdef void rate(self) noexcept nogil
    cdef void act(self, int action) noexcept nogil
    cdef int sign(self, int action, int seat) noexcept nogil
    cdef int stage(self) noexcept nogil
    cdef void reckon(self) noexcept nogil
    cdef void forget(self) noexcept nogil
    # the same of the state itself
    cdef int pending(self) noexcept nogil
    cdef void consider(self, int seat) noexcept nogil
    cdef void stir(self, int stream, unsigned long long word) noexcept nogil
    cdef void answer(self, int seat, int action) noexcept nogil
    # what follows from it
    @cython.locals(z="unsigned long long")
    cdef int below(self, int n) noexcept nogil
    @cython.locals(down="unsigned int", limit="unsigned int", best=int)
    cdef int weigh(self, int heat) noexcept nogil
    cdef int draw(self, int heat) noexcept nogil
    @cython.locals(best=int)
    cdef int top(self) noexcept nogil
    cdef double points_of(self, int i) noexcept nogil
    cdef bint whim(self, int i) noexcept nogil
    cdef void play_out(self, int stray, int heat, int horizon) noexcept nogil
