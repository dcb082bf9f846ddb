/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "harness/cells/decode/decode.h"
#include "harness/plan/plan_schedules.h"
#include "results/tuned/tuning.h"

/**
 * Models to decode: what the model of a token's time is made of (gamma of the kernels' sequences, their omega, beta, the
 * barrier, operands), and then the passes, in visits of random order. Errors: 0 or negative errno with one line in why.
 */
enum { DECODE_JOB_KERNELS = 64, DECODE_JOB_SAMPLES = 16, DECODE_JOB_LENGTHS = 16 };

struct decode_job {
    struct model model;
    const struct kernel *kernels[DECODE_JOB_KERNELS];
    size_t kernel_count;
    bool kernels_named;               /* else what does not fit is left out */
    const struct kernel *head;        /* NULL: of each kernel its own */
    const struct decode_given *given; /* the matrices of the model; NULL: random ones */
    struct decode_lengths
        contexts[DECODE_JOB_LENGTHS]; /* positions that the token attends to, a pass of each; by their mean, ascending */
    size_t context_count;
    unsigned caches; /* 1 << enum layer_cache of each that keys and values are kept in, a pass of each; 0: bf16 */
    size_t users[DECODE_JOB_LENGTHS], user_count; /* ascending: at once, a pass of each by GEMMs; 0: one, by GEMVs */
    size_t distinct;                              /* 0: all, or as many as memory holds */
    size_t prefill[DECODE_JOB_LENGTHS], prefills; /* prompts of these sizes instead (harness/plan/prefill_job.h) */
    unsigned threads;
    const struct tuning_table *tuning; /* that GEMVs take the distance of their prefetch from; NULL: their own */
    struct plan_schedules schedules;   /* of the GEMVs */
    unsigned samples;                  /* of each; 0: DECODE_JOB_SAMPLES */
    char left_out[DECODE_JOB_KERNELS][SESSION_WHY]; /* why a kernel is; empty: it is not */
};

/** The contexts of a job, in any order; none: DECODE_CONTEXT. The numbers of users, likewise. */
void decode_job_set_contexts(struct decode_job *job, const struct decode_lengths *contexts, size_t count);
void decode_job_set_users(struct decode_job *job, const size_t *users, size_t count);

/** Whether its passes multiply many tokens at once, and so have GEMMs. */
static inline bool decode_job_has_gemms(const struct decode_job *job)
{
    return job->prefills || job->user_count;
}

/** Which kernels cannot be decoded with here, noted in left_out. @return -EINVAL, -ENOMEM if one was named, or all cannot */
int decode_job_check(struct decode_job *job, const struct session *session, char *why, size_t size);

/** The work of a kernel of the job: a prompt of this many tokens; 0: a token with the longest context, of the most users. */
struct decode_work decode_job_work(const struct decode_job *job, size_t kernel, size_t tokens);

/** Whether memory and formats hold a work. @return 0; -EINVAL, -ENOMEM with one line in why */
typedef int decode_job_fits(const struct session *session, const struct decode_work *work, char *why, size_t size);

/** Note in left_out which kernels' work, of this many tokens, does not fit. @return as decode_job_check */
int decode_job_leave_out(struct decode_job *job, const struct session *session, size_t tokens, decode_job_fits *fits,
                         char *why, size_t size);

/**
 * The kernels that passes have, each once, without those that only stand for reading.
 * @param heads  with those that nothing but a head has
 * @return       how many, at most `most`
 */
size_t decode_job_kernels(const struct decode_job *job, bool heads, const struct kernel **kernels, size_t most);

/** Seconds that what the predictions rest on and the passes are going to take, as their kinds estimate it before anything is measured. */
struct decode_job_estimate {
    double constants_s, passes_s;
};
struct decode_job_estimate decode_job_estimate(const struct decode_job *job, const struct session *session);

/** What part of the whole the passes begin after. */
double decode_job_begin(const struct decode_job *job, const struct session *session);

/** What the passes are measured with, in this many visits, for this long at most. */
struct effort decode_job_effort(const struct decode_job *job, unsigned visits, double patience_s);

/** Measure the cells from `first` on, unless adding them ended in an error. @return as cells_visit, with one line in why */
int decode_job_measure_from(struct session *session, struct cells *cells, size_t first, const struct effort *effort,
                            const struct execution *execution, int error, char *why, size_t size);

/** Measure what the predictions rest on, and the passes. @return as cells_visit, with one line in why */
int decode_job_measure(const struct decode_job *job, struct session *session, struct cells *cells,
                       const struct execution *execution, char *why, size_t size);
