# C types of batch.py: one line per name.
cimport cython
from fabletop.core.splitmix cimport scramble

cdef extern from *:
    """
    #include <string.h>
    /* Is an action among the first n options? Eight at a time and no branch for each: where it stands is anybody's guess. */
    static inline int fabletop_among(const unsigned short *options, int n, long long action) {
        if (action < 0 || action > 0x7FFF) return 0;
    #if defined(__GNUC__)
        typedef short shorts __attribute__((vector_size(16)));
        typedef unsigned long long longs __attribute__((vector_size(16)));
        shorts found = {0}, place = {0, 1, 2, 3, 4, 5, 6, 7}, block;
        for (int i = 0; i < n; i += 8) {
            memcpy(&block, options + i, 16);
            found |= (block == (short) action) & (place < (short) (n - i));
        }
        return (((longs) found)[0] | ((longs) found)[1]) != 0;
    #else
        for (int i = 0; i < n; i++) if (options[i] == action) return 1;
        return 0;
    #endif
    }
    /* Whole numbers that two threads share. */
    #if defined(__GNUC__)
    #define fabletop_load(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
    #define fabletop_store(at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)
    #define fabletop_exchange(at, value) __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST)
    #else
    #include <windows.h>
    #define fabletop_load(at) ((int) InterlockedCompareExchange((volatile LONG *) (at), 0, 0))
    #define fabletop_store(at, value) ((void) InterlockedExchange((volatile LONG *) (at), value))
    #define fabletop_exchange(at, value) ((int) InterlockedExchange((volatile LONG *) (at), value))
    #endif
    #if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    #define fabletop_pause() __builtin_ia32_pause()
    #elif defined(__GNUC__) && defined(__aarch64__)
    #define fabletop_pause() __asm__ volatile("yield")
    #elif defined(_MSC_VER)
    #define fabletop_pause() YieldProcessor()
    #else
    #define fabletop_pause()
    #endif
    /* Wait until a number is not `value` any more; 0 if it still is after a few dozen microseconds. */
    static inline int fabletop_wait_until_not(int *at, int value) {
        for (int i = 0; i < 1000; i++) {
            if (fabletop_load(at) != value) return 1;
            fabletop_pause();
        }
        return 0;
    }
    """
    bint among "fabletop_among"(unsigned short *options, int n, long long action) noexcept nogil
    int load "fabletop_load"(int *at) noexcept nogil
    void store "fabletop_store"(int *at, int value) noexcept nogil
    int exchange "fabletop_exchange"(int *at, int value) noexcept nogil
    bint wait_until_not "fabletop_wait_until_not"(int *at, int value) noexcept nogil

cdef unsigned long long MASK64
cdef unsigned long long GOLDEN
cdef unsigned long long DICE

cdef int NOBODY
cdef int CHECK
cdef int PLAY
cdef int DRAW
cdef int STEP
cdef int STOP
cdef int END
cdef int SLEEP
cdef int WAKE


cdef class Slot:
    cdef readonly int seat
    cdef readonly unsigned long long seed
    cdef readonly unsigned long long number
    cdef readonly unsigned long long word
    cdef unsigned long long dice
    cdef int count
    cdef unsigned short *options

    # what a game says
    cdef int begin(self, unsigned long long word) noexcept nogil
    cdef int act(self, int seat, int action) noexcept nogil
    cdef int show(self, int seat, unsigned char *seen, unsigned char *mask) noexcept nogil
    cdef void reckon(self, float *reward, float *score) noexcept nogil
    # what follows from it
    @cython.final
    cdef void start(self, unsigned long long seed) noexcept nogil
    @cython.final
    cdef void renew(self) noexcept nogil
    @cython.final
    cdef void write(self, unsigned char *seen, unsigned char *mask) noexcept nogil
    @cython.final
    cdef bint allows(self, long long action) noexcept nogil
    @cython.final
    @cython.locals(z="unsigned long long")
    cdef int draw(self) noexcept nogil
    @cython.final
    @cython.locals(done=bint)
    cdef bint play(self, int action, unsigned char *seen, unsigned char *mask, float *reward, float *score, bint autoreset) noexcept nogil


