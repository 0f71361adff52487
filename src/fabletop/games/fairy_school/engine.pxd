# C types of engine.py: one line per name. Whatever the core calls must be declared here, or it would not compile.
cimport cython
from fabletop.core.splitmix cimport scramble
from fabletop.games.fairy_school.constants cimport *

# the cards as tables, one row per line of a card
cdef unsigned char OP[CARDS * 2]
cdef unsigned char COST[CARDS * 2 * ELEMENTS]
cdef unsigned char TIMES[CARDS * 2]
cdef unsigned char N_GAINS[CARDS * 2]
cdef unsigned char GAINS[CARDS * 2 * ALTERNATIVES * ELEMENTS]
cdef unsigned char COUNT[CARDS * 2]
cdef unsigned char BONUS[CARDS * 2]
cdef unsigned char EXCHANGE[CARDS * 2]
cdef unsigned char CREATURE[CARDS]
cdef unsigned char PRICE[CARDS * ELEMENTS]
cdef unsigned char STEP_PRICE[FINALS * STEPS_LONG * ELEMENTS]
cdef unsigned char SET_CARD[SETS * 4]
cdef unsigned char SET_PLACE[SETS * 4]
cdef unsigned char SET_PROJECT[SETS * KEPT]


@cython.final
cdef class State:
    # options, and where the year is
    cdef readonly int seats
    cdef readonly int setup
    cdef readonly int short
    cdef readonly int wider
    cdef readonly int stage
    cdef readonly bint together
    cdef readonly int learned
    cdef readonly int phase
    cdef readonly int trimester
    cdef readonly int last
    cdef readonly int turn
    cdef readonly int year_turn
    cdef readonly int waiting
    cdef readonly int draft_round
    cdef readonly int ended
    # the table
    cdef unsigned long long words[WORDS]
    cdef int n_common
    cdef unsigned char common[COMMON_MAX]
    cdef unsigned char away[CARDS]
    cdef int n_finals
    cdef unsigned char finals[FINALS_DRAWN_MAX]
    cdef int n_order
    cdef int at_order
    cdef unsigned char order[SEATS_MAX]
    # the seats' areas
    cdef unsigned short elements[SEATS_MAX * ELEMENTS]
    cdef unsigned char cubes[SEATS_MAX]
    cdef unsigned short studied[SEATS_MAX]
    cdef unsigned char forest[SEATS_MAX * SPACES]
    cdef unsigned char n_bag[SEATS_MAX]
    cdef unsigned char n_pile[SEATS_MAX]
    cdef unsigned char pile[SEATS_MAX * OWN_MAX]
    cdef unsigned char n_discard[SEATS_MAX]
    cdef unsigned char discard[SEATS_MAX * OWN_MAX]
    cdef unsigned char n_personal[SEATS_MAX]
    cdef unsigned char personal[SEATS_MAX * OWN_MAX]
    cdef unsigned char n_shared[SEATS_MAX]
    cdef unsigned char shared[SEATS_MAX * SHARED_MAX]
    cdef unsigned char n_projects[SEATS_MAX]
    cdef unsigned char projects[SEATS_MAX * PROJECTS_MAX]
    cdef unsigned char n_hand[SEATS_MAX]
    cdef unsigned char hand[SEATS_MAX * HAND_MAX]
    cdef unsigned char n_gone[SEATS_MAX]
    cdef unsigned char gone[SEATS_MAX * OWN_MAX]
    cdef unsigned char steps[SEATS_MAX]
    cdef unsigned char final[SEATS_MAX]
    cdef unsigned char set_of[SEATS_MAX]
    cdef unsigned char kindness[SEATS_MAX * SEATS_MAX]
    # the same as the stage began
    cdef unsigned short was_elements[SEATS_MAX * ELEMENTS]
    cdef unsigned char was_cubes[SEATS_MAX]
    cdef unsigned short was_studied[SEATS_MAX]
    cdef unsigned char was_forest[SEATS_MAX * SPACES]
    cdef unsigned char was_n_bag[SEATS_MAX]
    cdef unsigned char was_n_pile[SEATS_MAX]
    cdef unsigned char was_pile[SEATS_MAX * OWN_MAX]
    cdef unsigned char was_n_discard[SEATS_MAX]
    cdef unsigned char was_discard[SEATS_MAX * OWN_MAX]
    cdef unsigned char was_n_personal[SEATS_MAX]
    cdef unsigned char was_personal[SEATS_MAX * OWN_MAX]
    cdef unsigned char was_n_shared[SEATS_MAX]
    cdef unsigned char was_shared[SEATS_MAX * SHARED_MAX]
    cdef unsigned char was_n_projects[SEATS_MAX]
    cdef unsigned char was_projects[SEATS_MAX * PROJECTS_MAX]
    cdef unsigned char was_n_hand[SEATS_MAX]
    cdef unsigned char was_hand[SEATS_MAX * HAND_MAX]
    cdef unsigned char was_n_gone[SEATS_MAX]
    cdef unsigned char was_steps[SEATS_MAX]
    cdef unsigned char n_sure[SEATS_MAX]
    # what belongs to one phase
    cdef unsigned char n_picks[SEATS_MAX]
    cdef unsigned char picks[SEATS_MAX * PICKS_MAX]
    cdef unsigned char n_used[SEATS_MAX]
    cdef unsigned char used[SEATS_MAX * USED_MAX]
    cdef unsigned char n_looked[SEATS_MAX]
    cdef unsigned char looked[SEATS_MAX * LOOKED_MAX]
    cdef unsigned char used_cubes[SEATS_MAX * USED_MAX]
    # the seats' flows
    cdef unsigned char q[SEATS_MAX]
    cdef unsigned char card[SEATS_MAX]
    cdef unsigned char line[SEATS_MAX]
    cdef unsigned char left[SEATS_MAX]
    cdef unsigned char again[SEATS_MAX]
    cdef unsigned char after[SEATS_MAX]
    cdef unsigned char back[SEATS_MAX]
    cdef unsigned char making[SEATS_MAX]
    cdef unsigned char spent[SEATS_MAX]
    cdef unsigned char taken[SEATS_MAX]
    cdef unsigned char columns[SEATS_MAX]
    cdef unsigned char owed[SEATS_MAX * ELEMENTS]
    cdef unsigned char given[SEATS_MAX * ELEMENTS]
    # scratch, events, counters
    cdef int n_opts
    cdef unsigned short opts[ACTIONS]
    cdef unsigned char deck[CARDS]
    cdef unsigned short slots[CARDS]
    cdef int shuffles
    cdef long long decisions
    cdef long long answers
    cdef int listening
    cdef int n_ears
    cdef unsigned short ears[EARS]
    cdef list rows

    # chance and events
    cdef inline int below(self, int stream, int n) noexcept nogil
    @cython.locals(z="unsigned long long")
    cdef inline unsigned long long word(self, int stream) noexcept nogil
    cdef inline void say(self, int kind, int a, int b, int c, int d) noexcept nogil
    cdef inline void add(self, int value) noexcept nogil
    cdef void add_amounts(self, int e, int v, int f, int w, int a) noexcept nogil
    # stages
    cdef void enter(self, int phase, int together) noexcept nogil
    cdef void snapshot(self) noexcept nogil
    cdef void restore(self, int s) noexcept nogil
    cdef void forget(self, int s) noexcept nogil
    cdef void open_seat(self, int s) noexcept nogil
    cdef void open_stage(self) noexcept nogil
    cdef void finish(self, int s) noexcept nogil
    cdef void close_stage(self) noexcept nogil
    # piles and lists
    cdef int draw_card(self, int s) noexcept nogil
    cdef inline void to_discard(self, int s, int card) noexcept nogil
    cdef inline void to_personal(self, int s, int card) noexcept nogil
    cdef inline void to_hand(self, int s, int card) noexcept nogil
    cdef void from_hand(self, int s, int card) noexcept nogil
    cdef void to_projects(self, int s, int card) noexcept nogil
    cdef void from_projects(self, int s, int card) noexcept nogil
    cdef void to_common(self, int card) noexcept nogil
    cdef int gather(self, int which) noexcept nogil
    cdef int lot(self, int stream, int n) noexcept nogil
    # F-1.3, F-6.9 payment
    cdef inline int can_pay(self, int s, int e, int v, int f, int w, int a, int more) noexcept nogil
    cdef inline int can_pay_line(self, int s, int row) noexcept nogil
    cdef int can_pay_times(self, int s, int row, int k) noexcept nogil
    cdef void owe(self, int s, int e, int v, int f, int w, int a, int after) noexcept nogil
    cdef int lacking(self, int s) noexcept nogil
    cdef void pay(self, int s) noexcept nogil
    cdef void offer_pay(self, int s) noexcept nogil
    cdef int works_out(self, int s, int made, int more) noexcept nogil
    @cython.locals(joker=bint)
    cdef void spend(self, int s, int element) noexcept nogil
    cdef void paid(self, int s) noexcept nogil
    cdef inline int total(self, int s) noexcept nogil
    cdef void offer_conversion(self, int s) noexcept nogil
    cdef void offer_convert(self, int s) noexcept nogil
    @cython.locals(enough=bint)
    cdef void offer_convert_with(self, int s) noexcept nogil
    cdef void convert_with(self, int s, int element) noexcept nogil
    # F-2 set-up
    cdef void begin_year(self) noexcept nogil
    cdef void deal_sets(self) noexcept nogil
    cdef void say_hand(self, int s) noexcept nogil
    cdef void begin_settle(self) noexcept nogil
    cdef void offer_settle(self, int s) noexcept nogil
    cdef void offer_settle_space(self, int s) noexcept nogil
    cdef void settle(self, int s, int space) noexcept nogil
    cdef void close_settle(self) noexcept nogil
    # F-3 the year
    cdef void begin_trimester(self) noexcept nogil
    cdef int named_trimester(self) noexcept nogil
    cdef int turns(self) noexcept nogil
    # F-4 choosing projects
    cdef void deal_draft(self, int which, int size) noexcept nogil
    cdef int passing(self) noexcept nogil
    cdef void offer_draft(self, int s) noexcept nogil
    cdef void to_picks(self, int s, int card) noexcept nogil
    cdef void close_draft(self) noexcept nogil
    cdef void pass_hands(self) noexcept nogil
    cdef void begin_drop(self) noexcept nogil
    cdef void merge_picks(self, int s) noexcept nogil
    cdef void offer_drop(self, int s) noexcept nogil
    cdef void close_drop(self) noexcept nogil
    # F-5 a turn
    cdef void begin_turn(self) noexcept nogil
    cdef void set_order(self, int who) noexcept nogil
    cdef int kindness_of(self, int s) noexcept nogil
    cdef void next_goal(self) noexcept nogil
    cdef void offer_goal(self, int s) noexcept nogil
    cdef void give_goal(self, int s, int card) noexcept nogil
    cdef void begin_plan(self) noexcept nogil
    cdef void plan_next(self, int s) noexcept nogil
    cdef void plan_where(self, int s) noexcept nogil
    cdef void offer_plan(self, int s) noexcept nogil
    cdef void offer_plan_space(self, int s) noexcept nogil
    cdef void place(self, int s, int space) noexcept nogil
    cdef void begin_select(self) noexcept nogil
    cdef void offer_select(self, int s) noexcept nogil
    cdef void select(self, int s, int column) noexcept nogil
    cdef void play_column(self, int s) noexcept nogil
    cdef void begin_activate(self) noexcept nogil
    cdef inline int neighbours(self) noexcept nogil
    cdef inline int neighbour(self, int s, int k) noexcept nogil
    cdef void offer_activate(self, int s) noexcept nogil
    cdef void offer_card(self, int s, int card) noexcept nogil
    cdef inline int cubes_on(self, int s, int card) noexcept nogil
    cdef inline int does_something(self, int s, int row) noexcept nogil
    cdef int usable(self, int s, int card, int line, int again) noexcept nogil
    cdef int can_repeat(self, int s, int card, int e, int v, int f, int w, int a, int more) noexcept nogil
    cdef void activate(self, int s, int card, int again) noexcept nogil
    cdef void begin_line(self, int s, int line) noexcept nogil
    cdef int owner(self, int s, int card) noexcept nogil
    cdef void offer_times(self, int s) noexcept nogil
    cdef void pay_line(self, int s, int k) noexcept nogil
    # F-6 effects
    cdef void carry_out(self, int s) noexcept nogil
    cdef void ask_or_answer(self, int s, int question) noexcept nogil
    cdef void end_effect(self, int s) noexcept nogil
    cdef void gain_one(self, int s, int element) noexcept nogil
    cdef void gain_next(self, int s) noexcept nogil
    cdef void gain(self, int s, int which) noexcept nogil
    cdef void offer_gain(self, int s) noexcept nogil
    cdef void recall_next(self, int s) noexcept nogil
    cdef void offer_recall(self, int s) noexcept nogil
    cdef void recall(self, int s, int card) noexcept nogil
    cdef void scout(self, int s, int count) noexcept nogil
    cdef void scout_next(self, int s) noexcept nogil
    cdef void offer_scout(self, int s) noexcept nogil
    cdef void scout_place(self, int s, int card) noexcept nogil
    cdef void repeat(self, int s) noexcept nogil
    cdef void offer_repeat(self, int s) noexcept nogil
    cdef void offer_banish(self, int s) noexcept nogil
    cdef void banish(self, int s, int card) noexcept nogil
    cdef void offer_study_any(self, int s) noexcept nogil
    cdef void study(self, int s, int creature) noexcept nogil
    cdef void studied_on(self, int s) noexcept nogil
    # F-5.4 to F-5.7
    cdef void rest(self) noexcept nogil
    cdef void offer_study(self, int s) noexcept nogil
    cdef void close_study(self) noexcept nogil
    @cython.locals(last=bint)
    cdef void offer_realise(self, int s) noexcept nogil
    cdef void pay_project(self, int s, int card) noexcept nogil
    cdef void realise(self, int s) noexcept nogil
    cdef void close_realise(self) noexcept nogil
    # F-7 the last trimester
    cdef void begin_finals(self) noexcept nogil
    cdef void next_final(self) noexcept nogil
    cdef void offer_final(self, int s) noexcept nogil
    cdef void choose_final(self, int s, int final) noexcept nogil
    cdef int n_steps(self) noexcept nogil
    cdef int completed(self, int s) noexcept nogil
    cdef void pay_step(self, int s) noexcept nogil
    cdef void complete_step(self, int s) noexcept nogil
    cdef void begin_bonus(self) noexcept nogil
    cdef int leads(self, int s) noexcept nogil
    cdef void offer_bonus(self, int s) noexcept nogil
    cdef void close_bonus(self) noexcept nogil
    # F-8 the score
    cdef void end_year(self) noexcept nogil
    cdef int score(self, int s) noexcept nogil
    cdef int realised(self, int s) noexcept nogil
    cdef int n_studied(self, int s) noexcept nogil
    cdef int element_points(self, int s) noexcept nogil
    # questions and answers
    cdef inline void offer(self, int action) noexcept nogil
    cdef void ask(self, int s) noexcept nogil
    cdef void ask_all(self, int s) noexcept nogil
    cdef void act(self, int s, int action) noexcept nogil
    @cython.locals(open_order=bint)
    cdef void move(self, int s, int action) noexcept nogil
    # random play, imagined worlds
    cdef void play_seat(self, int s) noexcept nogil
    cdef void play_out(self) noexcept nogil
    cdef void reset(self) noexcept nogil
    @cython.locals(busy=bint)
    cdef void deal_again(self, int viewer) noexcept nogil
    cdef void draw_again(self, int s) noexcept nogil
    cdef void sixth_again(self, int s) noexcept nogil
    cdef int holder(self, int pack, int number) noexcept nogil
    @cython.locals(held=bint)
    cdef void draft_again(self, int viewer) noexcept nogil
    cdef int pick_slot(self, int pack, int number) noexcept nogil
    cdef int hand_slots(self, int s, int n) noexcept nogil
    cdef void mix(self, int n, int total) noexcept nogil
    # the boundary
    cdef void become(self, State other) noexcept nogil
    @cython.locals(g=State)
    cpdef State clone(self)
