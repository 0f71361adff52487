# C types of learned.py: one line per name. The sizes of arrays are CARD times the cards.
cimport cython
from fabletop.bots.fairy_school.knowledge cimport Knowledge
from fabletop.bots.net cimport Net
from fabletop.games.fairy_school.constants cimport *

cdef int INPUTS, ONE, TABLE, PART, OPTION, FAR, NOWHERE, CARD
cdef unsigned char CARD_ROWS[36 * CARDS]
cdef unsigned char CREATURE_OF[CARDS]
cdef unsigned char STEP_COST[FINALS * STEPS_LONG * ELEMENTS]


cdef class Learned(Knowledge):
    cdef Net net
    cdef int best
    cdef int lacks[ELEMENTS]

    @cython.locals(question=int)
    cdef bint corrects(self, int seat) noexcept nogil
    @cython.locals(i=int, part=int)
    cdef void rate(self) noexcept nogil
    @cython.locals(i=int)
    cdef void prepare(self) noexcept nogil
    @cython.locals(goal=int)
    cdef void show(self, int me) noexcept nogil
    @cython.locals(i=int, at=int, total=int, e=int, goal=int, cubes=int, steps=int, others=int, other=int, near=int)
    cdef void show_table(self, int me) noexcept nogil
    @cython.locals(at=int, i=int, card=int, missing=int, e=int, cost=int)
    cdef void show_part(self, int me, int goal) noexcept nogil
    @cython.locals(me=int, question=int, action=int, down=int, part=int, card=int, element=int, k=int, creature=int,
                   goal=int)
    cdef int describe(self, int i) noexcept nogil
    @cython.locals(missing=int, fresh=int, e=int, cost=int)
    cdef void show_price(self, int card) noexcept nogil
    @cython.locals(e=int, cost=int, step=int)
    cdef void show_final(self, int me, int final) noexcept nogil
    @cython.locals(row=int, card=int)
    cdef void show_column(self, int column) noexcept nogil
    @cython.locals(i=int)
    cpdef int inputs(self, unsigned char[::1] table, unsigned char[::1] parts, unsigned char[::1] options, signed char[::1] about, int[::1] down)
