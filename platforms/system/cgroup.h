/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

/**
 * What the cgroups of this process grant it, below a root that tests can move. Version 1 and 2 at their usual mount
 * points; every group from the process's own up to the root of the hierarchy binds, so the least of them counts.
 */

/** Memory that all groups still grant, in bytes; UINT64_MAX without a limit. */
uint64_t cgroup_memory_available(const char *root);

/** The smallest memory limit, in bytes; UINT64_MAX without one. */
uint64_t cgroup_memory_limit(const char *root);

/** The smallest CPU quota, in cores; -1 without one. */
double cgroup_cpu_quota_cores(const char *root);
