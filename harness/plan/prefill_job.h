/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/plan/decode_job.h"

/**
 * Prompts of a job: what the model of a prompt's time is made of (a sweep of each kernel's GEMM over numbers of tokens, beta,
 * the barrier, attention, operands), and then the prompts, in visits of random order. Errors: 0 or negative errno with one
 * line in why.
 */

/** Which kernels cannot be run here, noted in left_out. @return -EINVAL, -ENOMEM if one was named, or all cannot */
int prefill_job_check(struct decode_job *job, const struct session *session, char *why, size_t size);

/** Add the prompts of all kernels that are not left out. */
int prefill_job_add(const struct decode_job *job, struct cells *cells);

/** What of a job of some seconds passes of GEMMs are predicted from takes, about. */
#define PREFILL_JOB_CONSTANTS_S 10.0

/** Measure that, of prompts or of several users. @return as cells_visit, with one line in why */
int prefill_job_constants(const struct decode_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, char *why, size_t size);

/** Measure what the predictions rest on, and the prompts. @return as cells_visit, with one line in why */
int prefill_job_measure(const struct decode_job *job, struct session *session, struct cells *cells,
                        const struct execution *execution, char *why, size_t size);
