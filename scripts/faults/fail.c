/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Faults on purpose: in build/kneepoint-faults the linker puts these in place (--wrap) of the calls that get memory, files, processes and
 * threads from the system. KNEEPOINT_FAIL=CLASS:N makes the Nth call of a class fail, those of forked workers counted in, with the errno that
 * the real call would leave; every other call goes through.
 *
 * KNEEPOINT_FAIL_TOLD=FILE: the name and the return addresses of the call that failed are written there, so that a run in which the fault was
 * not reached leaves the file empty. KNEEPOINT_FAIL_LIST=FILE: a line for each call, with a hash of its return addresses, so that
 * scripts/faults/faults can choose one call of each path of the program.
 *
 * Standard error does not fail: what went wrong has to be said somewhere.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <hwloc.h>
#include <jansson.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { FAULT_MEMORY, FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_FILE, FAULT_MAP, FAULT_PROCESS, FAULTS };
static const char *const fault_names[FAULTS] = {"memory", "open", "read", "write", "file", "map", "process"};

enum { FRAMES = 12, HASHED_FRAMES = 8, TOLD_BYTES = 4096 };

/* of workers, too */
static struct shared {
    atomic_uint calls[FAULTS];
    char told[TOLD_BYTES];
} * shared;
static enum fault chosen = FAULTS;
static unsigned chosen_call;
static int told = -1, list = -1;
static uintptr_t program; /* where it is loaded */
extern char __executable_start;
static __thread bool inside; /* what these functions call themselves does not count */

/* Every function stands once here: its class, and the errno of its failure. */
#define WRAPPED(X)                                                                                                     \
    X(FAULT_MEMORY, ENOMEM, void *, malloc, (size_t size), (size), NULL)                                               \
    X(FAULT_MEMORY, ENOMEM, void *, calloc, (size_t count, size_t size), (count, size), NULL)                          \
    X(FAULT_MEMORY, ENOMEM, void *, realloc, (void *block, size_t size), (block, size), NULL)                          \
    X(FAULT_MEMORY, ENOMEM, void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)           \
    X(FAULT_MEMORY, ENOMEM, char *, strdup, (const char *text), (text), NULL)                                          \
    X(FAULT_MEMORY, ENOMEM, char *, strndup, (const char *text, size_t length), (text, length), NULL)                  \
    X(FAULT_MEMORY, ENOMEM, int, vasprintf, (char **text, const char *format, va_list arguments),                      \
      (text, format, arguments), -1)                                                                                   \
    X(FAULT_MEMORY, ENOMEM, FILE *, open_memstream, (char **text, size_t *size), (text, size), NULL)                   \
    X(FAULT_MEMORY, ENOMEM, ssize_t, __getdelim, (char **line, size_t *size, int end, FILE *file),                     \
      (line, size, end, file), -1)                                                                                     \
    X(FAULT_MEMORY, ENOMEM, char *, realpath, (const char *path, char *resolved), (path, resolved), NULL)              \
    X(FAULT_MEMORY, ENOMEM, hwloc_bitmap_t, hwloc_bitmap_alloc, (void), (), NULL)                                      \
    X(FAULT_MEMORY, ENOMEM, hwloc_bitmap_t, hwloc_bitmap_dup, (hwloc_const_bitmap_t bits), (bits), NULL)               \
    X(FAULT_MEMORY, ENOMEM, int, hwloc_topology_init, (hwloc_topology_t * topology), (topology), -1)                   \
    X(FAULT_MEMORY, ENOMEM, int, hwloc_topology_load, (hwloc_topology_t topology), (topology), -1)                     \
    X(FAULT_OPEN, EMFILE, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)                     \
    X(FAULT_OPEN, ENOMEM, FILE *, fdopen, (int file, const char *mode), (file, mode), NULL)                            \
    X(FAULT_OPEN, EMFILE, DIR *, opendir, (const char *path), (path), NULL)                                            \
    X(FAULT_OPEN, EMFILE, int, scandir,                                                                                \
      (const char *path, struct dirent ***entries, int (*chooses)(const struct dirent *),                              \
       int (*order)(const struct dirent **, const struct dirent **)),                                                  \
      (path, entries, chooses, order), -1)                                                                             \
    X(FAULT_OPEN, EMFILE, char *, mkdtemp, (char *path), (path), NULL)                                                 \
    X(FAULT_OPEN, EMFILE, int, dup, (int file), (file), -1)                                                            \
    X(FAULT_OPEN, EMFILE, int, memfd_create, (const char *name, unsigned flags), (name, flags), -1)                    \
    X(FAULT_READ, EIO, ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), -1)                 \
    X(FAULT_READ, EIO, ssize_t, pread, (int file, void *bytes, size_t count, off_t offset),                            \
      (file, bytes, count, offset), -1)                                                                                \
    X(FAULT_READ, EIO, int, fstat, (int file, struct stat *about), (file, about), -1)                                  \
    X(FAULT_READ, EACCES, int, stat, (const char *path, struct stat *about), (path, about), -1)                        \
    X(FAULT_WRITE, ENOSPC, ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), -1)      \
    X(FAULT_WRITE, ENOSPC, int, json_dumpf, (const json_t *value, FILE *file, size_t flags), (value, file, flags), -1) \
    X(FAULT_FILE, EIO, int, fsync, (int file), (file), -1)                                                             \
    X(FAULT_FILE, ENOSPC, int, rename, (const char *from, const char *to), (from, to), -1)                             \
    X(FAULT_FILE, ENOSPC, int, mkdir, (const char *path, mode_t mode), (path, mode), -1)                               \
    X(FAULT_FILE, ENOSPC, int, ftruncate, (int file, off_t length), (file, length), -1)                                \
    X(FAULT_MAP, ENOMEM, void *, mmap, (void *place, size_t size, int protection, int flags, int file, off_t offset),  \
      (place, size, protection, flags, file, offset), MAP_FAILED)                                                      \
    X(FAULT_MAP, ENOMEM, int, mprotect, (void *place, size_t size, int protection), (place, size, protection), -1)     \
    X(FAULT_PROCESS, EAGAIN, pid_t, fork, (void), (), -1)                                                              \
    X(FAULT_PROCESS, EMFILE, int, pipe2, (int ends[2], int flags), (ends, flags), -1)                                  \
    X(FAULT_PROCESS, EMFILE, int, dup2, (int file, int as), (file, as), -1)                                            \
    X(FAULT_PROCESS, ENOENT, int, execvp, (const char *file, char *const *arguments), (file, arguments), -1)