@cython.final
cdef class Batch:
    cdef readonly list slots
    cdef readonly int n
    cdef readonly int size
    cdef readonly int actions
    cdef readonly int seats
    cdef readonly bint autoreset
    cdef object kept, kept_actions, kept_drawn, last, last_drawn, room, all
    cdef void **at
    cdef unsigned char *seen
    cdef unsigned char *mask
    cdef signed char *seat
    cdef float *reward
    cdef float *score
    cdef unsigned char *done
    cdef long long *given
    cdef long long *drawn
    cdef unsigned char *chosen
    cdef unsigned char *everywhere

    @cython.locals(i=int, k=int)
    cdef void play(self, int first, int end) noexcept nogil
    @cython.locals(k=int)
    cdef void write(self, int i) noexcept nogil
    @cython.locals(i=int)
    cdef int wrong(self, int first, int end) noexcept nogil
    @cython.locals(i=int)
    cdef void draw(self, int first, int end) noexcept nogil
    @cython.locals(wrong=int)
    cdef int work(self, int kind, int first, int end) noexcept nogil


@cython.final
cdef class Share:
    cdef Batch batch
    cdef int first
    cdef int end
    cdef int kind
    cdef int asked
    cdef int answered
    cdef int asleep
    cdef int caller_asleep
    cdef readonly int found


# Actions and `where` are only read, so the caller's arrays may be read-only.
cdef inline unsigned char *bytes_of(const unsigned char[::1] view) noexcept:
    return <unsigned char *> &view[0]

cdef inline signed char *chars_of(signed char[::1] view) noexcept:
    return &view[0]

cdef inline float *floats_of(float[::1] view) noexcept:
    return &view[0]

cdef inline long long *longs_of(const long long[::1] view) noexcept:
    return <long long *> &view[0]

cdef inline void **addresses(list slots, unsigned char *room):
    cdef void **at = <void **> room
    cdef int i
    for i in range(len(slots)):
        at[i] = <void *> slots[i]
    return at

cdef inline unsigned char *from_byte(unsigned char *view, size_t start) noexcept nogil:
    return view + start

cdef inline float *from_float(float *view, size_t start) noexcept nogil:
    return view + start

cdef inline int run_alone(Batch batch, int kind):
    cdef int found
    with nogil:
        found = batch.work(kind, 0, batch.n)
    return found

cdef inline int run_share(Share share, int kind):
    cdef int found
    with nogil:
        found = share.batch.work(kind, share.first, share.end)
    return found

# `asked` counts what the caller has asked for, `answered` what the worker has done. A thread says that it sleeps before
# it looks for the last time; whoever takes that back, the other thread or itself, decides whether it has to be woken.
cdef inline int serve_share(Share share):
    cdef int after = -1
    with nogil:
        while after < 0:
            if wait_until_not(&share.asked, share.answered):
                if share.kind == STOP:
                    after = END
                else:
                    share.found = share.batch.work(share.kind, share.first, share.end)
                store(&share.answered, share.answered + 1)
                if after < 0 and exchange(&share.caller_asleep, 0):
                    after = WAKE
            else:
                store(&share.asleep, 1)
                if load(&share.asked) == share.answered or not exchange(&share.asleep, 0):
                    after = SLEEP
    return after

cdef inline bint ask_share(Share share):
    store(&share.asked, share.asked + 1)
    return exchange(&share.asleep, 0)

cdef inline bint wait_for_share(Share share):
    cdef bint sleeps = False
    with nogil:
        if not wait_until_not(&share.answered, share.asked - 1):
            store(&share.caller_asleep, 1)
            sleeps = load(&share.answered) != share.asked or not exchange(&share.caller_asleep, 0)
    return sleeps

cdef inline bint slot_play(void **at, int i, int action, unsigned char *seen, unsigned char *mask, float *reward, float *score, bint autoreset) noexcept nogil:
    return (<Slot> at[i]).play(action, seen, mask, reward, score, autoreset)

cdef inline void slot_start(void **at, int i, unsigned long long seed) noexcept nogil:
    (<Slot> at[i]).start(seed)

cdef inline void slot_renew(void **at, int i) noexcept nogil:
    (<Slot> at[i]).renew()

cdef inline void slot_write(void **at, int i, unsigned char *seen, unsigned char *mask) noexcept nogil:
    (<Slot> at[i]).write(seen, mask)

cdef inline bint slot_allows(void **at, int i, long long action) noexcept nogil:
    return (<Slot> at[i]).allows(action)

cdef inline int slot_draw(void **at, int i) noexcept nogil:
    return (<Slot> at[i]).draw()

cdef inline int slot_seat(void **at, int i) noexcept nogil:
    return (<Slot> at[i]).seat
