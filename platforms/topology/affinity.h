/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <sched.h>
#include <stddef.h>

/**
 * The CPUs that the calling thread may run on, kept while it is bound elsewhere. The set is as large as the kernel's: a
 * cpu_set_t ends at CPU 1,023, and sched_getaffinity refuses it where there are more.
 */
struct affinity;

/**
 * @param kept  out: to be given to affinity_restore; NULL: it cannot be told
 * @return      0 or -ENOMEM
 */
int affinity_keep(struct affinity **kept);

/** Back to the CPUs that were kept, which are released; NULL is fine. @return 0 or negative errno */
int affinity_restore(struct affinity *affinity);

/** Bind the calling thread to one CPU (OS index). @return 0, -ENOMEM, -EINVAL: no such CPU, or it is not allowed */
int affinity_bind(unsigned cpu);

/** affinity_keep with the system call, or what stands for it in a test: 0, or -1 and errno. */
int affinity_keep_by(int (*get)(pid_t pid, size_t bytes, cpu_set_t *set), struct affinity **kept);
