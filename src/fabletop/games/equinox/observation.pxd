# C types of observation.py: one line per name.
cimport cython
from fabletop.core.fill cimport bit_of, bits, blank, equal, one_hot, plain, raised, rest, start_of
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

@cython.locals(at=Py_ssize_t)
cdef Py_ssize_t write(State state, int seat, unsigned char *out) noexcept nogil
@cython.locals(at=Py_ssize_t, phase=int, mine=bint)
cdef Py_ssize_t write_turn(State state, int seat, unsigned char *out) noexcept nogil
@cython.locals(i=int, j=int, card=int)
cdef void write_looked(State state, unsigned char *out, Py_ssize_t at) noexcept nogil
cdef Py_ssize_t write_table(State state, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(seats=int, turn=int, pebble=Py_ssize_t, champion=Py_ssize_t, controller=Py_ssize_t, hand=Py_ssize_t, secret=Py_ssize_t, least=Py_ssize_t, end=Py_ssize_t,
               lacking=int, who=int, r=int)
cdef Py_ssize_t write_seats(State state, int seat, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(start=Py_ssize_t, discarded=Py_ssize_t, own=Py_ssize_t, known=Py_ssize_t, n=int, i=int, card=int, place=int, mine=int)
cdef Py_ssize_t write_cards(State state, int seat, unsigned char *out, Py_ssize_t at) noexcept nogil
cdef int from_viewer(int who, int seat, int seats) noexcept nogil
cdef int seats_from_viewer(int some, int seat, int seats) noexcept nogil
cdef int shown(int card) noexcept nogil
@cython.locals(others=int, found=int)
cdef int flags(int mask, int seat, int seats) noexcept nogil
@cython.locals(i=int)
cdef void write_mask(State state, int seat, unsigned char *out) noexcept nogil

@cython.locals(view="unsigned char[::1]")
cpdef observe(State state, int seat, out)
@cython.locals(view="unsigned char[::1]")
cpdef mask(State state, int seat, out)
