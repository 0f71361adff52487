# C types of view.py: one line per name.
cimport cython
from fabletop.games.fairy_school.constants cimport *
from fabletop.games.fairy_school.engine cimport State

cdef tuple NAME_OR_NONE, FINAL_OR_NONE, SET_OR_NONE, ELEMENT_OR_NONE, CREATURE_IDS, PHASE_IDS, QUESTION_IDS

cdef dict five(int earth, int plant, int fire, int water, int air)
@cython.locals(i=int)
cdef list named(unsigned char *zone, int start, int count)


@cython.final
cdef class ViewBuilder:
    cdef State state
    cdef object pack
    cdef bint picking
    cdef bint drafting
    cdef list others
    cdef unsigned char sorted[CARDS]
    cdef int n_sorted

    cpdef dict view(self, viewer)
    @cython.locals(last=bint, common=list, s=int, i=int)
    cpdef dict common(self)
    @cython.locals(number=int, s=int, mine=dict)
    cpdef dict only(self, viewer)
    # sorting
    @cython.locals(i=int, card=int, at=int, j=int)
    cdef void sort(self, unsigned char *zone, int start, int count, int least) noexcept
    @cython.locals(i=int)
    cdef list sorted_names(self)
    cdef list in_order(self, unsigned char *zone, int start, int count)
    # the table
    @cython.locals(k=int, found=list)
    cdef list reach(self, int seat)
    @cython.locals(size=int)
    cdef dict draft(self)
    cdef other(self, int seat)
    @cython.locals(at=int, spaces=int, i=int, elements="unsigned short *", forest="unsigned char *",
                   pile="unsigned char *", discard="unsigned char *", personal="unsigned char *",
                   shared="unsigned char *", projects="unsigned char *", cubes=int, studied=int, steps=int,
                   n_bag=int, n_pile=int, n_discard=int, n_personal=int, n_shared=int, n_projects=int,
                   n_hand=int, n_gone=int, drawn=int, sure=int, kindness=int)
    cdef dict player(self, int seat, bint own, bint began)
    cdef dict drawn(self, int seat, int count, int sure)
    # what one viewer alone knows
    @cython.locals(planning=bint, i=int)
    cdef dict own(self, int seat, dict mine)
    @cython.locals(was=dict, found=dict)
    cdef dict began(self, int seat, dict now)
    @cython.locals(seats=int, step=int, rounds=int, number=int, pack=int, i=int, holder=int, found=list)
    cdef list seen(self, int seat)
    @cython.locals(seat=int, s=int, at=int, n=int)
    cdef dict flow(self, int viewer)
