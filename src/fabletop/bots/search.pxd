# C types of search.py: one line per name. The sizes of arrays are OPTIONS, MOST_SEATS and DEPTH of search.py.
cimport cython
from fabletop.core.splitmix cimport scramble

cdef int NOBODY
cdef int OPTIONS
cdef int MOST_SEATS
cdef int DEPTH
cdef int REWARD
cdef int FULL
cdef int POINT
cdef int TRIES
cdef int EVEN
cdef int FLOOR
cdef int FIRST
cdef int DISCOUNT
cdef int DEALS
cdef long long AWAY
cdef int BLUR
cdef unsigned long long MASK64
cdef unsigned long long GOLDEN
cdef unsigned long long OPTION_SALT
cdef int LEAN[128]

cdef unsigned long long mixed(unsigned long long word) noexcept nogil
@cython.locals(found="long long", bit="long long")
cdef long long root_of(long long n) noexcept nogil


cdef class World:
    cdef readonly int seats
    cdef readonly int viewer
    cdef bint veiled
    cdef int per_point
    cdef bint streams
    cdef bint flat
    cdef int trust
    cdef int slope
    cdef readonly int n_options
    cdef unsigned long long word
    cdef int options[512]
    cdef int scores[512]
    cdef int weights[512]
    cdef int rewards[8]
    cdef int shares[8]
    cdef int points[8]

    # what a game says
    cdef void imagine(self, unsigned long long word) noexcept nogil
    cdef int likelihood(self) noexcept nogil
    cdef int asked(self) noexcept nogil
    cdef void offer(self) noexcept nogil
    cdef void rate(self) noexcept nogil
    cdef void act(self, int action) noexcept nogil
    cdef int sign(self, int action, int seat) noexcept nogil
    cdef int stage(self) noexcept nogil
    cdef void reckon(self) noexcept nogil
    cdef void forget(self) noexcept nogil
    # the same of the state itself
    cdef int pending(self) noexcept nogil
    cdef void consider(self, int seat) noexcept nogil
    cdef void stir(self, int stream, unsigned long long word) noexcept nogil
    cdef void answer(self, int seat, int action) noexcept nogil
    # what follows from it
    @cython.locals(z="unsigned long long")
    cdef int below(self, int n) noexcept nogil
    @cython.locals(down="unsigned int", limit="unsigned int", best=int)
    cdef int weigh(self, int heat) noexcept nogil
    cdef int draw(self, int heat) noexcept nogil
    @cython.locals(best=int)
    cdef int top(self) noexcept nogil
    cdef double points_of(self, int i) noexcept nogil
    cdef bint whim(self, int i) noexcept nogil
    cdef void play_out(self, int stray, int heat, int horizon) noexcept nogil


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
    cdef unsigned long long trail[8]
    cdef unsigned long long unseen[8]
    cdef unsigned long long path[512]
    cdef int path_seat[512]
    cdef unsigned long long slots[512]
    cdef int root[512]
    cdef long long root_visits[512]
    cdef long long root_rewards[512]
    cdef long long root_shares[512]
    cdef long long root_points[512]
    cdef long long root_ahead[512]
    cdef long long root_prior[512]
    cdef long long root_weight[512]
    cdef long long weight
    cdef long long n_deals
    cdef long long usual[4096]
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
