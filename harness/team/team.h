/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "platforms/topology/topology.h"

/**
 * A team: one thread a CPU, bound through hwloc with the affinity read back. Member 0 is the calling thread. Between
 * two jobs the others sleep; inside a job all meet at a spinning barrier that makes no system call.
 *
 * Errors: 0 or negative errno with a line in why.
 */
struct team;

/** Bind the calling thread to cpus[0] and start one more thread for each further CPU. */
int team_create(const struct topology *topology, const unsigned *cpus, unsigned threads, struct team **team, char *why,
                size_t size);

/** End the threads and give the calling thread its former affinity back. */
void team_destroy(struct team *team);

/** How many members it has, and the CPU (OS index) of each. */
unsigned team_threads(const struct team *team);
const unsigned *team_cpus(const struct team *team);

/** Run job(context, member) once in every member and return when all are done. */
void team_run(struct team *team, void (*job)(void *context, unsigned member), void *context);

/** Wait, spinning, until every member has come. Only inside a job. */
void team_barrier(struct team *team);

/** Inside a loop that spins: leave the execution units to the sibling thread. */
static inline void team_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#endif
}
