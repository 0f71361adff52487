# Filling parts of an observation in C, as the functions of the same names in planes.py. Written in C for its vectors. Each
# returns the index after the part it has filled.
cdef extern from *:
    """
    #include <string.h>
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #endif
    typedef unsigned char fabletop_byte;
    /* For constant sizes the compiler would write "rep stos", which starts slowly; the library does it better. */
    static void *(*const volatile fabletop_memset)(void *, int, size_t) = memset;
    static inline Py_ssize_t fabletop_blank(fabletop_byte *out, Py_ssize_t at, int n) {
        if (n <= 80) memset(out + at, 0, n);
        else fabletop_memset(out + at, 0, n);
        return at + n;
    }
    static inline Py_ssize_t fabletop_one_hot(fabletop_byte *out, Py_ssize_t at, int n, int value) {
        int there = value < n; /* no branch: it could not be predicted */
        memset(out + at, 0, n);
        out[at + (there ? value : 0)] = there;
        return at + n;
    }
    /* Sixteen bytes at a time where the compiler has vectors, so that a value below is one or a few instructions; one at a
       time elsewhere. The last block overlaps the one before it. In a value, x is what the record has, and FABLETOP_IF is
       all bits where a condition holds, else none. */
    #if defined(__GNUC__)
    #define FABLETOP_WIDE 16
    #define FABLETOP_IF(condition) ((fabletop_block) (condition))
    #define FABLETOP_SHIFT(x, bits) ((fabletop_block) ((fabletop_eights) (x) >> (bits))) /* good for the lowest bit only */
    typedef fabletop_byte fabletop_block __attribute__((vector_size(16)));
    typedef unsigned int fabletop_fours __attribute__((vector_size(16)));
    typedef unsigned long long fabletop_eights __attribute__((vector_size(16)));
    static inline fabletop_block fabletop_get(const fabletop_byte *from, int n) {
        fabletop_block block = {0};
        if (n >= 16) memcpy(&block, from, 16);
        else if (n >= 8) {
            unsigned long long low, high;
            memcpy(&low, from, 8);
            memcpy(&high, from + n - 8, 8);
            block = (fabletop_block) (fabletop_eights) {low, high};
        }
        else if (n >= 4) {
            unsigned int low, high;
            memcpy(&low, from, 4);
            memcpy(&high, from + n - 4, 4);
            block = (fabletop_block) (fabletop_fours) {low, high, 0, 0};
        }
        else for (int i = 0; i < n; i++) block[i] = from[i];
        return block;
    }
    static inline void fabletop_put(fabletop_byte *to, int n, fabletop_block block) {
        if (n >= 16) memcpy(to, &block, 16);
        else if (n >= 8) {
            unsigned long long low = ((fabletop_eights) block)[0], high = ((fabletop_eights) block)[1];
            memcpy(to, &low, 8);
            memcpy(to + n - 8, &high, 8);
        }
        else if (n >= 4) {
            unsigned int low = ((fabletop_fours) block)[0], high = ((fabletop_fours) block)[1];
            memcpy(to, &low, 4);
            memcpy(to + n - 4, &high, 4);
        }
        else for (int i = 0; i < n; i++) to[i] = block[i];
    }
    static inline fabletop_block fabletop_least(fabletop_block x, fabletop_block y) {
    #if defined(__SSE2__)
        return (fabletop_block) _mm_min_epu8((__m128i) x, (__m128i) y);
    #else
        return y ^ ((x ^ y) & FABLETOP_IF(x < y));
    #endif
    }
    /* For numbers below 16 times the divisor. It comes off by powers of two; where it does not fit, the difference wraps
       round and is the larger. */
    static inline fabletop_block fabletop_remainder(fabletop_block x, int divisor) {
        for (int power = 8; power > 0; power /= 2) x = fabletop_least(x, x - (fabletop_byte) (power * divisor));
        return x;
    }
    #else
    #define FABLETOP_WIDE 1
    #define FABLETOP_IF(condition) ((fabletop_block) -(condition))
    #define FABLETOP_SHIFT(x, bits) ((x) >> (bits))
    typedef fabletop_byte fabletop_block;
    static inline fabletop_block fabletop_get(const fabletop_byte *from, int n) { return *from; }
    static inline void fabletop_put(fabletop_byte *to, int n, fabletop_block block) { *to = block; }
    static inline fabletop_block fabletop_remainder(fabletop_block x, int divisor) { return x % divisor; }
    #endif
    #define FABLETOP_BLOCK(first, value) { \\
        fabletop_block x = fabletop_get(of + start + (first), n); \\
        fabletop_put(out + at + (first), n, (fabletop_block) (value)); \\
    }
    #define FABLETOP_FILL(value) \\
        Py_ssize_t i = 0; \\
        for (; i + FABLETOP_WIDE <= n; i += FABLETOP_WIDE) FABLETOP_BLOCK(i, value) \\
        if (i < n) { \\
            i = n > FABLETOP_WIDE ? n - FABLETOP_WIDE : 0; \\
            FABLETOP_BLOCK(i, value) \\
        } \\
        return at + n
    #define FABLETOP_ONES 0x0101010101010101ULL
    /* The bits of a byte as eight bytes. */
    static inline unsigned long long fabletop_spread(unsigned long long byte) {
        return ((byte * FABLETOP_ONES & 0x8040201008040201ULL) + 0x7F * FABLETOP_ONES) >> 7 & FABLETOP_ONES;
    }
    static inline Py_ssize_t fabletop_bits(fabletop_byte *out, Py_ssize_t at, int n, int word) {
        if (n < 8 || n > 16) for (int i = 0; i < n; i++) out[at + i] = (word >> i) & 1;
        else {
            unsigned long long low = fabletop_spread(word & 255), high = fabletop_spread(word >> (n - 8) & 255);
            memcpy(out + at, &low, 8);
            memcpy(out + at + n - 8, &high, 8);
        }
        return at + n;
    }
    static inline Py_ssize_t fabletop_plain(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, int n) {
        memcpy(out + at, of + start, n);
        return at + n;
    }
    static inline Py_ssize_t fabletop_raised(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, int n) {
        FABLETOP_FILL(x + 1);
    }
    static inline Py_ssize_t fabletop_rest(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, int n, int divisor) {
        FABLETOP_FILL((fabletop_remainder(x, divisor) + 1) & FABLETOP_IF(x != 255));
    }
    static inline Py_ssize_t fabletop_equal(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, int n, int value,
                                            int mark) {
        fabletop_byte wanted = value, marked = mark;
        FABLETOP_FILL(FABLETOP_IF(x == wanted) & marked);
    }
    static inline Py_ssize_t fabletop_bit_of(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, int n, int bit) {
        FABLETOP_FILL(FABLETOP_SHIFT(x, bit) & 1);
    }
    static inline Py_ssize_t fabletop_turned(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, int n, int seat,
                                      int seats) {
        fabletop_byte low = seat, own = seat + 1, add = seats;
        FABLETOP_FILL((x - low + (FABLETOP_IF(x <= low) & add)) & FABLETOP_IF(x != 0) & FABLETOP_IF(x != own));
    }
    static inline Py_ssize_t fabletop_without(fabletop_byte *out, Py_ssize_t at, const fabletop_byte *of, Py_ssize_t start, Py_ssize_t marks, int n,
                                       int mark) {
        fabletop_byte wanted = mark;
        FABLETOP_FILL(x & FABLETOP_IF(fabletop_get(of + marks + i, n) != wanted));
    }
    """
    Py_ssize_t blank "fabletop_blank"(unsigned char *out, Py_ssize_t at, int n) noexcept nogil
    Py_ssize_t one_hot "fabletop_one_hot"(unsigned char *out, Py_ssize_t at, int n, int value) noexcept nogil
    Py_ssize_t bits "fabletop_bits"(unsigned char *out, Py_ssize_t at, int n, int word) noexcept nogil
    Py_ssize_t plain "fabletop_plain"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, int n) noexcept nogil
    Py_ssize_t raised "fabletop_raised"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, int n) noexcept nogil
    Py_ssize_t rest "fabletop_rest"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, int n, int divisor) noexcept nogil
    Py_ssize_t equal "fabletop_equal"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, int n, int value, int mark) noexcept nogil
    Py_ssize_t bit_of "fabletop_bit_of"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, int n, int bit) noexcept nogil
    Py_ssize_t turned "fabletop_turned"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, int n, int seat, int seats) noexcept nogil
    Py_ssize_t without "fabletop_without"(unsigned char *out, Py_ssize_t at, unsigned char *of, Py_ssize_t start, Py_ssize_t marks, int n, int mark) noexcept nogil


cdef inline unsigned char *start_of(unsigned char[::1] view) noexcept nogil:
    return &view[0]
