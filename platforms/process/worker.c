/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platforms/process/descendants.h"
#include "platforms/process/starved.h"

/*
 *     this process ── worker
 *                        └─ whatever it starts, which this process adopts (PR_SET_CHILD_SUBREAPER) and kills
 */

/**
 * After *stop was set it may take as long as a visit does. How often to look: whether a signal came just before the wait for events, and
 * where this kernel has no event for the end of a process, whether it has ended.
 */
enum { STOPPING_MS = 2000, STOP_LOOK_MS = 1000, LOOK_MS = 50 };

enum { REPORT, PRINTED, PIPES };

/** In memory that both processes see. */
struct worker_beat {
    volatile int64_t at_ms;
    volatile int lost; /* errno of a report that was not kept or not sent */
};

struct worker {
    struct worker_beat *heart;
    uint8_t *report;
    size_t bytes, capacity;
    bool failed; /* no memory for the report */
};

/** Before a report. */
struct frame {
    uint64_t begins, bytes;
};

/** As the worker is seen from this process. */
struct watch {
    const struct worker_job *job;
    struct worker_beat *heart;
    struct worker_result *result;
    pid_t pid;
    int process; /* a descriptor that can be waited for; -1: this kernel has none */
    int read_end[PIPES], write_end[PIPES];
    uint64_t begins; /* before a report: what others write does not begin like this */
    size_t capacity, printed;
    int lost;        /* errno of what the report's pipe held and this process did not get */
    int64_t stop_ms; /* when *stop was seen; 0: not yet */
    struct starved starved;
    int64_t granted_ms; /* beyond the limit, for what it was starved */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- in the worker ---- */

struct worker_beat *worker_heart(struct worker *worker)
{
    return worker->heart;
}

void worker_beat(struct worker_beat *heart)
{
    if (heart)
        heart->at_ms = now_ms();
}

void worker_send(struct worker *worker, const void *bytes, size_t count)
{
    if (!count) /* nor need there be bytes */
        return;
    if (worker->bytes + count > worker->capacity) {
        size_t capacity = 2 * (worker->bytes + count);
        uint8_t *grown = worker->failed ? NULL : realloc(worker->report, capacity);
        worker->failed = !grown;
        if (!grown)
            return;
        worker->report = grown;
        worker->capacity = capacity;
    }
    memcpy(worker->report + worker->bytes, bytes, count);
    worker->bytes += count;
}

/** 0 or errno */
static int write_all(int fd, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    while (count > 0) {
        ssize_t written = write(fd, at, count);
        if (written <= 0 && errno != EINTR)
            return errno;
        at += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/** A pipe that the body has closed or put another descriptor in place of is no system's error. @return 0 or errno */
static int send_report(const struct watch *watch, const struct worker *worker)
{
    const struct frame frame = {watch->begins, worker->bytes};
    const int fd = watch->write_end[REPORT];
    struct stat about;
    if (worker->failed)
        return ENOMEM;
    if (fstat(fd, &about) != 0)
        return errno == EBADF ? 0 : errno;
    if (!S_ISFIFO(about.st_mode))
        return 0;
    int error = write_all(fd, &frame, sizeof frame);
    return error ? error : write_all(fd, worker->report, worker->bytes);
}

/** Signals that a handler of this process would misread, and the core limit, are not others' business. */
static void work(const struct watch *watch, pid_t parent)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    const struct rlimit none = {0, 0};
    struct worker worker = {.heart = watch->heart};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], SIG_DFL);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(watch->write_end[PRINTED], STDOUT_FILENO);
    dup2(watch->write_end[PRINTED], STDERR_FILENO);
    watch->job->body(watch->job->context, &worker);
    fflush(NULL);
    watch->heart->lost = send_report(watch, &worker);
    _exit(0);
}

/* ---- in this process ---- */

static void close_ends(int ends[PIPES])
{
    for (int p = 0; p < PIPES; p++) {
        if (ends[p] >= 0)
            close(ends[p]);
        ends[p] = -1;
    }
}

