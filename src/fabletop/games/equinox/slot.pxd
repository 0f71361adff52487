# C types of slot.py; the methods are those of core/batch.pxd.
cimport cython
from fabletop.core.batch cimport Slot
from fabletop.core.splitmix cimport scramble
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State
from fabletop.games.equinox.observation cimport write, write_mask

cdef class EquinoxSlot(Slot):
    cdef State state
    cdef int seats
    cdef int creatures
    cdef int first

    cdef int begin(self, unsigned long long word) noexcept nogil
    @cython.final
    cdef int asked(self) noexcept nogil
    cdef int act(self, int seat, int action) noexcept nogil
    cdef int show(self, int seat, unsigned char *seen, unsigned char *mask) noexcept nogil
    @cython.locals(winners=int, shared=int, seat=int)
    cdef void reckon(self, float *reward, float *score) noexcept nogil