/* Those of a stream also set its error flag, as a write that failed does. */
#define WRAPPED_STREAMS(X)                                                                                             \
    X(FAULT_READ, EIO, size_t, fread, (void *bytes, size_t size, size_t count, FILE *file),                            \
      (bytes, size, count, file), 0)                                                                                   \
    X(FAULT_READ, EIO, char *, fgets, (char *line, int size, FILE *file), (line, size, file), NULL)                    \
    X(FAULT_WRITE, ENOSPC, size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file),                 \
      (bytes, size, count, file), 0)                                                                                   \
    X(FAULT_WRITE, ENOSPC, int, vfprintf, (FILE * file, const char *format, va_list arguments),                        \
      (file, format, arguments), -1)                                                                                   \
    X(FAULT_WRITE, ENOSPC, int, fputs, (const char *text, FILE *file), (text, file), EOF)                              \
    X(FAULT_WRITE, ENOSPC, int, fputc, (int letter, FILE *file), (letter, file), EOF)                                  \
    X(FAULT_WRITE, ENOSPC, int, putc, (int letter, FILE *file), (letter, file), EOF)                                   \
    X(FAULT_WRITE, ENOSPC, int, fflush, (FILE * file), (file), EOF)

#define DECLARE(fault, error, type, name, parameters, arguments, failed)                                               \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;
WRAPPED(DECLARE)
WRAPPED_STREAMS(DECLARE)

static unsigned long tell_path(enum fault fault, unsigned call, const char *name, char *line, size_t size)
{
    void *frames[FRAMES];
    const int depth = backtrace(frames, FRAMES);
    unsigned long hash = 5381;
    int length = snprintf(line, size, "%s:%u %s", fault_names[fault], call, name);
    for (int i = 3; i < depth; i++) {
        const uintptr_t at = (uintptr_t)frames[i] - program;
        if (i < 3 + HASHED_FRAMES)
            hash = hash * 33 + at;
        length += snprintf(line + length, size - (size_t)length, " %#lx", (unsigned long)at);
    }
    snprintf(line + length, size - (size_t)length, "\n");
    return hash;
}

/** Whether this call is the one that fails. */
__attribute__((noinline)) static bool is_failing(enum fault fault, const char *name)
{
    if (inside || !shared)
        return false;
    const unsigned call = atomic_fetch_add(&shared->calls[fault], 1) + 1;
    const bool fails = fault == chosen && call == chosen_call;
    if (!fails && list < 0)
        return false;
    inside = true;
    char line[TOLD_BYTES], hashed[128];
    const unsigned long hash = tell_path(fault, call, name, line, sizeof line);
    ssize_t done = 0;
    if (list >= 0) {
        const int length = snprintf(hashed, sizeof hashed, "%s:%u %s %lx\n", fault_names[fault], call, name, hash);
        done = __real_write(list, hashed, (size_t)length);
    }
    if (fails && told >= 0)
        done = __real_write(told, line, strlen(line));
    (void)done;
    inside = false;
    return fails;
}

#define DEFINE(fault, error, type, name, parameters, arguments, failed)                                                \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        if (!is_failing(fault, #name))                                                                                 \
            return __real_##name arguments;                                                                            \
        errno = error;                                                                                                 \
        return failed;                                                                                                 \
    }
WRAPPED(DEFINE)

/* Nor do streams into a buffer of the caller, which hold what fits. */
static FILE *buffers[8];

