# Filling parts of an observation in C, as the functions of the same names in planes.py. Written in C so that the pointers
# are `__restrict` and the indices do not wrap round: the compiler then turns each loop into a few vector instructions. Each
# returns the index after the part it has filled.
cdef extern from *:
    """
    #include <string.h>
    typedef unsigned char fabletop_byte;
    /* For constant sizes the compiler would write "rep stos", which starts slowly; the library does it better. */
    static void *(*const volatile fabletop_memset)(void *, int, size_t) = memset;
    static inline int fabletop_blank(fabletop_byte *out, int at, int n) {
        if (n <= 64) memset(out + at, 0, n);
        else fabletop_memset(out + at, 0, n);
        return at + n;
    }
    static inline int fabletop_one_hot(fabletop_byte *out, int at, int n, int value) {
        memset(out + at, 0, n);
        if (value < n) out[at + value] = 1;
        return at + n;
    }
    #define FABLETOP_FILL(value) \\
        fabletop_byte *__restrict to = out + at; \\
        const fabletop_byte *__restrict from = of + start; \\
        for (size_t i = 0; i < (size_t) n; i++) to[i] = (value); \\
        return at + n
    /* From 8 to 15 bytes are too few for a vector: two words of 8 bytes that overlap. */
    #define FABLETOP_ONES 0x0101010101010101ULL
    #define FABLETOP_WORDS(of_word) \\
        for (int half = 0; half < 2; half++) { \\
            int shift = half ? n - 8 : 0; \\
            unsigned long long word; \\
            memcpy(&word, of + start + shift, 8); \\
            word = (of_word) & FABLETOP_ONES; \\
            memcpy(out + at + shift, &word, 8); \\
        } \\
        return at + n
    static inline unsigned long long fabletop_zeros(unsigned long long word) {
        unsigned long long low = 0x7F * FABLETOP_ONES;
        return ~(((word & low) + low) | word) >> 7;
    }
    /* The bits of a byte as eight bytes. */
    static inline unsigned long long fabletop_spread(unsigned long long byte) {
        return ((byte * FABLETOP_ONES & 0x8040201008040201ULL) + 0x7F * FABLETOP_ONES) >> 7 & FABLETOP_ONES;
    }
    static inline int fabletop_bits(fabletop_byte *out, int at, int n, int word) {
        if (n < 8 || n > 16) for (int i = 0; i < n; i++) out[at + i] = (word >> i) & 1;
        else {
            unsigned long long low = fabletop_spread(word & 255), high = fabletop_spread(word >> (n - 8) & 255);
            memcpy(out + at, &low, 8);
            memcpy(out + at + n - 8, &high, 8);
        }
        return at + n;
    }
    static inline int fabletop_plain(fabletop_byte *out, int at, const fabletop_byte *of, int start, int n) {
        memcpy(out + at, of + start, n);
        return at + n;
    }
    static inline int fabletop_raised(fabletop_byte *out, int at, const fabletop_byte *of, int start, int n) {
        FABLETOP_FILL((fabletop_byte) (from[i] + 1));
    }
    static inline int fabletop_rest(fabletop_byte *out, int at, const fabletop_byte *of, int start, int n, int divisor) {
        unsigned short share = 65536 / divisor + 1;
        FABLETOP_FILL((fabletop_byte) (from[i] == 255 ? 0
                      : from[i] - divisor * (unsigned short) (((unsigned) from[i] * share) >> 16) + 1));
    }
    static inline int fabletop_equal(fabletop_byte *out, int at, const fabletop_byte *of, int start, int n, int value) {
        fabletop_byte wanted = value;
        if (n >= 8 && n < 16) {
            FABLETOP_WORDS(fabletop_zeros(word ^ wanted * FABLETOP_ONES));
        }
        FABLETOP_FILL(from[i] == wanted);
    }
    static inline int fabletop_bit_of(fabletop_byte *out, int at, const fabletop_byte *of, int start, int n, int bit) {
        if (n >= 8 && n < 16) {
            FABLETOP_WORDS(word >> bit);
        }
        FABLETOP_FILL((from[i] >> bit) & 1);
    }
    static inline int fabletop_turned(fabletop_byte *out, int at, const fabletop_byte *of, int start, int n, int seat,
                                      int seats) {
        fabletop_byte low = seat, own = seat + 1, add = seats;
        FABLETOP_FILL(from[i] == own ? 0
                      : (fabletop_byte) ((from[i] - low + (from[i] > low ? 0 : add)) & (from[i] ? 255 : 0)));
    }
    static inline int fabletop_without(fabletop_byte *out, int at, const fabletop_byte *of, int start, int marks, int n,
                                       int mark) {
        fabletop_byte wanted = mark;
        const fabletop_byte *__restrict marked = of + marks;
        FABLETOP_FILL((fabletop_byte) (from[i] & (marked[i] == wanted ? 0 : 255))); /* no branch, so it is vectorised */
    }
    """
    int blank "fabletop_blank"(unsigned char *out, int at, int n) noexcept nogil
    int one_hot "fabletop_one_hot"(unsigned char *out, int at, int n, int value) noexcept nogil
    int bits "fabletop_bits"(unsigned char *out, int at, int n, int word) noexcept nogil
    int plain "fabletop_plain"(unsigned char *out, int at, unsigned char *of, int start, int n) noexcept nogil
    int raised "fabletop_raised"(unsigned char *out, int at, unsigned char *of, int start, int n) noexcept nogil
    int rest "fabletop_rest"(unsigned char *out, int at, unsigned char *of, int start, int n, int divisor) noexcept nogil
    int equal "fabletop_equal"(unsigned char *out, int at, unsigned char *of, int start, int n, int value) noexcept nogil
    int bit_of "fabletop_bit_of"(unsigned char *out, int at, unsigned char *of, int start, int n, int bit) noexcept nogil
    int turned "fabletop_turned"(unsigned char *out, int at, unsigned char *of, int start, int n, int seat, int seats) noexcept nogil
    int without "fabletop_without"(unsigned char *out, int at, unsigned char *of, int start, int marks, int n, int mark) noexcept nogil


cdef inline unsigned char *start_of(unsigned char[::1] view) noexcept nogil:
    return &view[0]
