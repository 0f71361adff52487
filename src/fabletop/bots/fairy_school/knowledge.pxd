# C types of fairy_school.py: one line per name.
cimport cython
from fabletop.bots.constants cimport NOBODY
from fabletop.core.splitmix cimport scramble
from fabletop.bots.world cimport World
from fabletop.games.fairy_school.constants cimport *
from fabletop.games.fairy_school.engine cimport State

cdef int KNOBS
cdef int K_AIR, K_RHO, K_FADE, K_BEND, K_SPARE, K_GLUT, K_NOW, K_ENGINE, K_USUAL, K_FINISH, K_LATE
cdef int K_CUBE, K_SLOPE, K_LEAST, K_RESERVE, K_GIFT, K_RIVAL, K_KIND, K_SURE
cdef int K_STATIC, K_UNIT, K_STUDY, K_PAIR, K_COPIES, K_NEXT, K_WASTE, K_HOLD
cdef int K_SCOUT, K_SCOUT_PLUS, K_BANISH, K_BANISH_PLUS
cdef int K_PRICE, K_STOCK, K_SUPPLY, K_NOVEL
cdef int V, SCORE, BEST, GOALS, RANKS, ORDER, FINE, UNSEEN, TRAITS, STRETCHES, REGULAR, LATE, FINENESS, MEMO_BITS, MEMO, BUNDLES
cdef int OP[CARDS * 2]
cdef int COST[CARDS * 2 * ELEMENTS]
cdef int TIMES[CARDS * 2]
cdef int N_GAINS[CARDS * 2]
cdef int GAINS[CARDS * 2 * ALTERNATIVES * ELEMENTS]
cdef int COUNT[CARDS * 2]
cdef int BONUS[CARDS * 2]
cdef int CREATURE[CARDS]
cdef int PRICE[CARDS * ELEMENTS]
cdef int STEP_PRICE[FINALS * STEPS_LONG * ELEMENTS]
cdef int WORTH[CARDS]
cdef int GUESS[2 * 17 * 22]
cdef int MAKES[CARDS * ELEMENTS]


