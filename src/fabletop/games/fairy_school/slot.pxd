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
    cdef int begin(self, unsigned long long word) noexcept nogil
    @cython.final
    @cython.locals(seat=int)
    cdef int asked(self) noexcept nogil
    cdef int act(self, int seat, int action) noexcept nogil
    cdef int show(self, int seat, unsigned char *seen, unsigned char *mask) noexcept nogil
    @cython.locals(best=int, shared=int, seat=int, points=int)
    cdef void reckon(self, float *reward, float *score) noexcept nogil
