/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

void threads_read(struct threads *now)
{
    *now = (struct threads){0};
    DIR *folder = opendir("/proc/self/task");
    long self = syscall(SYS_gettid);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        long tid = strtol(entry->d_name, NULL, 10);
        now->count += tid > 0;
        if (tid > 0 && tid != self)
            now->others_ns += thread_ns(tid);
    }
    closedir(folder);
    uint64_t own = clock_ns(CLOCK_THREAD_CPUTIME_ID), all = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    now->finished_ns = all > own + now->others_ns ? all - own - now->others_ns : 0;
}

double threads_running(double seconds)
{
    struct threads before, after;
    const struct timespec while_asleep = {.tv_nsec = (long)(1e9 * seconds)};
    threads_read(&before);
    if (before.count < 2)
        return 0;
    uint64_t began = clock_ns(CLOCK_MONOTONIC);
    nanosleep(&while_asleep, NULL);
    threads_read(&after);
    uint64_t took = clock_ns(CLOCK_MONOTONIC) - began;
    return took && after.others_ns > before.others_ns ? (double)(after.others_ns - before.others_ns) / (double)took : 0;
}
