/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/team/schedule.h"
#include "micro/shape.h"
#include "platforms/described/described.h"

/**
 * How teams of more than one are to share a matrix, as a user asks for it. All zero: equal shares, and nothing of what
 * members attain alone.
 */
struct plan_schedules {
    enum schedule_kind kinds[SCHEDULE_KINDS]; /* each measured, in this order */
    size_t count;                             /* 0: static */
    double tail_share;                        /* in (0, 1], of dynamic */
    const char *weights_source; /* name of weights that are given by kind of core; NULL: they are measured */
    double weights[CORE_KINDS]; /* those; 0: none is known of that kind */
    const struct described_platform
        *platform;        /* else from here, e_bw x clock of each kernel; NULL: not from a platform */
    unsigned slow_member; /* its speed is emulated, */
    double slow_speed;    /* in (0, 1); 0: no member's */
};

/** Whether anything was asked for. */
bool plan_schedules_any(const struct plan_schedules *schedules);

/** The weight of a kind of core for a kernel, where weights are given; 0: none is known. */
double plan_schedules_weight(const struct plan_schedules *schedules, const struct kernel *kernel, enum core_kind kind);

/**
 * Whether all can be carried out by teams up to `widest`: there is a second member, the slow one is in it, and given
 * weights know every kind of core in it for every kernel.
 * @return 0, or -EINVAL with one line in why
 */
int plan_schedules_check(const struct plan_schedules *schedules, const struct session *session,
                         const struct kernel *const *kernels, size_t count, unsigned widest, char *why, size_t size);

/** What a request points to, of a team. */
struct plan_schedules_members {
    double speeds[SESSION_CPUS_MAX], weights[SESSION_CPUS_MAX];
    unsigned leaders[SESSION_CPUS_MAX];
};

/** How often something is measured: once for each schedule, and once if there is none. */
size_t plan_schedules_times(const struct plan_schedules *schedules);

/** What the i-th of these times asks of a team for a kernel; points into members, which is filled. */
struct product_schedule_request plan_schedules_request(const struct plan_schedules *schedules,
                                                       const struct session *session, const struct kernel *kernel,
                                                       unsigned threads, size_t i,
                                                       struct plan_schedules_members *members);

/**
 * The product of a kernel on a shape with this many tokens (PRODUCT_GEMV: its GEMV) by a team, once for each schedule, and by each
 * of its kinds of members alone, unless that is there; of a GEMV also what the members of the team attain while all of them
 * work. 0 or -ENOMEM.
 */
int plan_schedules_add(const struct plan_schedules *schedules, const struct session *session, struct cells *cells,
                       const struct kernel *kernel, const struct shape *shape, size_t tokens, unsigned threads,
                       bool cold);
