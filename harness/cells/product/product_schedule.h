/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/team/schedule.h"
#include "micro/shape.h"

/**
 * What a GEMV, GEMM or decode cell has that is not shared equally by a team of its own speed: a schedule of uneven shares, members whose
 * speed is emulated, or a single member other than the first.
 */
struct product_schedule {
    enum schedule_kind kind;
    double tail_share;   /* of dynamic */
    const char *weights; /* where they are from: "measured", or a name that outlives the cell; "" where none are needed */
    bool weighed;        /* the weights are known */
    bool contended; /* no schedule's time: what its members attain while all work (harness/cells/product/team_balance.h) */
    size_t weights_n; /* kept samples that measured weights rest on */
    unsigned members;
    double *weight;            /* [members] > 0, the largest 1; all 1 until they are known */
    double *speed;             /* [members] in (0, 1]: of its own speed, emulated where it is below 1 */
    unsigned *leader;          /* [members] first member of the widest team on the same kind of core */
    uint64_t *pieces;          /* [members] of the tail that it drew in all calls that this process counted */
    struct schedule_tail tail; /* of the latest visit; what it is follows from kernel, shape and team */
};

/** What is asked for. */
struct product_schedule_request {
    enum schedule_kind kind;
    double tail_share;          /* in (0, 1], of dynamic */
    const double *weights;      /* [threads] > 0; NULL: measured when the cell is first visited */
    const char *weights_source; /* name of given ones, which outlives the cell */
    const double *speeds;       /* [threads] in (0, 1]; NULL: all their own */
    const unsigned *leaders; /* [threads] first member of the widest team on the same kind of core; NULL: the first */
    bool contended;          /* the members of a weighted schedule while all work, in place of its time */
};

/** Whether it is what a cell without a schedule does: equal shares of a team of its own speed. */
bool product_schedule_is_plain(const struct product_schedule_request *request, unsigned threads);

/** NULL without memory. Freed by product_schedule_release. */
struct product_schedule *product_schedule_make(const struct product_schedule_request *request, unsigned threads);
/** All that it is in memory, for a copy of a process; NULL without one. */
void *product_schedule_memory(struct product_schedule *schedule, size_t *bytes);
void product_schedule_release(struct product_schedule *schedule);

/** How the team is to share; equal for NULL. Points into it. */
struct schedule product_schedule_of(const struct product_schedule *schedule);

/** Whether weights are still to be measured. */
bool product_schedule_needs_weights(const struct product_schedule *schedule);

/** Whether its weights are measured, and not given. */
bool product_schedule_measures_weights(const struct product_schedule *schedule);

/** Replace the weights, with rates of any unit: the largest becomes 1. */
void product_schedule_set_weights(struct product_schedule *schedule, const double *rates);

/** Whether a member's speed is emulated. */
bool product_schedule_is_emulated(const struct product_schedule *schedule);

/**
 * What follows the name of a plain cell: "/schedule=dynamic", "/tail=50%", "/weights=arl", "/member=1",
 * "/speed=1:0.5", "/contended", each where it differs from the plain one.
 */
void product_schedule_suffix(const struct product_schedule *schedule, unsigned member, char *text, size_t size);

/** Append the suffix to the name of a cell. */
void product_schedule_name(const struct product_schedule *schedule, struct cell *cell);

/** The weights go into the record of type "cell" and come back from it; others than a team's are not taken. */
void product_schedule_describe(const struct product_schedule *schedule, json_t *record);
void product_schedule_restore(struct product_schedule *schedule, const json_t *record);
