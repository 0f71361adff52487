# SplitMix64 in C, as `scramble` in chance.py: compiled engines and search share it. Written in C, for a literal of more
# than 31 bits would need the interpreter.
cdef extern from *:
    """
    static inline unsigned long long fabletop_scramble(unsigned long long z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    """
    unsigned long long scramble "fabletop_scramble"(unsigned long long z) noexcept nogil
