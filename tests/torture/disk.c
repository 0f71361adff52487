/* A disk that remembers and fails: preloaded into a server that keeps its tables in SQLite.

   Every call that changes the database, its write-ahead log or its folder is appended to a journal, together with marks
   where a sync begins and where it has succeeded or failed. From the journal the disk can be reconstructed as a power
   cut at any moment would have left it. Through a control file, shared with the test, calls can be made to fail.

   FABLETOP_DISK_FILE: the database; FABLETOP_DISK_JOURNAL: the journal; FABLETOP_DISK_CONTROL: the control file. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DATABASE, WAL, SHM, ROLLBACK, FOLDER, NONE = 127 };
enum { ON_WRITE = 1, ON_SYNC = 2, ON_TRUNCATE = 4, ON_CREATE = 8, ON_UNLINK = 16, ON_FOLDER = 32 };
#define MOST_FDS 4096

struct record {
    char kind; /* C create, W write, T truncate, S sync begins, D sync done, F sync failed, U unlink, E injected */
    char file;
    uint16_t error;
    uint32_t length;
    uint64_t offset; /* of a write; the size for a truncation; the number of a sync */
};

struct control {
    uint32_t armed;  /* fail the call with this number, counted from 1; 0: none */
    uint32_t sticky; /* and all calls after it */
    uint32_t error;  /* with this errno; 0: a short write */
    uint32_t which;  /* the calls that are counted: a sum of ON_... */
    uint32_t count;  /* calls counted */
    uint32_t failed; /* calls that were made to fail */
    uint32_t slow;   /* microseconds that a sync takes longer */
};

static char database[4096], folder[4096];
static int journal = -1;
static struct control *control;
static uint64_t syncs;
static struct { char file; ino_t inode; } files[MOST_FDS];

static int (*real_open)(const char *, int, ...);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void start(void) {
    real_open = dlsym(RTLD_NEXT, "open64");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    for (int fd = 0; fd < MOST_FDS; fd++) files[fd].file = NONE;
    const char *file = getenv("FABLETOP_DISK_FILE"), *log = getenv("FABLETOP_DISK_JOURNAL");
    const char *shared = getenv("FABLETOP_DISK_CONTROL");
    if (!file || !log || !shared) return;
    strncpy(database, file, sizeof database - 1);
    strncpy(folder, file, sizeof folder - 1);
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
    journal = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int fd = real_open(shared, O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        void *found = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (found != MAP_FAILED) control = found;
        close(fd);
    }
    if (journal < 0 || !control) abort(); /* a test that watches nothing must not pass */
}

static char file_of(const char *path) {
    size_t length = strlen(database);
    if (!length || !path) return NONE;
    if (!strcmp(path, folder)) return FOLDER;
    if (strncmp(path, database, length)) return NONE;
    path += length;
    if (!*path) return DATABASE;
    if (!strcmp(path, "-wal")) return WAL;
    if (!strcmp(path, "-shm")) return SHM;
    if (!strcmp(path, "-journal")) return ROLLBACK;
    return NONE;
}

/* What a descriptor is open on; one that was closed unseen and stands for something else is forgotten. */
static char opened(int fd) {
    if (fd < 0 || fd >= MOST_FDS || files[fd].file == NONE) return NONE;
    struct stat now;
    if (fstat(fd, &now) || now.st_ino != files[fd].inode) files[fd].file = NONE;
    return files[fd].file;
}

static void note(char kind, char file, int error, uint64_t offset, const void *data, uint32_t length) {
    int before = errno;
    struct record record = {kind, file, (uint16_t)error, length, offset};
    struct iovec parts[2] = {{&record, sizeof record}, {(void *)data, data ? length : 0}};
    if (!data) record.length = 0;
    if (writev(journal, parts, 2) < 0) abort();
    errno = before;
}

