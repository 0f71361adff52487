# C types of engine.py: one line per name. Whatever the core calls must be declared here, or it would not compile.
cimport cython
from libc.string cimport memcpy, memset
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
@cython.auto_pickle(False)
cdef class State:
    # the record: from here to `n_options` a copy takes everything
    cdef unsigned long long words[WORDS]
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
    cdef readonly int draft_round
    cdef readonly int ended
    cdef readonly int waiting
    # the table
    cdef int n_common
    cdef int n_finals
    cdef int n_order
    cdef int at_order
    cdef unsigned char common[COMMON_MAX]
    cdef unsigned char away[CARDS]
    cdef unsigned char finals[FINALS_DRAWN_MAX]
    cdef unsigned char order[SEATS_MAX]
    # the seats' areas: `seat_fields` of constants.py from here on, in its order
    cdef unsigned short elements[SEATS_MAX * ELEMENTS]
    cdef unsigned short studied[SEATS_MAX]
    cdef unsigned char cubes[SEATS_MAX]
    cdef unsigned char steps[SEATS_MAX]
    cdef unsigned char forest[SEATS_MAX * SPACES]
    cdef unsigned char bag[SEATS_MAX]
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
    cdef unsigned char n_banished[SEATS_MAX]
    cdef unsigned char banished[SEATS_MAX * OWN_MAX]
    # the same as the stage began
    cdef unsigned short was_elements[SEATS_MAX * ELEMENTS]
    cdef unsigned short was_studied[SEATS_MAX]
    cdef unsigned char was_cubes[SEATS_MAX]
    cdef unsigned char was_steps[SEATS_MAX]
    cdef unsigned char was_forest[SEATS_MAX * SPACES]
    cdef unsigned char was_bag[SEATS_MAX]
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
    cdef unsigned char was_n_banished[SEATS_MAX]
    cdef unsigned char was_banished[SEATS_MAX * OWN_MAX]
    # what else belongs to a seat
    cdef unsigned char set[SEATS_MAX]
    cdef unsigned char final[SEATS_MAX]
    cdef unsigned char kindness[SEATS_MAX * SEATS_MAX]
    cdef unsigned char sure[SEATS_MAX]
    cdef unsigned char n_picks[SEATS_MAX]
    cdef unsigned char picks[SEATS_MAX * PICKS_MAX]
    cdef unsigned char n_looked[SEATS_MAX]
    cdef unsigned char looked[SEATS_MAX * LOOKED_MAX]
    cdef unsigned char n_used[SEATS_MAX]
    cdef unsigned char used[SEATS_MAX * USED_MAX]
    cdef unsigned char used_cubes[SEATS_MAX * USED_MAX]
    # the seats' flows
    cdef unsigned char question[SEATS_MAX]
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
    # scratch, events, counters: not part of the record
    cdef int n_options
    cdef unsigned short options[OPTIONS_ROOM]
    cdef unsigned char deck[CARDS]
    cdef unsigned short slots[CARDS]
    cdef int shuffles
    cdef long long decisions
    cdef long long answers
    cdef int listening
    cdef int n_said
    cdef unsigned short said[SAID_MAX]
    cdef list rows

    # chance and events
    cdef inline int below(self, int stream, int n) noexcept nogil
    @cython.locals(z="unsigned long long")
    cdef inline unsigned long long word(self, int stream) noexcept nogil
    cdef inline void put(self, int value) noexcept nogil
    cdef inline void say(self, int kind) noexcept nogil
    cdef inline void say1(self, int kind, int a) noexcept nogil
    cdef inline void say2(self, int kind, int a, int b) noexcept nogil
    cdef inline void say3(self, int kind, int a, int b, int c) noexcept nogil
    cdef inline void say4(self, int kind, int a, int b, int c, int d) noexcept nogil
    cdef void put_amounts(self, int earth, int plant, int fire, int water, int air) noexcept nogil
    # stages
    cdef void enter(self, int phase, int together) noexcept nogil
    cdef void snapshot(self) noexcept nogil
    cdef void restore(self, int seat) noexcept nogil
    cdef void forget(self, int seat) noexcept nogil
    cdef void open_seat(self, int seat) noexcept nogil
    cdef void open_stage(self) noexcept nogil
    cdef void finish(self, int seat) noexcept nogil
    cdef void close_stage(self) noexcept nogil
    # piles and lists
    cdef int draw_card(self, int seat) noexcept nogil
    cdef inline void to_discard(self, int seat, int card) noexcept nogil
    cdef inline void to_personal(self, int seat, int card) noexcept nogil
    cdef inline void to_hand(self, int seat, int card) noexcept nogil
    cdef void from_hand(self, int seat, int card) noexcept nogil
    cdef void to_projects(self, int seat, int card) noexcept nogil
    cdef void from_projects(self, int seat, int card) noexcept nogil
    cdef void to_common(self, int card) noexcept nogil
    cdef int gather(self, int which) noexcept nogil
    cdef int lot(self, int stream, int n) noexcept nogil
    # F-1.3, F-6.9 payment
    cdef inline int can_pay(self, int seat, int earth, int plant, int fire, int water, int air, int more) noexcept nogil
    cdef inline int can_pay_line(self, int seat, int row) noexcept nogil
    cdef int can_pay_times(self, int seat, int row, int k) noexcept nogil
    cdef void owe(self, int seat, int earth, int plant, int fire, int water, int air, int after) noexcept nogil
    cdef int lacking(self, int seat) noexcept nogil
    cdef void pay(self, int seat) noexcept nogil
    cdef void offer_pay(self, int seat) noexcept nogil
    cdef int works_out(self, int seat, int made, int more) noexcept nogil
    @cython.locals(joker=bint)
    cdef void spend(self, int seat, int element) noexcept nogil
    cdef void paid(self, int seat) noexcept nogil
    cdef inline int total(self, int seat) noexcept nogil
    cdef void offer_conversion(self, int seat) noexcept nogil
    cdef void offer_convert(self, int seat) noexcept nogil
    @cython.locals(enough=bint)
    cdef void offer_convert_with(self, int seat) noexcept nogil
    cdef void convert(self, int seat) noexcept nogil
    cdef void choose_made(self, int seat, int action) noexcept nogil
    cdef void choose_spent(self, int seat, int action) noexcept nogil
    cdef void end_conversion(self, int seat) noexcept nogil
    cdef void convert_with(self, int seat, int element) noexcept nogil
    # F-2 set-up
    cdef void clear(self) noexcept nogil
    cdef void begin_year(self) noexcept nogil
    cdef void deal_sets(self) noexcept nogil
    cdef void say_hand(self, int seat) noexcept nogil
    cdef void begin_settle(self) noexcept nogil
    cdef void offer_settle(self, int seat) noexcept nogil
    cdef void offer_settle_space(self, int seat) noexcept nogil
    cdef void choose_settled(self, int seat, int action) noexcept nogil
    cdef void settle(self, int seat, int space) noexcept nogil
    cdef void close_settle(self) noexcept nogil
    # F-3 the year
    cdef void begin_trimester(self) noexcept nogil
    cdef int named_trimester(self) noexcept nogil
    cdef int turns(self) noexcept nogil
    # F-4 choosing projects
    cdef void deal_draft(self, int which, int size) noexcept nogil
    cdef int passing(self) noexcept nogil
    cdef void offer_draft(self, int seat) noexcept nogil
    cdef void pick_card(self, int seat, int card) noexcept nogil
    cdef void to_picks(self, int seat, int card) noexcept nogil
    cdef void close_draft(self) noexcept nogil
    cdef void pass_hands(self) noexcept nogil
    cdef void begin_drop(self) noexcept nogil
    cdef void merge_picks(self, int seat) noexcept nogil
    cdef void offer_drop(self, int seat) noexcept nogil
    cdef void drop(self, int seat, int action) noexcept nogil
    cdef void close_drop(self) noexcept nogil
    # F-5 a turn
    cdef void begin_turn(self) noexcept nogil
    cdef void set_order(self, int who) noexcept nogil
    cdef int kindness_of(self, int seat) noexcept nogil
    cdef void next_goal(self) noexcept nogil
    cdef void offer_goal(self, int seat) noexcept nogil
    cdef void take_goal(self, int seat, int card) noexcept nogil
    cdef void give_goal(self, int seat, int card) noexcept nogil
    cdef void begin_plan(self) noexcept nogil
    cdef void plan_next(self, int seat) noexcept nogil
    cdef void plan_where(self, int seat) noexcept nogil
    cdef void offer_plan(self, int seat) noexcept nogil
    cdef void offer_plan_space(self, int seat) noexcept nogil
    cdef void plan(self, int seat, int action) noexcept nogil
    cdef void place(self, int seat, int space) noexcept nogil
    cdef void begin_select(self) noexcept nogil
    cdef void offer_select(self, int seat) noexcept nogil
    cdef void choose_column(self, int seat, int action) noexcept nogil
    cdef void select(self, int seat, int column) noexcept nogil
    cdef void play_column(self, int seat) noexcept nogil
    cdef void begin_activate(self) noexcept nogil
    cdef inline int neighbours(self) noexcept nogil
    cdef inline int neighbour(self, int seat, int k) noexcept nogil
    cdef void offer_activate(self, int seat) noexcept nogil
    cdef void offer_card(self, int seat, int card) noexcept nogil
    cdef inline int cubes_on(self, int seat, int card) noexcept nogil
    cdef inline int does_something(self, int seat, int row) noexcept nogil
    cdef int usable(self, int seat, int card, int line, int again) noexcept nogil
    cdef int can_repeat(self, int seat, int card, int earth, int plant, int fire, int water, int air, int more) noexcept nogil
    cdef void activate(self, int seat, int card, int again) noexcept nogil
    cdef void choose_card(self, int seat, int action) noexcept nogil
    cdef void begin_line(self, int seat, int line) noexcept nogil
    cdef int owner(self, int seat, int card) noexcept nogil
    cdef void offer_times(self, int seat) noexcept nogil
    cdef void pay_line(self, int seat, int k) noexcept nogil
    # F-6 effects
    cdef void carry_out(self, int seat) noexcept nogil
    cdef void ask_or_answer(self, int seat, int question) noexcept nogil
    cdef void end_effect(self, int seat) noexcept nogil
    cdef void gain_one(self, int seat, int element) noexcept nogil
    cdef void gain_next(self, int seat) noexcept nogil
    cdef void gain(self, int seat, int which) noexcept nogil
    cdef void offer_gain(self, int seat) noexcept nogil
    cdef void choose_gain(self, int seat, int which) noexcept nogil
    cdef void choose_for_special(self, int seat, int action) noexcept nogil
    cdef void recall_next(self, int seat) noexcept nogil
    cdef void offer_recall(self, int seat) noexcept nogil
    cdef void recall(self, int seat, int card) noexcept nogil
    cdef void scout(self, int seat, int count) noexcept nogil
    cdef void scout_next(self, int seat) noexcept nogil
    cdef void offer_scout(self, int seat) noexcept nogil
    cdef void scout_place(self, int seat, int card) noexcept nogil
    cdef void repeat(self, int seat) noexcept nogil
    cdef void offer_repeat(self, int seat) noexcept nogil
    cdef void offer_banish(self, int seat) noexcept nogil
    cdef void banish(self, int seat, int card) noexcept nogil
    cdef void offer_study_any(self, int seat) noexcept nogil
    cdef void study(self, int seat, int creature) noexcept nogil
    cdef void choose_study(self, int seat, int action) noexcept nogil
    cdef void studied_on(self, int seat) noexcept nogil
    # F-5.4 to F-5.7
    cdef void rest(self) noexcept nogil
    cdef void offer_study(self, int seat) noexcept nogil
    cdef void close_study(self) noexcept nogil
    @cython.locals(last=bint)
    cdef void offer_realise(self, int seat) noexcept nogil
    cdef void pay_project(self, int seat, int card) noexcept nogil
    cdef void choose_project(self, int seat, int action) noexcept nogil
    cdef void realise(self, int seat) noexcept nogil
    cdef void close_realise(self) noexcept nogil
    # F-7 the last trimester
    cdef void begin_finals(self) noexcept nogil
    cdef void next_final(self) noexcept nogil
    cdef void offer_final(self, int seat) noexcept nogil
    cdef void take_final(self, int seat, int final) noexcept nogil
    cdef void choose_final(self, int seat, int final) noexcept nogil
    cdef int n_steps(self) noexcept nogil
    cdef int completed(self, int seat) noexcept nogil
    cdef void pay_step(self, int seat) noexcept nogil
    cdef void complete_step(self, int seat) noexcept nogil
    cdef void begin_bonus(self) noexcept nogil
    cdef int leads(self, int seat) noexcept nogil
    cdef void offer_bonus(self, int seat) noexcept nogil
    cdef void take_bonus(self, int seat, int element) noexcept nogil
    cdef void close_bonus(self) noexcept nogil
    # F-8 the score
    cdef void end_year(self) noexcept nogil
    cdef int score(self, int seat) noexcept nogil
    cdef int realised(self, int seat) noexcept nogil
    cdef int n_studied(self, int seat) noexcept nogil
    cdef int element_points(self, int seat) noexcept nogil
    # questions and answers
    cdef inline void offer(self, int action) noexcept nogil
    cdef void ask(self, int seat) noexcept nogil
    cdef void ask_all(self, int seat) noexcept nogil
    @cython.locals(open_order=bint)
    cdef void answer(self, int seat, int action) noexcept nogil
    cdef void dispatch(self, int seat, int action) noexcept nogil
    # random play, imagined worlds
    cdef void play_seat(self, int seat) noexcept nogil
    cdef void play_out(self) noexcept nogil
    @cython.locals(busy=bint)
    cdef void deal_again(self, int viewer) noexcept nogil
    cdef void draw_again(self, int seat) noexcept nogil
    cdef void sixth_again(self, int seat) noexcept nogil
    cdef int holder(self, int pack, int number) noexcept nogil
    @cython.locals(held=bint)
    cdef void draft_again(self, int viewer) noexcept nogil
    cdef int pick_slot(self, int pack, int number) noexcept nogil
    cdef int hand_slots(self, int seat, int n) noexcept nogil
    cdef void mix(self, int n, int total) noexcept nogil
    # the boundary
    cdef void become(self, State other) noexcept nogil
    @cython.locals(g=State)
    cpdef State clone(self)
    cdef int in_use(self, int seat, int field)
    @cython.locals(i=int, start=int, numbers=list)
    cdef value(self, int seat, int field)
    @cython.locals(field=int)
    cdef dict part(self, int seat, int first, int count)