/** 0 or errno */
static int open_pipes(struct watch *watch)
{
    for (int p = 0; p < PIPES; p++)
        watch->read_end[p] = watch->write_end[p] = -1;
    for (int p = 0; p < PIPES; p++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return errno;
        watch->read_end[p] = ends[0];
        watch->write_end[p] = ends[1];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

/** A pipe without any writer left would end every wait at once. */
static void close_if_ended(int *fd, ssize_t got)
{
    if (got != 0)
        return;
    close(*fd);
    *fd = -1;
}

/** What the report's pipe holds now. */
static void take_report(struct watch *watch)
{
    struct worker_result *result = watch->result;
    for (;;) {
        if (watch->capacity - result->report_bytes < 65536) {
            uint8_t *grown = realloc(result->report, 2 * watch->capacity + 65536);
            if (!grown) {
                watch->lost = ENOMEM;
                return;
            }
            result->report = grown;
            watch->capacity = 2 * watch->capacity + 65536;
        }
        ssize_t got = read(watch->read_end[REPORT], result->report + result->report_bytes,
                           watch->capacity - result->report_bytes);
        if (got < 0 && watch->read_end[REPORT] >= 0 && errno != EAGAIN && errno != EINTR)
            watch->lost = errno;
        close_if_ended(&watch->read_end[REPORT], got);
        if (got <= 0)
            return;
        result->report_bytes += (size_t)got;
    }
}

/** What it printed, of which the first bytes are kept. */
static void take_printed(struct watch *watch)
{
    char chunk[4096];
    ssize_t got;
    while ((got = read(watch->read_end[PRINTED], chunk, sizeof chunk)) > 0) {
        size_t room = WORKER_PRINTED - 1 - watch->printed, take = (size_t)got < room ? (size_t)got : room;
        memcpy(watch->result->printed + watch->printed, chunk, take);
        watch->printed += take;
    }
    close_if_ended(&watch->read_end[PRINTED], got);
    watch->result->printed[watch->printed] = '\0';
}

/** When to look again, if nothing happens before. */
static int wait_ms(const struct watch *watch)
{
    int64_t left = watch->heart->at_ms + watch->job->limit_ms + watch->granted_ms - now_ms();
    if (watch->stop_ms && watch->stop_ms + STOPPING_MS - now_ms() < left)
        left = watch->stop_ms + STOPPING_MS - now_ms();
    if (watch->job->stop && left > STOP_LOOK_MS)
        left = STOP_LOOK_MS;
    if (watch->process < 0 && left > LOOK_MS)
        left = LOOK_MS;
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

/** Without a beat for longer than it may. What it was starved so far is granted, up to some times the limit. */
static bool is_silent(struct watch *watch)
{
    enum { GRANTED_LIMITS = 5 };
    const int64_t limit_ms = watch->job->limit_ms, silent_ms = now_ms() - watch->heart->at_ms;
    if (silent_ms < limit_ms + watch->granted_ms)
        return false;
    int64_t starved = starved_ms(&watch->starved), most = GRANTED_LIMITS * limit_ms + watch->starved.late_ms;
    watch->granted_ms = starved < most ? starved : most;
    return silent_ms >= limit_ms + watch->granted_ms;
}

/** Whether it must not go on, and why. */
static bool is_over(struct watch *watch)
{
    if (watch->job->stop && *watch->job->stop && !watch->stop_ms)
        watch->stop_ms = now_ms();
    if (watch->stop_ms && now_ms() >= watch->stop_ms + STOPPING_MS)
        watch->result->outcome = WORKER_STOPPED;
    else if (is_silent(watch))
        watch->result->outcome = WORKER_HUNG;
    return watch->result->outcome != WORKER_FAILED;
}

/** Until it has ended or was killed. @return its wait status */
static int wait_for(struct watch *watch)
{
    int status = 0;
    for (;;) {
        struct pollfd events[] = {{.fd = watch->read_end[REPORT], .events = POLLIN},
                                  {.fd = watch->read_end[PRINTED], .events = POLLIN},
                                  {.fd = watch->process, .events = POLLIN}};
        const int64_t begin_ms = now_ms();
        const int wanted_ms = wait_ms(watch);
        poll(events, 3, wanted_ms);
        starved_waited(&watch->starved, wanted_ms, now_ms() - begin_ms);
        take_report(watch);
        take_printed(watch);
        pid_t ended = waitpid(watch->pid, &status, WNOHANG);
        if (ended == watch->pid)
            return status;
        if (is_over(watch)) {
            kill(watch->pid, SIGKILL);
            waitpid(watch->pid, &status, 0);
            return status;
        }
    }
}

static void judge(struct watch *watch, int status)
{
    struct worker_result *result = watch->result;
    struct frame frame;
    bool complete = result->report_bytes >= sizeof frame;
    if (complete) {
        memcpy(&frame, result->report, sizeof frame);
        complete = frame.begins == watch->begins && result->report_bytes == frame.bytes + sizeof frame;
    }
    if (result->outcome != WORKER_FAILED)
        return;
    if (!complete && !WIFSIGNALED(status) && (watch->lost || watch->heart->lost)) {
        result->outcome = WORKER_LOST;
        result->detail = watch->lost ? watch->lost : watch->heart->lost;
        return;
    }
    result->detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    result->outcome = WIFSIGNALED(status)    ? WORKER_CRASHED
                      : complete             ? WORKER_RETURNED
                      : result->report_bytes ? WORKER_WROTE
                                             : WORKER_EXITED;
    if (result->outcome != WORKER_RETURNED)
        return;
    result->report_bytes -= sizeof frame;
    memmove(result->report, result->report + sizeof frame, result->report_bytes);
}

static void watch_over(struct watch *watch)
{
    struct descendants before;
    descendants_list(&before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL); /* or what this process has yet to write would be the worker's */
    worker_beat(watch->heart);
    pid_t parent = getpid();
    watch->pid = fork();
    if (watch->pid == 0)
        work(watch, parent);
    if (watch->pid < 0) {
        watch->result->detail = errno;
    } else {
        close_ends(watch->write_end);
        starved_begin(&watch->starved, watch->pid);
        watch->process = (int)syscall(SYS_pidfd_open, watch->pid, 0);
        int status = wait_for(watch);
        if (watch->process >= 0)
            close(watch->process);
        descendants_kill(&before);
        take_report(watch);
        take_printed(watch);
        judge(watch, status);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

void worker_run(const struct worker_job *job, struct worker_result *result)
{
    struct watch watch = {
        .job = job, .result = result, .process = -1, .begins = (uint64_t)now_ms() * 0x9e3779b97f4a7c15};
    *result = (struct worker_result){.outcome = WORKER_FAILED, .detail = ENOMEM};
    watch.heart = mmap(NULL, sizeof *watch.heart, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int error = watch.heart == MAP_FAILED ? ENOMEM : open_pipes(&watch);
    if (!error)
        watch_over(&watch);
    else
        result->detail = error;
    close_ends(watch.read_end);
    close_ends(watch.write_end);
    if (watch.heart != MAP_FAILED)
        munmap(watch.heart, sizeof *watch.heart);
    if (result->outcome != WORKER_RETURNED) {
        free(result->report);
        result->report = NULL;
        result->report_bytes = 0;
    }
}
