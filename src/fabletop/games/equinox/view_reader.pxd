# C types of view_reader.py: one line per name.
cimport cython
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

cdef dict CARD_OF_ID, CREATURE_OF_ID, PLACE_OF_ID, CELL_OF_ID, PHASE_OF_ID
cdef list EMPTY

cpdef State skeleton(dict view)
@cython.locals(bits=int)
cdef int bits_of(texts, dict ids) except -1
cpdef int creature_bits(texts) except -1
cpdef int place_bits(texts) except -1


@cython.final
cdef class Reader:
    cdef dict seen
    cdef State state
    cdef int viewer
    cdef int target
    cdef unsigned char free[CARDS]
    cdef unsigned char left[CARDS]
    cdef int n_left
    cdef int n_looked

    @cython.locals(view=dict)
    cdef State read(self)
    # the cards without a place
    @cython.locals(first=int, card=int)
    cdef void open_pool(self) except *
    @cython.locals(card=int)
    cdef int take(self, str text) except -1
    @cython.locals(first=int, card=int, i=int)
    cdef void close_pool(self) except *
    cdef void put_back(self, int card) noexcept
    cdef int give(self) noexcept
    # what lies open
    @cython.locals(view=dict, state=State, power=dict, outcome=dict)
    cdef void read_flow(self) except *
    @cython.locals(entry=dict)
    cdef void read_columns(self) except *
    @cython.locals(state=State, seat=int, at=int, cell=dict)
    cdef void read_column(self, dict entry, int column) except *
    # what the viewer knows
    @cython.locals(own=dict, state=State, seat=int, number=int)
    cdef void read_own(self) except *
    @cython.locals(hand=list, card=int)
    cdef void read_looked(self) except *
    cdef void look_at(self, int card) noexcept
    @cython.locals(state=State, mask=int, public=int, card=int, slot=int, viewer=int)
    cdef void read_known(self, dict entry) except *
    @cython.locals(state=State, wanted=int, i=int, card=int, same=bint)
    cdef int find_known(self, str text, int mask) except -1
    # what is hidden
    @cython.locals(state=State, players=list, seat=int, count=int, number=int, i=int)
    cdef void deal_others(self) except *
    @cython.locals(view=dict, state=State, seat=int, player=dict, lacks=dict)
    cdef void read_seats(self) except *
