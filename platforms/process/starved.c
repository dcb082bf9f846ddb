/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/starved.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/** A wait that ends so much later than it should is no wait of this process, but one for a CPU. */
enum { LATE_MS = 20 };

/** 0 where the system does not say. */
static uint64_t stolen_ms(void)
{
    unsigned long long stolen = 0;
    FILE *stat = fopen("/proc/stat", "re");
    /* user, nice, system, idle, iowait, irq, softirq, steal */
    if (stat && fscanf(stat, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &stolen) != 1)
        stolen = 0;
    if (stat)
        fclose(stat);
    return stolen * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

/** That a thread could have run and did not: the second number of schedstat. */
static uint64_t waited_ns(pid_t pid, const char *thread)
{
    char path[320];
    unsigned long long waited = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%.255s/schedstat", (long)pid, thread);
    FILE *schedstat = fopen(path, "re");
    if (schedstat && fscanf(schedstat, "%*u %llu", &waited) != 1)
        waited = 0;
    if (schedstat)
        fclose(schedstat);
    return waited;
}

static uint64_t longest_ns(pid_t pid)
{
    char path[64];
    uint64_t longest = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        uint64_t waited = entry->d_name[0] == '.' ? 0 : waited_ns(pid, entry->d_name);
        longest = waited > longest ? waited : longest;
    }
    if (threads)
        closedir(threads);
    return longest;
}

void starved_begin(struct starved *starved, pid_t pid)
{
    *starved = (struct starved){.pid = pid, .stolen_ms = stolen_ms()};
}

void starved_waited(struct starved *starved, int64_t wanted_ms, int64_t took_ms)
{
    if (took_ms > wanted_ms + LATE_MS)
        starved->late_ms += took_ms - wanted_ms;
}

int64_t starved_ms(const struct starved *starved)
{
    uint64_t stolen = stolen_ms();
    stolen = stolen > starved->stolen_ms ? stolen - starved->stolen_ms : 0;
    return starved->late_ms + (int64_t)stolen + (int64_t)(longest_ns(starved->pid) / 1000000);
}
