/* A file system that refuses all locks, as a share whose server has no lock manager: fcntl(2) and flock(2) say ENOLCK. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>

typedef int (*Call)(int, int, ...);

static int passed_on(const char *name, int file, int command, void *argument)
{
    if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) {
        errno = ENOLCK;
        return -1;
    }
    return ((Call)dlsym(RTLD_NEXT, name))(file, command, argument);
}

#define PASSED_ON(name)                             \
    int name(int file, int command, ...)            \
    {                                               \
        va_list rest;                               \
        va_start(rest, command);                    \
        void *argument = va_arg(rest, void *);      \
        va_end(rest);                               \
        return passed_on(#name, file, command, argument); \
    }

PASSED_ON(fcntl)
PASSED_ON(fcntl64)

int flock(int file, int operation)
{
    (void)file;
    (void)operation;
    errno = ENOLCK;
    return -1;
}
