from mini.constants cimport *
from mini.engine cimport State

cdef int play_out(State state) noexcept nogil
