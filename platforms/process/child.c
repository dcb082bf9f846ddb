/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platforms/process/descendants.h"
#include "platforms/process/starved.h"

/*
 *     this process ── supervisor ── body
 *                                     └─ whatever it starts
 *
 * The supervisor adopts what the body leaves behind (PR_SET_CHILD_SUBREAPER), kills it and then passes the body's wait
 * status on. This process only sees the supervisor, and no descriptor that a daemon could hold open matters to it.
 */

enum { REPORT, PRINTED, STATUS, PIPES };

/** How often to look for what was printed; a body that is starved may take this many times its limit longer. */
enum { LOOK_MS = 5, GRANTED_LIMITS = 5 };

struct channels {
    int read_end[PIPES], write_end[PIPES];
    uint64_t begins; /* before a report: what others write does not begin like this */
    volatile int *
        lost; /* in memory that all processes see: errno of a body that was not started, or of what was not sent or received */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_ends(int ends[PIPES])
{
    for (int p = 0; p < PIPES; p++)
        if (ends[p] >= 0)
            close(ends[p]);
}

static int open_channels(struct channels *channels)
{
    memset(channels, 0xff, sizeof *channels);
    for (int p = 0; p < PIPES; p++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            int error = errno;
            close_ends(channels->read_end);
            close_ends(channels->write_end);
            return -error;
        }
        channels->read_end[p] = ends[0];
        channels->write_end[p] = ends[1];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

/** What fails is kept in *lost, but for a descriptor that the body has closed. */
static void write_all(const struct channels *channels, int pipe, const void *bytes, size_t count)
{
    const char *at = bytes;
    while (count > 0) {
        ssize_t written = write(channels->write_end[pipe], at, count);
        if (written <= 0 && errno != EBADF)
            *channels->lost = errno;
        if (written <= 0)
            return;
        at += written;
        count -= (size_t)written;
    }
}

/*
 * In the body's process. The signals and the core limit of this process are not the library's business. The report is the caller's, of which
 * this process has a copy.
 */
static void run_body(void (*body)(void *, void *), void *argument, void *report, size_t report_bytes,
                     struct channels *channels)
{
    close(channels->write_end[STATUS]);
    struct rlimit none = {0, 0};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(channels->write_end[PRINTED], STDOUT_FILENO) < 0 ||
        dup2(channels->write_end[PRINTED], STDERR_FILENO) < 0) {
        *channels->lost = errno;
        _exit(0);
    }
    body(argument, report);
    fflush(NULL);
    write_all(channels, REPORT, &channels->begins, sizeof channels->begins);
    write_all(channels, REPORT, report, report_bytes);
    _exit(0);
}

/** Beyond the limit, for what it was starved. */
static int64_t granted_ms(const struct starved *starved, unsigned limit_ms)
{
    int64_t of = starved_ms(starved), most = GRANTED_LIMITS * (int64_t)limit_ms + starved->late_ms;
    return of < most ? of : most;
}

static void supervise(void (*body)(void *, void *), void *argument, void *report, size_t report_bytes,
                      struct channels *channels, unsigned limit_ms)
{
    int status = -1;
    int64_t deadline = now_ms() + limit_ms;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    pid_t child = fork();
    if (child == 0)
        run_body(body, argument, report, report_bytes, channels);
    if (child < 0)
        *channels->lost = errno;
    close(channels->write_end[REPORT]);
    close(channels->write_end[PRINTED]);
    struct starved starved;
    starved_begin(&starved, child);
    while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
        const int64_t look_ms = now_ms();
        if (look_ms >= deadline && look_ms >= deadline + granted_ms(&starved, limit_ms)) {
            status = -1;
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        starved_waited(&starved, 1, now_ms() - look_ms);
    }
    descendants_kill(&(const struct descendants){.count = 0});
    write_all(channels, STATUS, &status, sizeof status);
    _exit(0);
}

/* Take what a pipe holds now. Bytes that do not fit are read and dropped, so that no writer blocks on a full pipe. */
static void drain(const struct channels *channels, int pipe, void *buffer, size_t capacity, size_t *used)
{
    char chunk[1024];
    ssize_t got;
    while ((got = read(channels->read_end[pipe], chunk, sizeof chunk)) > 0) {
        size_t take = (size_t)got < capacity - *used ? (size_t)got : capacity - *used;
        memcpy((char *)buffer + *used, chunk, take);
        *used += take;
    }
    if (got < 0 && errno != EAGAIN && errno != EINTR)
        *channels->lost = errno;
}

/** A report of so many bytes that begins as it must, and nothing beside it. */
static bool is_whole(const struct channels *channels, const uint8_t *bytes, size_t got, size_t report_bytes)
{
    return got == sizeof channels->begins + report_bytes &&
           memcmp(bytes, &channels->begins, sizeof channels->begins) == 0;
}

/** @param got  bytes of a report */
static void judge(int status, bool whole, size_t got, struct child_result *result)
{
    if (status == -1) {
        result->outcome = CHILD_HUNG;
    } else if (WIFSIGNALED(status)) {
        result->outcome = CHILD_CRASHED;
        result->detail = WTERMSIG(status);
    } else if (!whole && got) {
        result->outcome = CHILD_WROTE;
    } else if (!whole) {
        result->outcome = CHILD_EXITED;
        result->detail = WEXITSTATUS(status);
    } else {
        result->outcome = CHILD_RETURNED;
    }
}

void child_run(void (*body)(void *argument, void *report), void *argument, void *report, size_t report_bytes,
               unsigned limit_ms, struct child_result *result)
{
    struct channels channels;
    size_t reported = 0, printed = 0, judged = 0;
    const size_t room = sizeof channels.begins + report_bytes + 1; /* a byte more than a report shows what is not one */
    uint8_t *bytes = malloc(room);
    int status = -1;
    *result = (struct child_result){.outcome = CHILD_FAILED, .detail = ENOMEM};
    memset(report, 0, report_bytes);
    void *lost = mmap(NULL, sizeof *channels.lost, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int failed = bytes && lost != MAP_FAILED ? open_channels(&channels) : -ENOMEM;
    if (failed) {
        result->detail = -failed;
        if (lost != MAP_FAILED)
            munmap(lost, sizeof *channels.lost);
        free(bytes);
        return;
    }
    channels.lost = lost;
    channels.begins = (uint64_t)now_ms() * 0x9e3779b97f4a7c15;
    fflush(NULL); /* or what this process has yet to write passes for what the body printed */
    pid_t supervisor = fork();
    if (supervisor == 0) {
        close_ends(channels.read_end);
        supervise(body, argument, report, report_bytes, &channels, limit_ms);
    }
    close_ends(channels.write_end);
    /* The supervisor keeps the time; a second more than the most that it grants means that even it is stuck. */
    struct starved starved = {.pid = supervisor};
    int64_t deadline = now_ms() + (1 + GRANTED_LIMITS) * (int64_t)limit_ms + 1000;
    while (supervisor > 0 && judged < sizeof status && now_ms() < deadline + 2 * starved.late_ms) {
        struct pollfd wait = {.fd = channels.read_end[STATUS], .events = POLLIN};
        const int64_t begin_ms = now_ms();
        int ready = poll(&wait, 1, LOOK_MS);
        starved_waited(&starved, LOOK_MS, now_ms() - begin_ms);
        drain(&channels, REPORT, bytes, room, &reported);
        drain(&channels, PRINTED, result->printed, sizeof result->printed - 1, &printed);
        size_t before = judged;
        drain(&channels, STATUS, &status, sizeof status, &judged);
        if (ready > 0 && judged == before)
            break; /* the supervisor is gone */
    }
    drain(&channels, REPORT, bytes, room, &reported);
    drain(&channels, PRINTED, result->printed, sizeof result->printed - 1, &printed);
    result->printed[printed] = '\0';
    if (supervisor > 0) {
        kill(supervisor, SIGKILL);
        waitpid(supervisor, NULL, 0);
        bool whole = is_whole(&channels, bytes, reported, report_bytes);
        judge(judged == sizeof status ? status : -1, whole, reported, result);
        if (*channels.lost && (!whole || judged < sizeof status))
            *result = (struct child_result){.outcome = CHILD_LOST, .detail = *channels.lost};
        if (whole)
            memcpy(report, bytes + sizeof channels.begins, report_bytes);
    } else {
        result->detail = EAGAIN;
    }
    close_ends(channels.read_end);
    munmap(lost, sizeof *channels.lost);
    free(bytes);
}

const char *child_said(const char *printed, char text[CHILD_SAID])
{
    size_t used = 0;
    bool blank = true; /* of several one is left */
    text[0] = '\0';
    for (const char *at = printed; *at && used + sizeof "..." < CHILD_SAID; at++) {
        bool is_blank = *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r';
        if (is_blank && blank)
            continue;
        if (!used)
            used = (size_t)snprintf(text, CHILD_SAID, "; it printed: ");
        text[used++] = is_blank ? ' ' : *at;
        text[used] = '\0';
        blank = is_blank;
    }
    if (used + sizeof "..." >= CHILD_SAID)
        memcpy(text + used, "...", sizeof "...");
    else if (used && blank)
        text[used - 1] = '\0';
    return text;
}
