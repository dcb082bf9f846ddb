/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_GEMV_JOB_H
#define HARNESS_PLAN_GEMV_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "harness/plan/plan_schedules.h"
#include "micro/shape.h"

/**
 * GEMVs to measure: kernels on shapes with teams. What cannot be measured is refused if it was asked for by name, and
 * left out otherwise. Errors: 0 or negative errno with one line in why.
 */
enum { GEMV_JOB_KERNELS = 256 };

struct gemv_job {
    const struct kernel *kernels[GEMV_JOB_KERNELS];
    size_t kernel_count;
    bool kernels_named; /* else they are all there are */
    struct shape shapes[SHAPES_MAX];
    size_t shape_count;
    size_t shapes_named; /* the first of them, asked for by size; the others are a model's */
    unsigned sizes[16];  /* of the teams */
    size_t teams;
    bool cold, warm; /* one of them, or both */
    bool prefetch_given;
    size_t prefetch_bytes; /* if given: instead of each kernel's own distance */
    unsigned samples;      /* of each; 0: GEMV_JOB_SAMPLES */
    struct plan_schedules schedules;
    bool too_large[GEMV_JOB_KERNELS][SHAPES_MAX];
};

enum { GEMV_JOB_SAMPLES = 24 };

/** Whether the formats hold what they must: -EINVAL if a named pair does not fit, or none at all does. */
int gemv_job_check_formats(const struct gemv_job *job, char *why, size_t size);

/** Whether its schedules can be carried out with its teams. @return as plan_schedules_check */
int gemv_job_check_schedules(const struct gemv_job *job, const struct session *session, char *why, size_t size);

/** Whether there is memory, noted in too_large: -ENOMEM if there is none for a named shape, or for any. */
int gemv_job_check_memory(struct gemv_job *job, const struct session *session, char *why, size_t size);

/**
 * Kernels of plug-ins, once on every matrix that will be measured; those that are caught are taken out of the job.
 * Dissolves the team. -ENOMEM
 */
int gemv_job_try(struct gemv_job *job, struct session *session, char *why, size_t size);

/** Whether kernel and shape, by their numbers, are left out, and why. */
bool gemv_job_leaves_out(const struct gemv_job *job, size_t kernel, size_t shape, char *why, size_t size);

/** Add the read roof of each team, so that one which a run has chosen can be restored before it is measured. -ENOMEM */
int gemv_job_add_roofs(const struct gemv_job *job, const struct session *session, struct cells *cells);

/**
 * Measure into a plan that is empty or has the roofs: what the GEMVs are held against (gamma of their sequences, the preparation of their
 * operands, the barrier, the roof of each team), then the GEMVs.
 * @return as cells_visit, with one line in why
 */
int gemv_job_measure(const struct gemv_job *job, struct session *session, struct cells *cells,
                     const struct execution *execution, char *why, size_t size);

#endif
