/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The machine's processors, caches and memory nodes, from hwloc: this machine or a recorded XML. Only CPUs that this
 * process may use (cpuset of the cgroup and taskset) are listed.
 *
 * Errors: 0 or negative errno; a reason of one line in why (always terminated) when not 0.
 */

struct topology;

/** The kinds of cores that a hybrid machine has; a homogeneous one has performance cores alone. */
enum core_kind { CORE_KIND_PERFORMANCE, CORE_KIND_EFFICIENCY, CORE_KIND_LOW_POWER, CORE_KINDS };

/** "P", "E", "LP"; "?" if out of range. */
const char *core_kind_name(enum core_kind kind);

/** One physical core that this process may use. */
struct topology_core {
    unsigned cpu;          /* OS index of its first allowed PU */
    unsigned sibling_cpus; /* how many allowed PUs the core has, >= 1 */
    enum core_kind kind;   /* CORE_KIND_PERFORMANCE on a homogeneous machine */
    unsigned package;
    unsigned numa_node; /* OS index of the node where its memory lies: its own, or the nearest if that has none */
    unsigned llc;       /* index of its last-level cache domain, 0 … llc_count-1 */
};

struct topology_cache {
    unsigned level;     /* 1, 2, 3, … data or unified */
    uint64_t bytes;     /* of one instance */
    unsigned instances; /* reachable by the allowed cores */
};

/** Open this machine's topology (xml_path NULL) or a recorded one. A recorded one plans but never binds. */
int topology_open(const char *xml_path, struct topology **topology, char *why, size_t size);
void topology_close(struct topology *topology);

/** Whether this is the running machine, so that binding is permitted. */
bool topology_is_this_machine(const struct topology *topology);

/** Whether it is, and the kernel shows no CPUs in /sys: cores and caches are then those that CPUID shows, where it does. */
bool topology_lacks_sysfs(const struct topology *topology);

/**
 * Two cores that were found to be hardware threads of one, though this machine shows them as two: a hypervisor hides it.
 * From now on there is one core less, and the one that stays has the other's CPU as a further PU.
 * @param cpu, other  the only PUs, or the first, of two cores (struct topology_core)
 * @return 0, -EINVAL if they are not, -ENOMEM
 */
int topology_join_cores(struct topology *topology, unsigned cpu, unsigned other);

/** PUs that were joined to another core. */
size_t topology_joined(const struct topology *topology);

size_t topology_core_count(const struct topology *topology);
size_t topology_kind_count(const struct topology *topology); /* 1 on a homogeneous machine */
size_t topology_llc_count(const struct topology *topology);  /* last-level cache domains */
size_t topology_allowed_pus(const struct topology *topology);

/** Every usable core: P before E before LP, then by package, NUMA node and OS index, so that a small team stays
 * together. */
const struct topology_core *topology_cores(const struct topology *topology);

/** Allowed PUs as a list, "0-3,8"; cut at size - 1. */
void topology_allowed_list(const struct topology *topology, char *text, size_t size);

/** Whether this process may not use a CPU only because it was started with other ones: by taskset, or where the kernel isolates it. */
bool topology_taskset_allows(const struct topology *topology, unsigned cpu);

/** Data/unified caches, one entry a level (the largest instance's size where kinds differ). */
size_t topology_caches(const struct topology *topology, struct topology_cache *caches, size_t capacity);

/** A NUMA node, also one without allowed cores. */
struct topology_node {
    unsigned os_index;
    uint64_t bytes; /* local memory */
    unsigned cores; /* usable cores that are local to it */
};
size_t topology_nodes(const struct topology *topology, struct topology_node *nodes, size_t capacity);

/** Sum over the distinct last-level caches that the given cores reach, in bytes; cores without L3 count their L2. 0 if
 * no cache is known. */
uint64_t topology_llc_bytes(const struct topology *topology, const struct topology_core *const *cores, size_t count);

/**
 * What each of these CPUs (OS indices) has of its data cache of a level, 1 to 3, where those that share one deal it out
 * equally: the least of them.
 * @param bytes  out: 0 if any of them has no such cache
 * @return       0 or -ENOMEM
 */
int topology_cache_share(const struct topology *topology, const unsigned *cpus, size_t count, unsigned level,
                         uint64_t *bytes);

/** What a team should look like. */
struct team_request {
    unsigned threads; /* 0: all cores (or all cpus named) */
    const char *cpus; /* list such as "0,2-5", taken in its order; NULL: chosen by us, in the order of the cores */
    const char *kind; /* "P", "E", "LP" or NULL for any */
    bool use_smt;     /* several PUs of one core, after every core has one */
};

/**
 * Choose CPUs for a team: one PU a core unless SMT is asked for or the user names siblings in cpus. cpus_out receives
 * OS indices. kind together with cpus demands that every CPU named is of it.
 * @return number of CPUs (> 0); -EINVAL (bad list, unknown kind, a CPU not allowed or named twice), -ERANGE (more
 * threads than CPUs), -ENOSPC (capacity too small); why names it.
 */
int topology_plan_team(const struct topology *topology, const struct team_request *request, unsigned *cpus_out,
                       size_t capacity, char *why, size_t size);

/**
 * Bind the calling thread to one CPU through hwloc, and read the affinity and the CPU it runs on back.
 * @return 0, -EXDEV if it did not hold or the CPU is not allowed, -ENOTSUP for a topology that is not this machine
 */
int topology_bind_thread(const struct topology *topology, unsigned cpu, char *why, size_t size);

/**
 * NUMA node (OS index) on which every populated page of a piece of memory lies.
 * @return 0; -EXDEV if it lies on several nodes; -ENOTSUP for a topology that is not this machine, -ENOSYS where the
 * kernel does not tell; why says so
 */
int topology_memory_node(const struct topology *topology, const void *address, size_t bytes, unsigned *node, char *why,
                         size_t size);

/** The core that owns a CPU (OS index), or NULL. */
const struct topology_core *topology_core_of_cpu(const struct topology *topology, unsigned cpu);

/** OS index of the n-th allowed PU of a core, index < core->sibling_cpus. */
unsigned topology_sibling(const struct topology *topology, const struct topology_core *core, unsigned index);
