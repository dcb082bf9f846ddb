/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_cells.h"

/**
 * What the model says of GEMV cells (roofline/overlap.h), from what the same run measured of the machine (beta of level
 * and team, the start of a call, the barrier) and of the kernel (B, gamma, omega). Of the cell itself only its clock is
 * used. beta of memory is that of the roof read beside other cells about when the cell was measured
 * (harness/cells/cell/roof_paired.h), and where there are too few of them the run's.
 *
 * omega of a kernel is calibrated on one cell, GEMV_CALIBRATION_SIDE squared, cold, with one thread. Every other cell is
 * held out.
 *
 * What a call costs beyond reading and computing (first misses of code, operands and weights, prefetchers that have yet
 * to see a stream, the barrier at its end) is about the same for all kernels. It is measured on a small matrix of a kernel
 * that up-converts nothing: cold of 128 KiB, which is what prefetchers take to run ahead; warm of next to nothing.
 */
enum { GEMV_CALIBRATION_SIDE = 4096 };

/** Whether a cell is the one that omega of its kernel is taken from. */
bool gemv_is_calibration(const struct cell *cell);

/** Whether a cell is one that the start of a call is taken from. */
bool gemv_is_start(const struct session *session, const struct cell *cell);

/** Add the calibration cell of a kernel, unless it is there or its format cannot have it. 0 or -ENOMEM. */
int gemv_add_calibration(struct cells *cells, const struct kernel *kernel);

/** Add the cell that tells the start of a call on this team, unless it is there; nothing without such a kernel. */
int gemv_add_start(struct cells *cells, const struct session *session, unsigned threads, bool cold);

/** Seconds of a call's start, its barrier included; NaN where it was not measured. */
double gemv_start_time(const struct session *session, const struct cells *cells, unsigned threads, bool cold);

/** omega of a kernel, each sample of its calibration cell one value; the interval is propagated from time, beta, gamma. */
struct gemv_omega {
    struct graded quantity;
    double time_s, start_s, memory_s, compute_s; /* of the calibration cell */
    double gamma;                                /* cycles */
    unsigned accumulators;                       /* with this many */
    const char *why;                             /* it has no omega; NULL: it has one */
};
struct gemv_omega gemv_omega(const struct session *session, const struct cells *cells, const struct kernel *kernel);

/** Seconds of the parts and the whole; NaN where a part was not measured, or not often enough. */
struct gemv_model {
    double gamma; /* on the first member's kind of core */
    unsigned accumulators;
    double shared_s;  /* all bytes at beta of the level and team */
    double memory_s;  /* a member's bytes at beta of the level and one thread */
    double compute_s; /* of the slowest kind of core in the team */
    double start_s;   /* of the call, the barrier included; the barrier alone where no start was measured */
    double sync_s;    /* of the barrier */
    double omega;
    double max_s;     /* max(shared, compute) + start: reading and computing hide behind each other */
    double overlap_s; /* the overlap model + start */
    double serial_s;  /* shared + compute + start */
    const char *why;  /* there is no overlap_s */
};
struct gemv_model gemv_model(const struct session *session, const struct cells *cells, const struct cell *cell);

/** The same of a GEMV that is no cell, at a clock of the core. */
struct gemv_model gemv_model_of(const struct session *session, const struct cells *cells,
                                const struct product_work *work, double clock_hz);

/** Record of type "omega" beside that of the calibration cell of a kernel; NULL for any other cell. New reference. */
json_t *gemv_omega_record(const struct session *session, const struct cells *cells, const struct cell *cell);

/** What a GEMV cell says; NULL without memory. New reference. */
json_t *gemv_record(const struct session *session, const struct cells *cells, const struct cell *cell);