# The record as bytes. A field that is declared after `n_options` would be left out of copies: tests compare the
# declarations with `seat_fields`, and `record_sizes` with what the compiler made of them.

cdef inline void copy_record(State to, State of) noexcept nogil:
    memcpy(&to.words[0], &of.words[0], <size_t>(<char *> &of.n_options - <char *> &of.words[0]))


cdef inline void copy_areas(State state) noexcept nogil:
    memcpy(&state.was_elements[0], &state.elements[0], AREA_BYTES)


# Unrolled, for then the sizes are constants and a field of one number is one store: measured, a decision of random play
# takes 72 ns so and 80 ns as a loop. Emptied byte by byte, so two bytes must be emptied with 0: a test looks at that.
cdef extern from *:
    """
    #define FIELD(name) fabletop_games_fairy_school_FIELD_##name
    static inline void fairy_school_restore_area(char *record, int fields, int bytes, int seat) {
        #pragma GCC unroll 64
        for (int i = 0; i < fields; i++) {
            int size = FIELD(SIZE)[i] * FIELD(WIDTH)[i];
            memcpy(record + FIELD(AT)[i] + seat * size, record + bytes + FIELD(AT)[i] + seat * size, size);
        }
    }
    static inline void fairy_school_empty_fields(char *record, int first, int end, int seat) {
        #pragma GCC unroll 64
        for (int i = first; i < end; i++) {
            int size = FIELD(SIZE)[i] * FIELD(WIDTH)[i];
            memset(record + FIELD(AT)[i] + seat * size, FIELD(EMPTY)[i], size);
        }
    }
    """
    void c_restore_area "fairy_school_restore_area"(char *record, int fields, int bytes, int seat) noexcept nogil
    void c_empty_fields "fairy_school_empty_fields"(char *record, int first, int end, int seat) noexcept nogil