cdef class Knowledge(World):
    cdef State root
    cdef readonly State state
    cdef int span
    cdef int until
    cdef bint first
    cdef bint detour
    cdef int absent
    cdef int knobs[SEATS_MAX * 64]
    cdef int knobs_at
    cdef int rho[5]
    cdef int rates[ELEMENTS]
    cdef int have[ELEMENTS]
    cdef int purse[ELEMENTS]
    cdef int purse_after[ELEMENTS]
    cdef int unspent[ELEMENTS]
    cdef int n_goals
    cdef int n_steps
    cdef int limit
    cdef int goal_cost[12 * ELEMENTS]
    cdef int goal_total[12]
    cdef int goal_gain[12]
    cdef int goal_card[12]
    cdef unsigned long long goals_key
    cdef unsigned long long memo_key[8192]
    cdef int memo_value[8192]
    cdef unsigned long long bundle_key
    cdef int bundle[(1 << PROJECTS_MAX) * ELEMENTS]
    cdef int bundle_gain[1 << PROJECTS_MAX]
    cdef int bundle_size[1 << PROJECTS_MAX]
    cdef bint in_reach[1 << PROJECTS_MAX]
    cdef int spare
    cdef int left
    cdef int cube
    cdef int base
    cdef int seat
    cdef int memo_stage
    cdef int memo_seat
    cdef int use[CARDS]
    cdef int lure[CARDS]
    cdef int toll[COLUMNS]
    cdef int novelty[CREATURES]
    cdef int spot[SPACES]
    cdef int free[SPACES]
    cdef int dear[ELEMENTS]
    cdef int copies[CREATURES]
    cdef int traits[22]

    # the game as search sees it
    cdef void imagine(self, unsigned long long word) noexcept nogil
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
    @cython.locals(over=bint, margin=int, best=int)
    cdef void reckon(self) noexcept nogil
    cdef void forget(self) noexcept nogil
    @cython.locals(value=int)
    cdef int guess(self, int seat) noexcept nogil
    cdef int stretch(self) noexcept nogil
    @cython.locals(lack=int, need=int, fresh=int, near=int, wealth=int, ahead=int)
    cdef void notice(self, int s) noexcept nogil
    @cython.locals(total=int)
    cdef int deck_worth(self, int s) noexcept nogil
    @cython.locals(n=int)
    cdef int deck_size(self, int s) noexcept nogil
    cdef bint whim(self, int i) noexcept nogil
    # goals, purses, prospects
    cdef int turns_left(self) noexcept nogil
    cdef void add_goal(self, int card, int gain, int price, bint own) noexcept nogil
    cdef inline void fold(self, unsigned long long number) noexcept nogil
    cdef int gain_of(self, int card) noexcept nogil
    @cython.locals(last=bint, paying=bint, ending=bint, step=int, cubes=int, card=int, n=int)
    cdef void look(self, int s, bint own) noexcept nogil
    @cython.locals(card=int, lowest=int)
    cdef int next_project(self, int s, bint own, int n, int after) noexcept nogil
    cdef void rebase(self) noexcept nogil
    @cython.locals(best=int, which=int, stepped=bint, share=int, got=int, cost=int, n=int)
    cdef int stand(self, int goals) noexcept nogil
    @cython.locals(which=int)
    cdef bint settle(self) noexcept nogil
    @cython.locals(packed="unsigned long long", key="unsigned long long", at=int)
    cdef int prospect(self) noexcept nogil
    @cython.locals(which=int, rest=int, subset=int)
    cdef void bundle_up(self) noexcept nogil
    @cython.locals(best=int, value=int, goals=int, gain=int, subset=int, steps=int)
    cdef int best_prospect(self) noexcept nogil
    # what a card is worth in use
    @cython.locals(best=int, value=int, times=int)
    cdef int line_value(self, int row, bint own) noexcept nogil
    @cython.locals(best=int, value=int)
    cdef int times_value(self, int row, int times) noexcept nogil
    @cython.locals(value=int)
    cdef int special_value(self, int row, bint own) noexcept nogil
    @cython.locals(best=int, value=int)
    cdef int quick_value(self, int card) noexcept nogil
    @cython.locals(first=int, second=int, value=int)
    cdef int recall_value(self, int count) noexcept nogil
    @cython.locals(n=int)
    cdef int scout_value(self, int count) noexcept nogil
    @cython.locals(best=int, value=int)
    cdef int repeat_value(self, int card) noexcept nogil
    cdef int banish_card(self, int card) noexcept nogil
    @cython.locals(best=int, value=int)
    cdef int banish_value(self) noexcept nogil
    @cython.locals(n=int)
    cdef int average(self) noexcept nogil
    @cython.locals(best=int)
    cdef int study_value(self) noexcept nogil
    @cython.locals(value=int)
    cdef void count_creatures(self) noexcept nogil
    cdef int cube_price(self) noexcept nogil
    # the forest
    @cython.locals(value=int, card=int)
    cdef void appraise(self, int s) noexcept nogil
    cdef int reached_by(self, int s, int n) noexcept nogil
    cdef int tempted(self, int surplus) noexcept nogil
    @cython.locals(value=int, card=int)
    cdef int column_value(self, int column) noexcept nogil
    @cython.locals(first=int, second=int, value=int, studied=int, following=int, met=bint, card=int)
    cdef int rest_value(self, int columns) noexcept nogil
    @cython.locals(best=int, next_best=int, one=int, other=int, value=int, columns=int)
    cdef int forest_value(self) noexcept nogil
    @cython.locals(value=int, other=int, better=bint, n=int, k=int, card=int)
    cdef void lay_out(self, int s) noexcept nogil
    cdef void swap(self, int a, int b) noexcept nogil
    @cython.locals(home=int)
    cdef void rate_plan(self, int s) noexcept nogil
    @cython.locals(best=int, columns=int)
    cdef void rate_select(self, int s) noexcept nogil
    @cython.locals(value=int)
    cdef int columns_value(self, int s, int columns) noexcept nogil
    # projects to be chosen
    @cython.locals(mean=int)
    cdef void weigh_elements(self, int s) noexcept nogil
    cdef void supply(self, int card) noexcept nogil
    @cython.locals(have=int, value=int)
    cdef int project_value(self, int s, int card) noexcept nogil
    @cython.locals(have=int)
    cdef int final_value(self, int s, int final) noexcept nogil
    # the choices
    @cython.locals(at=int, least=int)
    cdef void shun_conversion(self) noexcept nogil
    cdef int value_of(self, int s, int q, int action) noexcept nogil
    @cython.locals(value=int)
    cdef int activate_value(self, int s, int action) noexcept nogil
    @cython.locals(value=int)
    cdef int brought_value(self, int card) noexcept nogil
    @cython.locals(value=int)
    cdef int again_value(self, int s, int card) noexcept nogil
    @cython.locals(which=int, gain=int, stay=int)
    cdef int realise_value(self, int s, int action) noexcept nogil
    # whole years
    cdef void renew(self, unsigned long long word) noexcept nogil
    @cython.locals(best=int)
    cdef void play_stage(self) noexcept nogil
