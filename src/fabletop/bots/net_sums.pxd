# The sums of net.py in C, as `_add` and `_settle` there. Written in C so that the pointers are `__restrict`: the compiler
# then turns the inner loops into vector instructions. Whole numbers, so any order of the sum gives the same.
cdef extern from *:
    """
    static inline void fabletop_add(const short *weights, int at, const int *x, int first, int n, int *y, int to,
                                    int width) {
        int *__restrict out = y + to;
        for (int k = 0; k < n; k++) {
            int value = x[first + k];
            if (value == 0) continue;
            const short *__restrict row = weights + at + (size_t) k * width;
            for (int h = 0; h < width; h++) out[h] += value * row[h];
        }
    }
    static inline void fabletop_settle(int *y, int to, int width) {
        int *__restrict out = y + to;
        for (int h = 0; h < width; h++) {
            int value = out[h] < 0 ? 0 : out[h] >> 12;
            out[h] = value < 16383 ? value : 16383;
        }
    }
    """
    void c_add "fabletop_add"(const short *weights, int at, const int *x, int first, int n, int *y, int to, int width) noexcept nogil
    void settle "fabletop_settle"(int *y, int to, int width) noexcept nogil


cdef inline void add(const short[::1] weights, int at, const int *x, int first, int n, int *y, int to, int width) noexcept nogil:
    c_add(&weights[0], at, x, first, n, y, to, width)
