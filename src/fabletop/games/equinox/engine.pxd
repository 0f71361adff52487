# C types of engine.py: one line per name. Whatever the core calls must be declared here, or it would not compile.
cimport cython
from libc.string cimport memcpy
from fabletop.core.splitmix cimport scramble
from fabletop.games.equinox.constants cimport *

@cython.final
@cython.auto_pickle(False)
cdef class State:
    # the record: from here to `mask` a copy takes everything
    cdef readonly int seats
    cdef readonly int full_hand
    cdef readonly int squeak_draws
    cdef readonly int ursus_halves
    cdef readonly int stage
    cdef readonly bint together
    cdef readonly int learned
    # whose turn, and what is asked
    cdef readonly int row
    cdef readonly int turn
    cdef readonly int actor
    cdef readonly int phase
    cdef readonly int home
    cdef readonly int power
    cdef readonly int committed
    cdef readonly int target
    cdef readonly int named
    cdef readonly int held
    cdef unsigned char looked[LOOKED]
    cdef readonly int n_options
    cdef unsigned short options[OPTIONS_MAX]
    # this turn
    cdef readonly int twinz
    cdef readonly int carmen
    cdef readonly int discards
    cdef readonly int resting
    cdef readonly int busy
    cdef readonly int idle
    cdef readonly int reason
    # the table
    cdef readonly int in_play
    cdef readonly int in_game
    cdef unsigned char columns[IN_GAME]
    cdef unsigned char gone[COLUMNS]
    cdef int filled
    cdef unsigned short taken[ROWS]
    cdef unsigned char stake[COLUMNS * SEATS_MAX]
    cdef unsigned char top[CELLS]
    cdef unsigned char under[CARDS]
    cdef unsigned char pebble[CELLS]
    cdef unsigned char champion[COLUMNS]
    cdef unsigned char controller[COLUMNS]
    cdef unsigned char fate[CARDS]
    cdef unsigned char deck[HAND_MAX]
    cdef readonly int n_deck
    # the seats
    cdef unsigned char hand[SEATS_MAX * HAND_MAX]
    cdef unsigned char n_hand[SEATS_MAX]
    cdef unsigned char n_aside[SEATS_MAX]
    cdef unsigned char n_unseen[SEATS_MAX]
    cdef unsigned char where[CARDS]
    cdef unsigned char pebbles[SEATS_MAX]
    cdef unsigned char secret[SEATS_MAX]
    cdef int secret_made
    # knowledge
    cdef int n_special
    cdef unsigned char special[HAND_MAX]
    cdef unsigned char special_at[CARDS]
    cdef unsigned short none_hand[SEATS_MAX]
    cdef unsigned short none_secret[SEATS_MAX]
    cdef unsigned char at_least[SEATS_MAX * COLUMNS]
    cdef int bounds
    # chance and events
    cdef unsigned long long word
    cdef bint listening
    cdef int n_said
    cdef int last_said
    # of these a copy takes what is in use
    cdef unsigned short mask[HAND_MAX * VIEWERS]
    cdef unsigned char said[SAID_MAX]
    # scratch: means nothing between two calls, and no copy takes it; a test knows these names
    cdef unsigned char room[PLACES]
    cdef unsigned char kinds[PLACES]
    cdef unsigned short in_order[OPTIONS_MAX]
    cdef unsigned char start[PLACES]
    cdef unsigned char group[GROUPS]

    # chance
    @cython.locals(z="unsigned long long")
    cdef inline int below(self, int n) noexcept nogil
    # events
    cdef void put(self, int value) noexcept nogil
    cdef void say(self, int kind) noexcept nogil
    cdef inline void say1(self, int kind, int a) noexcept nogil
    cdef inline void say2(self, int kind, int a, int b) noexcept nogil
    cdef inline void say3(self, int kind, int a, int b, int c) noexcept nogil
    cdef inline void say4(self, int kind, int a, int b, int c, int d) noexcept nogil
    cdef inline void put_hand(self, int seat, int start, int end) noexcept nogil
    cdef inline void others_learn(self, int seat) noexcept nogil
    # hands and piles
    cdef inline void gain(self, int seat, int card) noexcept nogil
    cdef inline void lose(self, int seat, int card) noexcept nogil
    cdef inline bint holds(self, int seat, int card) noexcept nogil
    cdef inline void exchange(self, int seat, int i, int j) noexcept nogil
    cdef inline void lay(self, int cell, int card) noexcept nogil
    cdef inline int lift(self, int cell) noexcept nogil
    cdef void draw(self, int seat, int count) noexcept nogil
    cdef inline void throw_away(self, int seat, int card) noexcept nogil
    cdef inline void seen(self, int seat, int card) noexcept nogil
    # knowledge
    cdef int slot(self, int card) noexcept nogil
    cdef void forget(self, int card) noexcept nogil
    cdef void know(self, int viewer, int card, int place) noexcept nogil
    cdef void all_know(self, int card, int place) noexcept nogil
    cdef void widen(self, int start, int end, int kinds, int one, int two) noexcept nogil
    cdef void carry(self, int start, int end) noexcept nogil
    cdef void narrow(self, int place, int kinds) noexcept nogil
    cdef void show_hand(self, int seat, int viewer) noexcept nogil
    cdef void one_dryad_less(self, int seat, int card, int viewer) noexcept nogil
    cdef void one_more(self, int seat, int kind) noexcept nogil
    cdef inline void one_less(self, int seat, int kind) noexcept nogil
    cdef void any_less(self, int seat) noexcept nogil
    # set-up
    cdef void clear(self) noexcept nogil
    cdef void set_columns(self, int creatures) noexcept nogil
    cdef void fill_deck(self) noexcept nogil
    cdef int random_creatures(self) noexcept nogil
    cdef void set_up(self, int creatures, int first) noexcept nogil
    cdef void begin_turn(self, int seat) noexcept nogil
    # phase 1
    @cython.locals(ask=bint)
    cdef void phase_1(self) noexcept nogil
    cdef inline int free_columns(self) noexcept nogil
    cdef void offer_predict(self) noexcept nogil
    cdef void predict(self, int action) noexcept nogil
    cdef void place(self, int seat, int cell) noexcept nogil
    cdef void predict_secretly(self, int card) noexcept nogil
    cdef void reveal(self, int seat, int how) noexcept nogil
    cdef inline void bet(self, int seat, int column, int value) noexcept nogil
    cdef inline void unbet(self, int seat, int column, int value) noexcept nogil
    cdef inline void control(self, int column) noexcept nogil
    cdef inline int total(self, int seat, int column) noexcept nogil
    # phase 2
    cdef void phase_2(self) noexcept nogil
    cdef void offer_play(self) noexcept nogil
    cdef void play(self, int action) noexcept nogil
    cdef void play_creature(self, int card) noexcept nogil
    cdef void offer_columns(self) noexcept nogil
    cdef void play_chameleon(self, int column) noexcept nogil
    cdef void play_tree(self, int action) noexcept nogil
    cdef void skip(self) noexcept nogil
    # powers
    cdef void offer_power(self, int creature) noexcept nogil
    cdef int offer_targets(self, int creature) noexcept nogil
    cdef void offer_seats(self, int cards) noexcept nogil
    cdef void offer_own_pebbles(self) noexcept nogil
    cdef void offer_any_row(self) noexcept nogil
    cdef void offer_eliminated(self) noexcept nogil
    cdef void offer_visible(self, int kinds, int columns, int rows) noexcept nogil
    cdef void offer_swaps(self) noexcept nogil
    cdef void offer_swap_with(self) noexcept nogil
    cdef void offer_removals(self) noexcept nogil
    cdef void offer_gifts(self) noexcept nogil
    cdef void offer_looked(self) noexcept nogil
    cdef void offer(self) noexcept nogil
    cdef void use(self, int action) noexcept nogil
    cdef void use_at_once(self) noexcept nogil
    cdef void use_squeak(self) noexcept nogil
    cdef void use_moss_man(self, int action) noexcept nogil
    cdef void use_stag(self, int seat) noexcept nogil
    cdef void use_rubble(self, int cell) noexcept nogil
    cdef void use_twinz(self) noexcept nogil
    cdef void ask_hoot(self, int creature) noexcept nogil
    cdef void answer_hoot(self, int action) noexcept nogil
    cdef void use_carmen(self) noexcept nogil
    cdef void use_fungy(self, int creature) noexcept nogil
    cdef void use_goatman(self, int seat) noexcept nogil
    cdef void keep_card(self, int action) noexcept nogil
    cdef void take_visible(self, int cell) noexcept nogil
    cdef void use_hopscotch(self, int cell) noexcept nogil
    cdef void use_feather_fox(self, int column) noexcept nogil
    cdef void use_ancestor(self, int creature) noexcept nogil
    # phases 3 to 5, the end
    @cython.locals(may=bint)
    cdef void phase_3(self) noexcept nogil
    cdef void offer_discard(self) noexcept nogil
    cdef void discard(self, int action) noexcept nogil
    cdef void get_back(self, int seat) noexcept nogil
    cdef void phase_4(self) noexcept nogil
    cdef inline int strength(self, int card) noexcept nogil
    @cython.locals(lowest=int)
    cdef int weakest(self) noexcept nogil
    cdef void phase_5(self) noexcept nogil
    cdef void deck_ran_out(self) noexcept nogil
    cdef void finish(self, int reason) noexcept nogil
    cdef int measure(self, int seat, int step) noexcept nogil
    cdef int winners(self) noexcept nogil
    cdef void answer(self, int action) noexcept nogil
    cdef inline void dispatch(self, int action) noexcept nogil
    cdef int play_out(self) noexcept nogil
    # imagining
    @cython.locals(held=bint)
    cdef bint owns(self, int viewer, int card) noexcept nogil
    cdef void collect(self, int viewer, int card) noexcept nogil
    cdef void collect_hidden(self, int viewer) noexcept nogil
    cdef void open_room(self, int viewer) noexcept nogil
    cdef void hide(self, int viewer, int card, int place) noexcept nogil
    cdef int pick(self, int i) noexcept nogil
    cdef bint hide_special(self, int viewer) noexcept nogil
    cdef int group_kinds(self, int group) noexcept nogil
    cdef int group_place(self, int group) noexcept nogil
    cdef bint hide_groups(self, int viewer, int lax) noexcept nogil
    cdef bint varies(self, int viewer, int place) noexcept nogil
    cdef bint hide_group(self, int viewer, int group, int lax, int varies) noexcept nogil
    @cython.locals(used=int)
    cdef int most_suitable(self, int group, int kinds) noexcept nogil
    cdef void hide_rest(self, int viewer) noexcept nogil
    cdef bint bounds_hold(self, int viewer) noexcept nogil
    cdef bint hide_all(self, int viewer, int total, int lax) noexcept nogil
    cdef void level_knowledge(self, int viewer) noexcept nogil
    cdef void deal_again(self, int viewer) noexcept nogil

    # the boundary
    @cython.locals(i=int)
    cdef void become(self, State other) noexcept nogil
    @cython.locals(g=State)
    cpdef State clone(self)
    cpdef list asked(self)
    cdef void sort_options(self) noexcept nogil
    @cython.locals(offered=list)
    cpdef list legal_actions(self)
    cpdef list legal(self, int seat)
    cpdef bint offers(self, int seat, long long action) noexcept
    cpdef apply(self, int seat, long long action)
    cpdef step(self, int index)
    cpdef list cards_of(self, int seat, int start, int end)


cdef inline void copy_record(State to, State of) noexcept nogil:
    memcpy(&to.seats, &of.seats, <size_t>(<char *> &of.mask[0] - <char *> &of.seats))
