/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_GEMM_JOB_H
#define HARNESS_PLAN_GEMM_JOB_H

#include "harness/plan/product_job.h"

/** GEMMs to measure: a product_job with numbers of tokens. Errors: 0 or negative errno with one line in why. */

/**
 * Whether its schedules can be carried out with its teams (plan_schedules_check), each having a panel or more for every
 * member, and there is memory for the most tokens (product_job_check_memory).
 */
int gemm_job_check(struct product_job *job, const struct session *session, char *why, size_t size);

/**
 * Measure into a plan that is empty or has the roofs: what the GEMMs are held against (gamma of what only multiplies, the
 * preparation of their tokens, the barrier, the roofs), then the GEMMs; of those that take long fewer samples.
 * @return as cells_visit, with one line in why
 */
int gemm_job_measure(const struct product_job *job, struct session *session, struct cells *cells,
                     const struct execution *execution, char *why, size_t size);

#endif
