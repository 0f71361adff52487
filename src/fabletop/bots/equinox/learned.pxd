# C types of learned.py: one line per name.
cimport cython
from fabletop.bots.equinox.knowledge cimport Knowledge
from fabletop.bots.net cimport Net
from fabletop.games.equinox.constants cimport *

cdef int INPUTS, ONE, TABLE, PART, OPTION, FAR, NOWHERE, HIDDEN_TABLE, HIDDEN_PART


cdef class Learned(Knowledge):
    cdef Net net
    cdef int halves_at[COLUMNS]
    cdef int value_at[COLUMNS * SEATS_MAX]
    cdef int part_at[COLUMNS]
    cdef int total_of[SEATS_MAX]
    cdef unsigned char seen_at[COLUMNS * STRENGTHS]
    cdef int front, lowest, second, ties, empty, best

    @cython.locals(i=int, part=int)
    cdef void rate(self) noexcept nogil
    @cython.locals(i=int, column=int)
    cdef void prepare(self) noexcept nogil
    @cython.locals(column=int)
    cdef void show(self, int me) noexcept nogil
    @cython.locals(n=int, i=int, column=int, row=int, card=int, top=int, halves=int, seat=int, value=int)
    cdef void survey(self, int me) noexcept nogil
    @cython.locals(i=int, away=int, seat=int, ahead=int, card=int)
    cdef void show_table(self, int me) noexcept nogil
    @cython.locals(at=int, i=int, halves=int, top=int, other=int, beside=int, strength=int, seen=int, others=int,
                   most=int, away=int, seat=int, value=int, controller=int, high=int, low=int, row=int, card=int)
    cdef void show_part(self, int me, int column) noexcept nogil
    @cython.locals(me=int, phase=int, action=int, down=int, column=int, strength=int, k=int, seat=int, top=int, row=int,
                   value=int, mine=int)
    cdef int describe(self, int i) noexcept nogil
    @cython.locals(before=int, empty=int, least=int, loser=int, other=int, there=int, seat=int, more=int)
    cdef void show_effect(self, int me, int column, int halves) noexcept nogil
    @cython.locals(i=int)
    cpdef int inputs(self, unsigned char[::1] table, unsigned char[::1] parts, unsigned char[::1] options, signed char[::1] about, int[::1] down)
    @cython.locals(me=int, i=int, away=int, seat=int, card=int, part=int, at=int)
    cpdef void hidden(self, unsigned char[::1] table, unsigned char[::1] parts)
