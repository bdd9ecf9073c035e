/* A disk that can be watched and made to fail, for one folder. Loaded before the C library of a test's program.

   Every call that changes something in the folder goes to the log in its order, and may be failed. Not for threads. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_FILES 4096 /* file descriptors */

enum { CREATE = 'c', WRITE = 'w', CUT = 't', SYNC = 's', SYNC_FOLDER = 'd', UNLINK = 'u', RENAME = 'r', MAKE = 'm',
       MARK = '#', LOST = 'x', FAILED = 'f' };

static char folder[PATH_MAX];
static size_t folder_length;
static int log_fd = -1;
static uint64_t inodes[MAX_FILES]; /* of the files in the folder that are open; 0: no business of ours */
static char is_folder[MAX_FILES];
static long countdown = -1; /* calls until one fails; -1: none does */
static int failure, lasting, failed, paused;
static long calls;
static long read_countdown = -1; /* reads until one fails; -1: none does */
static int read_failure, read_lasting;
static long reads;
static long room = -1; /* bytes that still fit on the disk; -1: any number */

static long raw_write(const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        long done = syscall(SYS_write, log_fd, at, size);
        if (done <= 0)
            abort();
        at += done;
        size -= done;
    }
    return 0;
}

/* kind, inode, offset, size, then that many bytes */
static void record(char kind, uint64_t inode, uint64_t offset, const void *data, uint64_t size)
{
    struct { uint64_t kind, inode, offset, size; } head = {kind, inode, offset, size};
    if (log_fd < 0)
        return;
    raw_write(&head, sizeof head);
    raw_write(data, size);
}

