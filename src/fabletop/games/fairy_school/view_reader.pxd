# C types of view_reader.py: one line per name.
cimport cython
from fabletop.games.fairy_school.constants cimport *
from fabletop.games.fairy_school.engine cimport State

cdef dict IDS, FINAL_IDS, SET_IDS, ELEMENT_IDS, CREATURE_IDS, PHASE_IDS, QUESTION_IDS

cpdef State skeleton(dict view)
cdef list numbers(list cards)
@cython.locals(n=int)
cdef int fill(unsigned char *zone, int start, list cards) except -1
@cython.locals(n=int)
cdef int lay(unsigned char *zone, int start, list cards) except -1


@cython.final
cdef class Reader:
    cdef dict view
    cdef State state
    cdef int viewer

    @cython.locals(view=dict, state=State, player=dict, own=dict, picks=list, hands=list, seat=int, at=int)
    cdef State read(self)
    @cython.locals(view=dict, state=State, draft=dict, n=int)
    cdef void read_table(self) except *
    @cython.locals(own=dict)
    cdef dict began(self, dict player)
    @cython.locals(state=State, now=list, was=list)
    cdef list hand_began(self, dict own)
    @cython.locals(state=State, seat=int, own=dict, at=int, elements=dict, forest=dict, pile=dict, top=list,
                   among=list, count=int, bag=int, i=int, n=int, drawn=dict, sure=int)
    cdef void read_player(self, dict player, list picks, list hand) except *
    @cython.locals(state=State, seat=int, n=int)
    cdef void read_own(self, dict own) except *
    @cython.locals(state=State, column=int)
    cdef void read_flow(self, dict flow, int seat) except *
    cdef void read_amounts(self, unsigned char *to, int start, dict amounts) except *
    # drafts
    @cython.locals(state=State, view=dict, draft=dict, own=dict, seats=int, rounds=int, viewer=int, step=int,
                   held=bint, pack=int, number=int, holder=int, later=int, cards=list, gone=list)
    cdef tuple dealt(self)
    cdef list sixth(self, int count)
    cdef set public(self)
