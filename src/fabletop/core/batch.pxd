# C types of batch.py: one line per name.
cimport cython
from fabletop.core.splitmix cimport scramble

cdef unsigned long long MASK64
cdef unsigned long long GOLDEN
cdef unsigned long long DICE

cdef int NOBODY


cdef class Slot:
    cdef readonly int seat
    cdef readonly unsigned long long seed
    cdef readonly unsigned long long number
    cdef readonly unsigned long long word
    cdef unsigned long long dice
    cdef int count

    # what a game says
    cdef void begin(self, unsigned long long word) noexcept nogil
    cdef int asked(self) noexcept nogil
    cdef void observe(self, int seat, unsigned char *out) noexcept nogil
    cdef int offer(self, int seat, unsigned char *out) noexcept nogil
    cdef int option(self, int index) noexcept nogil
    cdef bint allows(self, long long action) noexcept nogil
    cdef void act(self, int seat, int action) noexcept nogil
    cdef void reckon(self, float *reward, float *score) noexcept nogil
    # what follows from it
    cdef void start(self, unsigned long long seed) noexcept nogil
    cdef void renew(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void show(self, unsigned char *seen, unsigned char *mask) noexcept nogil
    @cython.locals(z="unsigned long long")
    cdef int draw(self) noexcept nogil
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

cdef inline void run(Batch batch, int first, int end):
    with nogil:
        batch.play(first, end)

cdef inline int run_wrong(Batch batch, int first, int end):
    cdef int found
    with nogil:
        found = batch.wrong(first, end)
    return found

cdef inline void run_draw(Batch batch, int first, int end):
    with nogil:
        batch.draw(first, end)

cdef inline bint slot_play(void **at, int i, int action, unsigned char *seen, unsigned char *mask, float *reward, float *score, bint autoreset) noexcept nogil:
    return (<Slot> at[i]).play(action, seen, mask, reward, score, autoreset)

cdef inline void slot_start(void **at, int i, unsigned long long seed) noexcept nogil:
    (<Slot> at[i]).start(seed)

cdef inline void slot_renew(void **at, int i) noexcept nogil:
    (<Slot> at[i]).renew()

cdef inline void slot_show(void **at, int i, unsigned char *seen, unsigned char *mask) noexcept nogil:
    (<Slot> at[i]).show(seen, mask)

cdef inline bint slot_allows(void **at, int i, long long action) noexcept nogil:
    return (<Slot> at[i]).allows(action)

cdef inline int slot_draw(void **at, int i) noexcept nogil:
    return (<Slot> at[i]).draw()

cdef inline int slot_seat(void **at, int i) noexcept nogil:
    return (<Slot> at[i]).seat
