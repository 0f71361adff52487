# C types of slot.py; the methods are those of core/batch.pxd.
cimport cython
from fabletop.core.batch cimport Slot
from fabletop.games.fairy_school.constants cimport *
from fabletop.games.fairy_school.engine cimport State
from fabletop.games.fairy_school.observation cimport paint, write, write_mask

cdef int NEVER

cdef class FairySchoolSlot(Slot):
    cdef State state
    cdef int seats
    cdef int painted
    cdef unsigned char image[IMAGE]

    @cython.locals(stream=int)
    cdef void begin(self, unsigned long long word) noexcept nogil
    @cython.locals(seat=int)
    cdef int asked(self) noexcept nogil
    cdef void observe(self, int seat, unsigned char *out) noexcept nogil
    cdef int offer(self, int seat, unsigned char *out) noexcept nogil
    cdef int option(self, int index) noexcept nogil
    @cython.locals(i=int)
    cdef bint allows(self, long long action) noexcept nogil
    cdef void act(self, int seat, int action) noexcept nogil
    @cython.locals(best=int, shared=int, seat=int, points=int)
    cdef void reckon(self, float *reward, float *score) noexcept nogil
