/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/** Between two looks: other threads that were at work sleep again. */
static const struct timespec BETWEEN = {.tv_nsec = 1000 * 1000};

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) ? 0 : (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** On a CPU so far, of another thread; by its clock, which unlike the files of it is brought up to date when it is read. */
static uint64_t thread_ns(long tid)
{
    /* as the kernel numbers clocks: of a thread, the one that the scheduler keeps */
    enum { PER_THREAD = 4, SCHEDULER = 2 };
    return clock_ns((clockid_t)(~(unsigned)tid << 3 | PER_THREAD | SCHEDULER));
}

/** Ids of all; negative errno, 0 of none. @return how many */
static long list(long **ids)
{
    DIR *folder = opendir("/proc/self/task");
    long count = 0, room = 0;
    *ids = NULL;
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        long id = strtol(entry->d_name, NULL, 10);
        if (id <= 0)
            continue;
        if (count == room) {
            room = 2 * room + 64;
            long *grown = realloc(*ids, (size_t)room * sizeof *grown);
            if (!grown) {
                free(*ids);
                closedir(folder);
                return -ENOMEM;
            }
            *ids = grown;
        }
        (*ids)[count++] = id;
    }
    closedir(folder);
    return count;
}

/** On a CPU, of those listed but the calling one. */
static uint64_t others_ns(const long *ids, long count)
{
    uint64_t sum = 0;
    long self = syscall(SYS_gettid);
    for (long i = 0; i < count; i++)
        sum += ids[i] != self ? thread_ns(ids[i]) : 0;
    return sum;
}

/** Clocks are read one after the other: what others run for in between, or this one when it is interrupted, is added to what it is. */
static uint64_t ended_at_most_ns(const long *ids, long count)
{
    uint64_t others = others_ns(ids, count), own = clock_ns(CLOCK_THREAD_CPUTIME_ID),
             all = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    return all > own + others ? all - own - others : 0;
}

/** The least of some readings, a pause before each but the first: none can be too low. */
static uint64_t ended_ns(const long *ids, long count)
{
    enum { READINGS = 5 };
    uint64_t least = ended_at_most_ns(ids, count);
    for (unsigned i = 1; i < READINGS; i++) {
        nanosleep(&BETWEEN, NULL);
        uint64_t ended = ended_at_most_ns(ids, count);
        least = ended < least ? ended : least;
    }
    return least;
}

/** Whether a thread runs or waits for a CPU: the letter after its name, which may hold anything but ends with the last bracket. */
static bool is_running(long id)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", id);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' && name_end[2] == 'R';
}

unsigned threads_running(unsigned looks)
{
    long *ids, count = list(&ids), self = syscall(SYS_gettid);
    for (unsigned look = 0; look < looks && count > 1; look++) {
        long running = 0;
        nanosleep(&BETWEEN, NULL);
        for (long i = 0; i < count; i++) {
            if (ids[i] == self || is_running(ids[i]))
                ids[running++] = ids[i];
        }
        count = running;
    }
    if (count > 0)
        free(ids);
    return count > 1 ? (unsigned)count - 1 : 0;
}

int threads_there(struct threads_there *there)
{
    long count = list(&there->id);
    if (count < 0)
        there->id = NULL;
    there->count = count < 0 ? 0 : (size_t)count;
    there->ended_ns = count < 0 ? 0 : ended_ns(there->id, count);
    return count < 0 ? -ENOMEM : 0;
}

void threads_there_release(struct threads_there *there)
{
    free(there->id);
    *there = (struct threads_there){0};
}

static bool was_there(const struct threads_there *then, long id)
{
    bool found = false;
    for (size_t i = 0; !found && i < then->count; i++)
        found = then->id[i] == id;
    return found;
}

void threads_since(const struct threads_there *then, struct threads_since *since)
{
    nanosleep(&BETWEEN, NULL); /* until the others sleep */
    long *ids, count = list(&ids);
    *since = (struct threads_since){0};
    if (count < 0 || !then->count)
        return;
    uint64_t ended = ended_ns(ids, count);
    since->ended_s = ended > then->ended_ns ? 1e-9 * (double)(ended - then->ended_ns) : 0;
    for (long i = 0; i < count; i++) {
        if (was_there(then, ids[i]))
            continue;
        since->appeared++;
        since->appeared_s += 1e-9 * (double)thread_ns(ids[i]);
    }
    free(ids);
}