static int ours(const char *path)
{
    return folder_length > 0 && strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

static int notes_of_sqlite(const char *path) /* its shared memory is made anew after a power cut */
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

/* Whether the call that is about to be made is one to fail; then errno says how. */
static int fails(void)
{
    if (paused)
        return 0;
    calls++;
    if (countdown < 0 || countdown-- > 0)
        return 0;
    if (failure == 0)
        _exit(0);
    countdown = lasting ? 0 : -1;
    failed++;
    record(FAILED, 0, 0, "", 0);
    errno = failure;
    return 1;
}

/* The same of a read. */
static int read_fails(void)
{
    if (paused)
        return 0;
    reads++;
    if (read_countdown < 0 || read_countdown-- > 0)
        return 0;
    if (read_failure == 0)
        _exit(0);
    read_countdown = read_lasting ? 0 : -1;
    errno = read_failure;
    return 1;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

/* Whether the folder may be read only, by now. */
static int read_only(void)
{
    if (paused || failure != EROFS || !lasting || countdown != 0)
        return 0;
    failed++;
    errno = EROFS;
    return 1;
}

static int opened(const char *path, int flags, int existed, int fd)
{
    struct stat found;
    if (fd < 0 || fd >= MAX_FILES || fstat(fd, &found) != 0)
        return fd;
    inodes[fd] = notes_of_sqlite(path) ? 0 : found.st_ino;
    is_folder[fd] = S_ISDIR(found.st_mode);
    if (!existed && inodes[fd])
        record(CREATE, inodes[fd], 0, path, strlen(path));
    if (existed && (flags & O_TRUNC) && inodes[fd])
        record(CUT, inodes[fd], 0, "", 0);
    return fd;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        mode_t mode = 0; \
        REAL(name); \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list rest; \
            va_start(rest, flags); \
            mode = va_arg(rest, mode_t); \
            va_end(rest); \
        } \
        if (!ours(path)) \
            return real(path, flags, mode); \
        int existed = access(path, F_OK) == 0; \
        int creates = !existed && (flags & O_CREAT); \
        int writes = existed && (flags & O_ACCMODE) != O_RDONLY; \
        if ((creates && fails()) || (writes && read_only())) \
            return -1; \
        return opened(path, flags, existed, real(path, flags, mode)); \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    REAL(close);
    if (fd >= 0 && fd < MAX_FILES)
        inodes[fd] = 0;
    return real(fd);
}

static uint64_t known(int fd)
{
    return fd >= 0 && fd < MAX_FILES ? inodes[fd] : 0;
}

/* How much of a write fits: what lies beyond the end of the file needs room. */
static size_t fitting(int fd, size_t size, off_t offset)
{
    struct stat found;
    if (paused || room < 0 || fstat(fd, &found) != 0 || offset + (off_t)size <= found.st_size)
        return size;
    long more = offset + (long)size - (found.st_size > offset ? found.st_size : offset);
    if (more <= room) {
        room -= more;
        return size;
    }
    size_t fits = size - (more - room);
    room = 0;
    if (fits == 0) {
        failed++;
        errno = ENOSPC;
    }
    return fits;
}

#define PWRITE(name, type) \
    ssize_t name(int fd, const void *data, size_t size, type offset) \
    { \
        REAL(name); \
        if (known(fd) == 0) \
            return real(fd, data, size, offset); \
        if (fails() || (size > 0 && (size = fitting(fd, size, offset)) == 0)) \
            return -1; \
        ssize_t done = real(fd, data, size, offset); \
        if (done > 0) \
            record(WRITE, inodes[fd], offset, data, done); \
        return done; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size)
{
    REAL(write);
    if (known(fd) == 0)
        return real(fd, data, size);
    off_t offset = lseek(fd, 0, SEEK_CUR);
    if (fails() || (size > 0 && (size = fitting(fd, size, offset)) == 0))
        return -1;
    ssize_t done = real(fd, data, size);
    if (done > 0)
        record(WRITE, inodes[fd], offset, data, done);
    return done;
}

#define PREAD(name, type) \
    ssize_t name(int fd, void *data, size_t size, type offset) \
    { \
        REAL(name); \
        return known(fd) && read_fails() ? -1 : real(fd, data, size, offset); \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t read(int fd, void *data, size_t size)
{
    REAL(read);
    return known(fd) && read_fails() ? -1 : real(fd, data, size);
}

#define TRUNCATE(name, type) \
    int name(int fd, type size) \
    { \
        REAL(name); \
        if (known(fd) == 0) \
            return real(fd, size); \
        if (fails()) \
            return -1; \
        int done = real(fd, size); \
        if (done == 0) \
            record(CUT, inodes[fd], size, "", 0); \
        return done; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

/* What a sync that fails should have written counts as written for the system, and is lost with the power. */
#define FSYNC(name) \
    int name(int fd) \
    { \
        REAL(name); \
        if (known(fd) == 0) \
            return real(fd); \
        if (fails()) { \
            if (!is_folder[fd]) \
                record(LOST, inodes[fd], 0, "", 0); \
            return -1; \
        } \
        record(is_folder[fd] ? SYNC_FOLDER : SYNC, inodes[fd], 0, "", 0); \
        return 0; /* no disk here has to be waited for */ \
    }
FSYNC(fsync)
FSYNC(fdatasync)

int unlink(const char *path)
{
    REAL(unlink);
    if (!ours(path) || notes_of_sqlite(path) || access(path, F_OK) != 0)
        return real(path);
    if (fails())
        return -1;
    int done = real(path);
    if (done == 0)
        record(UNLINK, 0, 0, path, strlen(path));
    return done;
}

int rename(const char *from, const char *to)
{
    char both[2 * PATH_MAX];
    REAL(rename);
    if (!ours(from) || !ours(to))
        return real(from, to);
    if (fails())
        return -1;
    int done = real(from, to);
    if (done == 0 && !notes_of_sqlite(from)) {
        size_t first = strlen(from) + 1, second = strlen(to);
        memcpy(both, from, first);
        memcpy(both + first, to, second);
        record(RENAME, 0, 0, both, first + second);
    }
    return done;
}

int mkdir(const char *path, mode_t mode)
{
    struct stat found;
    REAL(mkdir);
    if (!ours(path))
        return real(path, mode);
    if (access(path, F_OK) != 0 && fails())
        return -1;
    int done = real(path, mode);
    if (done == 0 && stat(path, &found) == 0)
        record(MAKE, found.st_ino, 0, path, strlen(path));
    return done;
}

/* --- for the program under test, by ctypes --- */

/* Watch this folder; the log goes to a descriptor, -1: none is kept. */
void disk_watch(const char *path, int log)
{
    strncpy(folder, path, sizeof folder - 1);
    folder_length = strlen(folder);
    log_fd = log;
}

/* Put a mark in the log. */
void disk_mark(const char *text)
{
    record(MARK, 0, 0, text, strlen(text));
}

/* Let the n-th call from now on fail (0: the next), alone or with all that follow; -1: none. Error 0: the program ends
   there. */
void disk_fail(long nth, int error, int with_all_that_follow)
{
    countdown = nth;
    failure = error;
    lasting = with_all_that_follow;
    failed = 0;
}

/* The same of reads. */
void disk_fail_read(long nth, int error, int with_all_that_follow)
{
    read_countdown = nth;
    read_failure = error;
    read_lasting = with_all_that_follow;
}

/* Let nothing fail for a while, as if nobody looked. */
void disk_pause(int for_now)
{
    paused = for_now;
}

/* Let the disk have room for so many bytes more; -1: for any number. */
void disk_room(long bytes)
{
    room = bytes;
}

/* Calls so far that could have failed, and those that did since `disk_fail`. */
long disk_calls(void) { return calls; }
long disk_reads(void) { return reads; }
int disk_failed(void) { return failed; }
