# The C types of engine.py, one line per name. Every method that the core without the interpreter calls is here.
cimport cython
from mini.constants cimport *  # engine.py imports the names it needs in the ordinary way

cdef unsigned char WORTH[CARDS]  # a table computed at import (see engine.py)

@cython.final
cdef class State:
    # Scalars and one-dimensional arrays; what is `public` Python can see.
    cdef public int seats
    cdef public int seat
    cdef public int phase
    cdef public int n_legal
    cdef unsigned long long word
    cdef unsigned char legal[ACTIONS]
    cdef unsigned char hand[SEATS_MAX * HAND_MAX]
    cdef unsigned char n_hand[SEATS_MAX]
    cdef int score[SEATS_MAX]

    # The core, without the interpreter.
    cdef inline int draw(self, int n) noexcept nogil
    cdef inline void give(self, int seat, int card) noexcept nogil
    cdef void deal(self) noexcept nogil
    cdef void ask(self) noexcept nogil
    cdef void take(self, int seat, int index) noexcept nogil
    cdef void move(self, int action) noexcept nogil

    # The boundary, for Python and for C.
    @cython.locals(g=State)
    cpdef State clone(self)
