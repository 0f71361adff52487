# C types of observation.py: one line per name.
cimport cython
from fabletop.core.fill cimport bits, blank, one_hot, plain, raised, start_of, turned, without
from fabletop.games.fairy_school.constants cimport *
from fabletop.games.fairy_school.engine cimport State

@cython.locals(seat=int)
cdef void paint(State state, unsigned char *image) noexcept nogil
@cython.locals(at=Py_ssize_t, i=int)
cdef Py_ssize_t write(State state, int seat, unsigned char *image, unsigned char *out) noexcept nogil
@cython.locals(drafting=bint, size=int, at=Py_ssize_t, finals=Py_ssize_t, waiting=Py_ssize_t, who=int, r=int, i=int)
cdef Py_ssize_t write_table(State state, int seat, unsigned char *out) noexcept nogil
@cython.locals(seat=int, who=int)
cdef Py_ssize_t write_flow(State state, int viewer, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(kindness=int, other=int, pile="unsigned char *", elements="unsigned short *", studied=int, count=int,
               known=int, in_hand=int, top=int, k=int, amount=int)
cdef void write_area(State state, int seat, bint began, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(i=int, card=int)
cdef void lay(unsigned char *of, int start, int count, int owner, int zone, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(own=Py_ssize_t, bag=int, drawn=int, sure=int)
cdef void lay_area(State state, int seat, bint began, int owner, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(i=int, card=int)
cdef void lay_forest(unsigned char *of, int start, int owner, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(seats=int, drafting=bint, step=int, rounds=int, number=int, pack=int, i=int, holder=int)
cdef void lay_draft(State state, int seat, unsigned char *out, Py_ssize_t at) noexcept nogil
cdef void pass_on(int card, unsigned char *out, Py_ssize_t at) noexcept nogil
@cython.locals(i=int)
cdef void write_mask(State state, int seat, unsigned char *out) noexcept nogil

@cython.locals(view="unsigned char[::1]", image="unsigned char[::1]")
cpdef observe(State state, int seat, out)
@cython.locals(view="unsigned char[::1]")
cpdef mask(State state, int seat, out)
