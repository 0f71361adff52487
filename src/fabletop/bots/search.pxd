# C types of search.py: one line per name.
cimport cython
from fabletop.bots.constants cimport *
from fabletop.bots.world cimport World
from fabletop.core.splitmix cimport scramble

cdef unsigned long long MASK64
cdef unsigned long long GOLDEN

cdef unsigned long long mixed(unsigned long long word) noexcept nogil
@cython.locals(found="long long", bit="long long")
cdef long long root_of(long long n) noexcept nogil


@cython.final
cdef class Search:
    cdef World world
    cdef readonly unsigned long long room
    cdef long long explore
    cdef int heat
    cdef int prior_heat
    cdef int stray
    cdef int horizon
    cdef int spread
    cdef unsigned long long word
    cdef readonly unsigned long long used
    cdef int depth
    cdef readonly long long iterations
    cdef readonly long long steps
    cdef int n_root
    cdef int first
    cdef unsigned long long top
    cdef unsigned long long[::1] keys
    cdef unsigned long long[::1] visits
    cdef unsigned long long[::1] totals
    cdef unsigned long long trail[MOST_SEATS]
    cdef unsigned long long unseen[MOST_SEATS]
    cdef unsigned long long path[2 * DEPTH]
    cdef int path_seat[2 * DEPTH]
    cdef unsigned long long slots[OPTIONS]
    cdef int root[OPTIONS]
    cdef long long root_visits[OPTIONS]
    cdef long long root_rewards[OPTIONS]
    cdef long long root_shares[OPTIONS]
    cdef long long root_points[OPTIONS]
    cdef long long root_ahead[OPTIONS]
    cdef long long root_prior[OPTIONS]
    cdef long long root_weight[OPTIONS]
    cdef long long weight
    cdef long long n_deals
    cdef long long usual[DEALS]
    cdef readonly bint spent

    @cython.locals(at="unsigned long long")
    cdef unsigned long long find(self, unsigned long long key) noexcept nogil
    cdef void add(self, unsigned long long at, unsigned long long key) noexcept nogil
    cdef void imagine(self) noexcept nogil
    cdef void note(self, unsigned long long at, int seat) noexcept nogil
    @cython.locals(at="unsigned long long", tried="long long", width="long long", hope="long long",
                   value="long long", best="long long", n="long long", chosen=int, weight="long long",
                   floor="long long")
    cdef int select(self, unsigned long long node, unsigned long long key) noexcept nogil
    @cython.locals(i=int, j=int)
    cdef long long recall(self) noexcept nogil
    cdef int even_out(self, int chosen) noexcept nogil
    @cython.locals(veiled=bint)
    cdef void tell(self, int seat, int action) noexcept nogil
    @cython.locals(key="unsigned long long", node="unsigned long long", at="unsigned long long")
    cdef void descend(self) noexcept nogil
    @cython.locals(at="unsigned long long")
    cdef void back_up(self) noexcept nogil
    cdef void iterate(self, long long count) noexcept nogil
    @cython.locals(n="long long")
    cdef long long promise(self, int i) noexcept nogil
    @cython.locals(width="long long", best="long long", value="long long", chosen=int, number="long long",
                   floor="long long", share="long long")
    cdef void compare(self) noexcept nogil
    cdef void wipe(self) noexcept nogil
    cpdef long long run(self, long long count)
    @cython.locals(first="long long", second="long long")
    cpdef long long lead(self)