/* Should this call fail? -1: no; otherwise the errno, or 0 for a short write. */
static int fails(uint32_t which, char file) {
    if (!(__atomic_load_n(&control->which, __ATOMIC_SEQ_CST) & which)) return -1;
    uint32_t armed = __atomic_load_n(&control->armed, __ATOMIC_SEQ_CST);
    uint32_t now = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
    if (!armed || now < armed || (now > armed && !control->sticky)) return -1;
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
    note('E', file, (int)control->error, which, NULL, 0);
    return (int)control->error;
}

static int watched_open(const char *path, int flags, mode_t mode) {
    char file = file_of(path);
    int creates = file != NONE && (flags & O_CREAT) && access(path, F_OK) != 0;
    if (creates) {
        int error = fails(ON_CREATE, file);
        if (error >= 0) { errno = error ? error : EIO; return -1; }
    }
    int fd = real_open(path, flags, mode);
    if (fd >= 0 && fd < MOST_FDS) {
        files[fd].file = NONE;
        struct stat now;
        if (file != NONE && !fstat(fd, &now)) {
            files[fd].inode = now.st_ino;
            files[fd].file = file;
            if (creates) note('C', file, 0, 0, NULL, 0);
            else if (flags & O_TRUNC) note('T', file, 0, 0, NULL, 0);
        }
    }
    return fd;
}

#define OPEN(name)                                             \
    int name(const char *path, int flags, ...) {               \
        mode_t mode = 0;                                       \
        if (flags & (O_CREAT | O_TMPFILE)) {                   \
            va_list more;                                      \
            va_start(more, flags);                             \
            mode = va_arg(more, mode_t);                       \
            va_end(more);                                      \
        }                                                      \
        return watched_open(path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)

/* A whole write, a short one, or none; -2: not ours. */
static ssize_t watched_write(int fd, const void *data, size_t size, off_t offset) {
    char file = opened(fd);
    if (file == NONE || file == FOLDER) return -2;
    int error = fails(ON_WRITE, file);
    if (error > 0) { errno = error; return -1; }
    if (error == 0) size = size > 1 ? size / 2 : size;
    ssize_t written = real_pwrite(fd, data, size, offset);
    if (written > 0) note('W', file, 0, (uint64_t)offset, data, (uint32_t)written);
    return written;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset) {
    ssize_t written = watched_write(fd, data, size, offset);
    return written == -2 ? real_pwrite(fd, data, size, offset) : written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

ssize_t write(int fd, const void *data, size_t size) {
    if (opened(fd) == NONE) return real_write(fd, data, size);
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t written = watched_write(fd, data, size, offset);
    if (written == -2) return real_write(fd, data, size);
    if (written > 0) lseek(fd, written, SEEK_CUR);
    return written;
}

int ftruncate64(int fd, off_t size) {
    char file = opened(fd);
    if (file == NONE) return real_ftruncate(fd, size);
    int error = fails(ON_TRUNCATE, file);
    if (error >= 0) { errno = error ? error : EIO; return -1; }
    int done = real_ftruncate(fd, size);
    if (!done) note('T', file, 0, (uint64_t)size, NULL, 0);
    return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int watched_sync(int fd, int (*real)(int)) {
    char file = opened(fd);
    if (file == NONE) return real(fd);
    uint64_t number = ((uint64_t)getpid() << 32) | __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST);
    note('S', file, 0, number, NULL, 0);
    if (control->slow) usleep(control->slow);
    int error = fails(file == FOLDER ? ON_FOLDER : ON_SYNC, file);
    if (error >= 0) {
        note('F', file, error, number, NULL, 0);
        errno = error ? error : EIO;
        return -1;
    }
    int done = real(fd);
    note(done ? 'F' : 'D', file, done ? errno : 0, number, NULL, 0);
    return done;
}

int fsync(int fd) { return watched_sync(fd, real_fsync); }

int fdatasync(int fd) { return watched_sync(fd, real_fdatasync); }

int unlink(const char *path) {
    char file = file_of(path);
    if (file == NONE || file == FOLDER) return real_unlink(path);
    int error = fails(ON_UNLINK, file);
    if (error >= 0) { errno = error ? error : EIO; return -1; }
    int done = real_unlink(path);
    if (!done) note('U', file, 0, 0, NULL, 0);
    return done;
}
