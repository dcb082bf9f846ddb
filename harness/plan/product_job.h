/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "harness/cells/product/product_work.h"
#include "harness/plan/plan_schedules.h"
#include "micro/shape.h"
#include "results/tuned/tuning.h"

/**
 * Products to measure, GEMVs or GEMMs: kernels on shapes with teams. What cannot be measured is refused if it was asked
 * for by name, and left out otherwise. Errors: 0 or negative errno with one line in why.
 */
enum {
    PRODUCT_JOB_KERNELS = 1024,
    PRODUCT_JOB_TOKENS = 64,
    PRODUCT_JOB_SAMPLES = 24,
    PRODUCT_JOB_VISITS = 4,
    PRODUCT_JOB_PATIENCE_S = 15
};

/** A kernel on a shape of a job, and what its format says of it: asked once, by product_job_pair. */
struct product_pair {
    const struct kernel *kernel;
    const struct shape *shape;
    enum { PAIR_MEASURED, PAIR_DOES_NOT_FIT, PAIR_TOO_LARGE } state;
    bool shape_named;    /* asked for by size */
    size_t packed_bytes; /* 0 where it does not fit */
};

struct product_job {
    const struct kernel *kernels[PRODUCT_JOB_KERNELS];
    size_t kernel_count;
    bool kernels_named; /* else they are all there are */
    struct shape shapes[SHAPES_MAX];
    size_t shape_count;
    size_t shapes_named; /* the first of them, asked for by size; the others are a model's */
    unsigned sizes[16];  /* of the teams */
    size_t teams;
    bool cold, warm;   /* one of them, or both */
    bool reads;        /* of each cold GEMV also a read of as many bytes */
    bool beside_peers; /* held against each other alone: what only the model needs is not measured */
    bool prefetch_given;
    size_t prefetch_bytes; /* if given: instead of each kernel's own distance */
    unsigned samples;      /* of each; 0: PRODUCT_JOB_SAMPLES, of GEMMs that take long fewer */
    struct plan_schedules schedules;
    size_t tokens[PRODUCT_JOB_TOKENS]; /* of GEMMs */
    size_t token_count;                /* 0: GEMVs */
    const struct tuning_table *tuning; /* that plain products take their settings from; NULL: the kernels' own */
    struct product_pair *pairs;        /* each kernel on each shape */
    size_t pair_count;
    struct product_tried {
        struct product_work work; /* warm */
        double call_s;
    } * tried; /* what calls took that product_job_try made of kernels of plug-ins */
    size_t tried_count;
};

/** What product_job_pair and product_job_try reserved, and the job, which calloc made. */
void product_job_free(struct product_job *job);

/** Pair the kernels with the shapes: -EINVAL if a named pair does not fit, or none at all does; -ENOMEM */
int product_job_pair(struct product_job *job, char *why, size_t size);

/**
 * Whether there is memory, for the most tokens, noted in the pairs: -ENOMEM if there is none for a named shape, or for any.
 * @param shares_tokens  a team may share the tokens of a GEMM in place of its panels, so that each member has all weights
 */
int product_job_check_memory(struct product_job *job, const struct session *session, bool shares_tokens, char *why,
                             size_t size);

/**
 * Kernels of plug-ins, once on every matrix that will be measured; those that are caught are taken out of the job.
 * Dissolves the team. -ENOMEM
 */
int product_job_try(struct product_job *job, struct session *session, char *why, size_t size);

/** Whether a pair is left out, and why. */
bool product_pair_is_left_out(const struct product_pair *pair, char *why, size_t size);

/**
 * Add a kernel on a shape with this many tokens (PRODUCT_GEMV: its GEMV), with every team and schedule of the job, and its members
 * alone if schedules were asked for. -ENOMEM
 */
int product_job_add(const struct product_job *job, const struct session *session, struct cells *cells,
                    const struct kernel *kernel, const struct shape *shape, size_t tokens);

/** Add the barrier of each team. -ENOMEM */
int product_job_add_barriers(const struct product_job *job, struct cells *cells);

/**
 * Of cold products: repacking to each kernel's order from the rows of a model file, one thread and the widest team of the
 * job, on the first shape for which there is memory: it takes as long a byte on others. -ENOMEM
 */
int product_job_add_repacking(const struct product_job *job, const struct session *session, struct cells *cells);

/**
 * Measure what is reported beside the products, cells from `first` on: few samples of each until they are enough for a
 * number; then the roofs of memory and of the levels that warm products read. As cells_visit.
 */
int product_job_measure_beside(const struct product_job *job, struct session *session, struct cells *cells,
                               size_t first, const struct execution *execution, size_t *failed);

/**
 * This many samples of each in this many visits, then more for those with too few for a number, and where a dozen are asked for or more,
 * with too few to compete (BEST_OF_KEPT_LEAST), for at most patience_s.
 */
struct effort product_job_effort(unsigned samples, unsigned visits, double patience_s);

/** What the two take, as the kinds of their cells estimate it; the first roofs are searched for. */
double product_job_beside_seconds(const struct product_job *job, const struct session *session,
                                  const struct cells *cells, size_t first);
double product_job_rounds_seconds(const struct product_job *job, const struct session *session,
                                  const struct cells *cells, size_t first, size_t end, const struct effort *effort);

/**
 * Measure cells [first, end) and, before and after each round of them, what memory gives: a beta of another minute
 * predicts nothing where neighbours come and go; not of peers, which nothing is predicted of. As cells_visit.
 */
int product_job_measure_rounds(const struct product_job *job, struct session *session, struct cells *cells,
                               size_t first, size_t end, const struct effort *effort, const struct execution *execution,
                               size_t *failed);
