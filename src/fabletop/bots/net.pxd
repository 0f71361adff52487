# C types of net.py: one line per name. The sizes of arrays are INPUTS, PARTS and HIDDEN.
cimport cython
from fabletop.bots.net_sums cimport add, settle

cdef int INPUTS, HIDDEN, FINER, MOST, UNIT


@cython.final
cdef class Net:
    cdef const short[::1] numbers
    cdef int at[8]
    cdef int n_table, n_part, n_option
    cdef int wide_part, wide_table, wide_option
    cdef int n_parts
    cdef unsigned char table[256]
    cdef unsigned char parts[16 * 256]
    cdef unsigned char option[256]
    cdef int row[257]
    cdef int part_values[16 * 128]
    cdef int together[128]
    cdef int frame[128]
    cdef int start[128]
    cdef int values[129]
    cdef int out[1]

    cdef void take(self, unsigned char *inputs, int first, int n) noexcept nogil
    @cython.locals(part=int, to=int, h=int)
    cdef void open(self) noexcept nogil
    @cython.locals(h=int)
    cdef int score(self, int part) noexcept nogil
    @cython.locals(k=int, part=int)
    cdef void copy(self, unsigned char[::1] table, unsigned char[::1] parts) noexcept nogil
    @cython.locals(k=int)
    cdef void copy_option(self, unsigned char[::1] options, int i) noexcept nogil
