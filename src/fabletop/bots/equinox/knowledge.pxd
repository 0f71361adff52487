# C types of equinox.py: one line per name.
cimport cython
from fabletop.bots.world cimport World
from fabletop.games.equinox.constants cimport *
from fabletop.games.equinox.engine cimport State

cdef int KNOBS, VICTORY, EMPTY, STEEP, RIVAL, LEADER, BIT, KEEP, HIGH, LOW, HOLD_CHAMELEON, EXTREME
cdef int SECRET_HIGH, DRAW
cdef int HOLD_DRYAD, HOLD_ANCESTOR, PEBBLE, SAME, SECRETLY, SHOW, CONTROL, LEAD, NEXT, DISCARD, HIDE, GIVE
cdef int P_BASE, P_MINE, P_OTHERS, P_HAND, P_CARD, P_EMPTY, P_SECRET, POWER
cdef int UNIT, BEST, HALVES
cdef int STRENGTH_MAX
cdef int FALL[512]
cdef int FITS[6]
cdef int UNSEEN_SECRET, UNSEEN_CARD, UNSEEN_PLAY


cdef class Knowledge(World):
    cdef State root
    cdef State state
    cdef int knobs[96]
    cdef int pull[4 * 256]
    cdef int worth[3 * CARDS]
    cdef int half[256]
    cdef int ursus
    cdef int seat
    cdef int at
    cdef int share
    cdef int interest[SEATS_MAX * COLUMNS]
    cdef int strength[COLUMNS]
    cdef int prospect[COLUMNS]
    cdef int standing[IN_GAME]
    cdef int n_standing
    cdef int shown[SEATS_MAX]
    cdef int backing[COLUMNS]
    cdef int pebbled[COLUMNS]
    cdef bint counted
    cdef int known
    cdef bint scanned
    cdef int summed
    cdef int row
    cdef int in_play
    cdef int future
    cdef int base
    cdef int empties
    cdef long long pulls[4]
    cdef long long losses[4]

    cdef void imagine(self, unsigned long long word) noexcept nogil
    cdef int likelihood(self) noexcept nogil
    cdef int asked(self) noexcept nogil
    cdef void offer(self) noexcept nogil
    cdef void rate(self) noexcept nogil
    cdef void act(self, int action) noexcept nogil
    cdef int sign(self, int action, int seat) noexcept nogil
    cdef int stage(self) noexcept nogil
    cdef int pending(self) noexcept nogil
    cdef void consider(self, int seat) noexcept nogil
    cdef void stir(self, int stream, unsigned long long word) noexcept nogil
    cdef void answer(self, int seat, int action) noexcept nogil
    @cython.locals(over=bint, margin=int, weight="long long")
    cdef void reckon(self) noexcept nogil
    cdef void neutral(self) noexcept nogil
    cdef int expected(self, int seat) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef void look(self, int me) noexcept nogil
    cdef void count(self) noexcept nogil
    cdef inline int backed(self, int column, int stake) noexcept nogil
    cdef inline int total(self, int me, int seat) noexcept nogil
    @cython.locals(mine=int, theirs=int, leader=int, most=int)
    cdef void care(self, int me) noexcept nogil
    cdef void scan(self) noexcept nogil
    @cython.locals(pull="long long")
    cdef void sum_up(self, int steep) noexcept nogil
    @cython.locals(more="long long")
    cdef void put(self, int column, int strength) noexcept nogil
    @cython.locals(lowest=int, found=int)
    cdef int loser(self, int column, int strength) noexcept nogil
    @cython.locals(total="long long", loss="long long", more="long long", steep=int)
    cdef int stand(self, int column, int strength) noexcept nogil
    cdef int hold(self, int card) noexcept nogil
    cdef void value_cards(self) noexcept nogil
    cdef void measure_cards(self) noexcept nogil
    cdef void foresee(self, int me) noexcept nogil
    cdef int pebble_worth(self, int column, int halves) noexcept nogil
    cdef bint gains_control(self, int me, int column, int value) noexcept nogil
    cdef int place_score(self, int me, int cell) noexcept nogil
    cdef int predict_score(self, int me, int action) noexcept nogil
    cdef bint changes_row(self, int column) noexcept nogil
    @cython.locals(best=int, before=int, top=int, swapped=int)
    cdef int best_after(self, int column, int card) noexcept nogil
    @cython.locals(best=int, value=int)
    cdef int use_at_hand(self, int me, int column) noexcept nogil
    @cython.locals(best=int)
    cdef int best_play(self, int me) noexcept nogil
    @cython.locals(best=int, value=int, wakes=bint)
    cdef int play_score(self, int me, int action) noexcept nogil
    cdef int take_score(self, int cell) noexcept nogil
    cdef int swap_score(self, int one, int other) noexcept nogil
    @cython.locals(best=int, value=int)
    cdef int best_swap(self, int cell) noexcept nogil
    cdef int name_score(self, int me, int column) noexcept nogil
    cdef int discard_score(self, int action) noexcept nogil
    cdef int give_score(self, int action) noexcept nogil
    cdef int victim_score(self, int me, int seat) noexcept nogil
    cdef int power_score(self, int me, int action) noexcept nogil
