# C types of sight.py: one line per name.
cimport cython
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

cdef bytes OPENING, COMMA, END, NOTHING
cdef tuple PLAIN_CELLS, FALSE_TRUE, NUMBERS, CARD_TEXTS, CREATURE_TEXTS, PLACE_TEXTS, CHOICE_TEXTS, CELL_TEXTS
cdef tuple SEAT_OR_NONE, ROUND_OR_NONE, CARD_OR_NONE, CREATURE_OR_NONE


@cython.final
cdef class Sight:
    cdef State state
    cdef list out

    cdef bytes taken(self)
    @cython.locals(swapping=bint)
    cpdef bytes common(self)
    @cython.locals(number=int, choosing=bint, looking=bint)
    cpdef bytes only(self, viewer)
    # pieces
    cdef inline void put(self, bytes name, bytes value)
    @cython.locals(i=int, lead=bytes)
    cdef void put_members(self, int bits, int count, tuple texts)
    cdef inline void end(self, bytes lead)
    # the table
    cdef bytes power(self)
    @cython.locals(column=int, row=int, lead=bytes)
    cdef void put_columns(self)
    @cython.locals(top=int, pebble=int, card=int, seat=int)
    cdef void put_cell(self, int cell)
    cdef bytes put_pile(self, int card)
    @cython.locals(seat=int, lead=bytes)
    cdef void put_players(self)
    @cython.locals(count=int, card=int, seat=int)
    cdef int discard_count(self)
    @cython.locals(card=int, lead=bytes)
    cdef void put_fate(self, int fate)
    @cython.locals(seat=int, lead=bytes)
    cdef void put_lacks(self)
    @cython.locals(seat=int, column=int, count=int, lead=bytes, between=bytes)
    cdef void put_at_least(self)
    cdef bytes outcome(self)
    # what a seat alone knows
    @cython.locals(in_hand=int, placing=bint)
    cdef void put_own(self, int seat)
    @cython.locals(card=int, lead=bytes)
    cdef void put_cards(self, int seat, int start, int end)
    cdef bytes looked(self)
    @cython.locals(i=int, card=int, mask=int, public=int, found=list, lead=bytes)
    cdef void put_known(self, int viewer)
