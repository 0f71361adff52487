/* A wall clock that jumps: preloaded into a server. The file that FABLETOP_CLOCK names holds a signed 64-bit number of
   seconds, which is added to what the wall clock says. Monotonic clocks stay as they are. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shift;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void start(void) {
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("FABLETOP_CLOCK");
    if (!path) return;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *found = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, fd, 0);
    if (found == MAP_FAILED) abort(); /* a test whose clock cannot jump must not pass */
    shift = found;
    close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!real_clock_gettime) real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    int done = real_clock_gettime(clock, now);
    if (!done && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *shift;
    return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec found;
    if (clock_gettime(CLOCK_REALTIME, &found)) return -1;
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec found;
    if (clock_gettime(CLOCK_REALTIME, &found)) return (time_t)-1;
    if (out) *out = found.tv_sec;
    return found.tv_sec;
}
