/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of what never ends, as child_standin.c: KNEEPOINT_CHILD_LIMIT_MS is the limit of workers, too.
 */
#include <stdlib.h>

#include "platforms/process/worker.h"

void __real_worker_run(const struct worker_job *job, struct worker_result *result);
void __wrap_worker_run(const struct worker_job *job, struct worker_result *result);

void __wrap_worker_run(const struct worker_job *job, struct worker_result *result)
{
    const char *given = getenv("KNEEPOINT_CHILD_LIMIT_MS");
    unsigned long sooner = given ? strtoul(given, NULL, 10) : 0;
    struct worker_job own = *job;
    if (sooner && sooner < own.limit_ms)
        own.limit_ms = (unsigned)sooner;
    __real_worker_run(&own, result);
}
