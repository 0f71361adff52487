# C types of observation.py: one line per name.
cimport cython
from fabletop.core.fill cimport bit_of, bits, blank, equal, one_hot, plain, raised, rest, start_of
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

@cython.locals(at=int)
cdef int write(State state, int seat, unsigned char *out) noexcept nogil
@cython.locals(at=int, phase=int, mine=bint)
cdef int write_turn(State state, int seat, unsigned char *out) noexcept nogil
@cython.locals(i=int, j=int, card=int)
cdef void write_looked(State state, unsigned char *out, int at) noexcept nogil
cdef int write_table(State state, unsigned char *out, int at) noexcept nogil
@cython.locals(pebble=int, champion=int, controller=int, hand=int, secret=int, least=int, end=int, who=int, r=int)
cdef int write_seats(State state, int seat, unsigned char *out, int at) noexcept nogil
@cython.locals(start=int, discarded=int, own=int, known=int, i=int, card=int, where=int)
cdef int write_cards(State state, int seat, unsigned char *out, int at) noexcept nogil
@cython.locals(seats=int, found=int, r=int, who=int)
cdef int flags(State state, int seat, int mask) noexcept nogil
@cython.locals(i=int)
cdef void write_mask(State state, int seat, unsigned char *out) noexcept nogil

@cython.locals(view="unsigned char[::1]")
cpdef observe(State state, int seat, out)
@cython.locals(view="unsigned char[::1]")
cpdef mask(State state, int seat, out)