FILE *__real_fmemopen(void *buffer, size_t size, const char *mode);
FILE *__wrap_fmemopen(void *buffer, size_t size, const char *mode);
FILE *__wrap_fmemopen(void *buffer, size_t size, const char *mode)
{
    FILE *stream = is_failing(FAULT_MEMORY, "fmemopen") ? NULL : __real_fmemopen(buffer, size, mode);
    for (size_t i = 0; stream && i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i])
            continue;
        buffers[i] = stream;
        break;
    }
    if (!stream)
        errno = ENOMEM;
    return stream;
}

static bool is_safe(FILE *file)
{
    for (size_t i = 0; file && i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i] == file)
            return true;
    }
    return file == stderr;
}

static void forget(const FILE *file)
{
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i] == file)
            buffers[i] = NULL;
    }
}

/* glibc's own mark: there is no call that sets it */
static void mark_error(FILE *file)
{
    enum { ERROR_SEEN = 0x20 };
    file->_flags |= ERROR_SEEN;
}

#define DEFINE_STREAM(fault, error, type, name, parameters, arguments, failed)                                         \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        if (is_safe(file) || !is_failing(fault, #name))                                                                \
            return __real_##name arguments;                                                                            \
        if (file)                                                                                                      \
            mark_error(file);                                                                                          \
        errno = error;                                                                                                 \
        return failed;                                                                                                 \
    }
WRAPPED_STREAMS(DEFINE_STREAM)

/* Those with arguments of their own number, and those that do more than fail. */

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap_fprintf(FILE *file, const char *format, ...);
int __wrap_fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = __wrap_vfprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap_printf(const char *format, ...);
int __wrap_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = __wrap_vfprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap_vprintf(const char *format, va_list arguments);
int __wrap_vprintf(const char *format, va_list arguments)
{
    return __wrap_vfprintf(stdout, format, arguments);
}

int __wrap_puts(const char *text);
int __wrap_puts(const char *text)
{
    return __wrap_fputs(text, stdout) == EOF ? EOF : __real_fputc('\n', stdout);
}

int __wrap_putchar(int letter);
int __wrap_putchar(int letter)
{
    return __wrap_fputc(letter, stdout);
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    const bool fails = !is_safe(file) && is_failing(FAULT_WRITE, "fclose");
    forget(file);
    const int closed = __real_fclose(file);
    if (!fails)
        return closed;
    errno = ENOSPC;
    return EOF;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!is_failing(FAULT_OPEN, "open"))
        return __real_open(path, flags, mode);
    errno = EMFILE;
    return -1;
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    return is_failing(FAULT_PROCESS, "pthread_create") ? EAGAIN
                                                       : __real_pthread_create(thread, attributes, run, argument);
}

int __real_posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);
int __wrap_posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);
int __wrap_posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
    return is_failing(FAULT_PROCESS, "posix_spawn")
               ? EAGAIN
               : __real_posix_spawn(process, path, actions, attributes, arguments, environment);
}

static bool load_failed;
void *__real_dlopen(const char *path, int mode);
void *__wrap_dlopen(const char *path, int mode);
void *__wrap_dlopen(const char *path, int mode)
{
    load_failed = is_failing(FAULT_PROCESS, "dlopen");
    return load_failed ? NULL : __real_dlopen(path, mode);
}

char *__real_dlerror(void);
char *__wrap_dlerror(void);
char *__wrap_dlerror(void)
{
    static char text[] = "failed to map segment from shared object";
    if (!load_failed)
        return __real_dlerror();
    load_failed = false;
    return text;
}

/* High, where no program that is started looks for it. */
static int open_high(const char *variable, int flags)
{
    enum { HIGH = 700 };
    const char *path = getenv(variable);
    const int file = path ? __real_open(path, flags | O_WRONLY | O_APPEND | O_CLOEXEC, 0600) : -1;
    const int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH);
    if (file >= 0)
        close(file);
    return high;
}

__attribute__((constructor)) static void begin(void)
{
    const char *fail = getenv("KNEEPOINT_FAIL");
    const char *call = fail ? strchr(fail, ':') : NULL;
    void *memory = __real_mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    void *frames[FRAMES];
    backtrace(frames, FRAMES); /* loads what it needs */
    for (enum fault fault = 0; call && fault < FAULTS; fault++) {
        if (strncmp(fail, fault_names[fault], (size_t)(call - fail)) == 0 && fault_names[fault][call - fail] == '\0')
            chosen = fault;
    }
    if (fail && (!call || chosen == FAULTS))
        abort();
    chosen_call = call ? (unsigned)strtoul(call + 1, NULL, 10) : 0;
    told = open_high("KNEEPOINT_FAIL_TOLD", O_CREAT);
    list = open_high("KNEEPOINT_FAIL_LIST", O_CREAT);
    unsetenv("KNEEPOINT_FAIL"); /* programs that it starts do not fail */
    unsetenv("KNEEPOINT_FAIL_LIST");
    unsetenv("KNEEPOINT_FAIL_TOLD");
    program = (uintptr_t)&__executable_start;
    shared = memory;
}
