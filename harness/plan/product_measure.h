/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/plan/product_job.h"

/** GEMVs to measure, or GEMMs: a product_job with numbers of tokens. Errors: 0 or negative errno with one line in why. */

/**
 * Whether its schedules can be carried out with its teams (plan_schedules_check), of GEMMs each having a panel or more for
 * every member, and there is memory (product_job_check_memory).
 */
int product_job_check(struct product_job *job, const struct session *session, char *why, size_t size);

/** What measuring takes, as the kinds of its cells estimate it. */
double product_job_seconds(const struct product_job *job, const struct session *session);

/**
 * Measure into a plan that is empty or has the roofs: what the products are held against (gamma of the GEMVs' sequences or of what
 * only multiplies, the preparation of their operands, the barrier, the roof of each team), then the products; of GEMMs that
 * take long fewer samples.
 * @return as cells_visit, with one line in why
 */
int product_job_measure(const struct product_job *job, struct session *session, struct cells *cells,
                        const struct execution *execution, char *why, size_t size);