cdef inline void restore_area(State state, int seat) noexcept nogil:
    c_restore_area(<char *> &state.elements[0], AREA_FIELDS, AREA_BYTES, seat)


cdef inline void empty_fields(State state, int first, int end, int seat) noexcept nogil:
    c_empty_fields(<char *> &state.elements[0], first, end, seat)


cdef inline int read_field(State state, int field, int i) noexcept nogil:
    cdef char *at = <char *> &state.elements[0] + FIELD_AT[field] + i * FIELD_WIDTH[field]
    return (<unsigned char *> at)[0] if FIELD_WIDTH[field] == 1 else (<unsigned short *> at)[0]


cdef inline void write_field(State state, int field, int i, int value) noexcept nogil:
    cdef char *at = <char *> &state.elements[0] + FIELD_AT[field] + i * FIELD_WIDTH[field]
    if FIELD_WIDTH[field] == 1:
        (<unsigned char *> at)[0] = <unsigned char> value
    else:
        (<unsigned short *> at)[0] = <unsigned short> value


cdef inline tuple sizes_of(State state):
    return (
        <char *> &state.was_elements[0] - <char *> &state.elements[0],
        <char *> &state.given[0] + sizeof(state.given) - <char *> &state.elements[0],
        <char *> &state.n_options - <char *> &state.given[0] - <long> sizeof(state.given),
    )
