# C types of view.py: one line per name.
cimport cython
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

cdef tuple CARD_IDS, CREATURE_IDS, PLACE_IDS, CHOICE_IDS, CELL_IDS, SEAT_IDS
cdef int FIRST_PLAYER, NO_LACKS, NO_BOUNDS, WORTHS, MOST_PARTS
cdef dict PARTS
cdef tuple CARD_OR_NONE, CREATURE_OR_NONE, SEAT_OR_NONE, ROUND_OR_NONE, POINTS


@cython.locals(i=int)
cdef list members(int bits, tuple ids)
cpdef list creatures(int bits)
cpdef list places(int bits)
cdef dict with_card(State state, int top, list covered, pebble)
cpdef list reckoning(State state)
@cython.locals(column=int, row=int, lies=bint)
cdef list counted(State state, int seat)


@cython.final
cdef class ViewBuilder:
    cdef State state
    cdef object pack
    cdef tuple packed

    cpdef dict view(self, viewer)
    @cython.locals(over=bint, swapping=bint, discarded=list, unseen=int, i=int, seat=int)
    cpdef dict common(self)
    @cython.locals(number=int, choosing=bint, looking=bint)
    cpdef dict only(self, viewer)
    # the table
    cdef dict power(self)
    @cython.locals(key=tuple)
    cdef kept_column(self, int column)
    @cython.locals(number="long long", found=list, row=int, cell=int, card=int)
    cdef tuple content(self, int column)
    cdef keep(self, tuple key, part)
    @cython.locals(bits=int, i=int, row=int)
    cdef dict column(self, int column)
    @cython.locals(seat=int, total=int, totals=list)
    cdef list totals(self, int column)
    @cython.locals(top=int, pebble=int, card=int, covered=list)
    cdef cell(self, int cell)
    @cython.locals(hand=int, aside=int, unseen=int, pebbles=int, resting=int, secret=bint, made=int)
    cdef player(self, int seat)
    @cython.locals(card=int)
    cdef list cards_with(self, int fate)
    @cython.locals(hand=int, secret=int)
    cdef lacks(self, int seat)
    @cython.locals(column=int, count=int, found=dict)
    cdef at_least(self, int seat)
    cdef dict outcome(self)
    # what one viewer alone knows
    @cython.locals(first=int, cards=bytes, held=int, key=tuple)
    cdef kept_own(self, int seat)
    cdef bint placing(self, int seat)
    @cython.locals(in_hand=int)
    cdef dict own(self, int seat)
    @cython.locals(card=int, found=list)
    cdef list cards(self, int seat, int start, int end)
    @cython.locals(card=int, i=int)
    cdef list looked(self)
    @cython.locals(i=int, card=int, mask=int, public=int, found=list, shown=int, mine=int, everybody=int)
    cdef list known(self, int viewer)
