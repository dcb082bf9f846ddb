/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of what never ends: where KNEEPOINT_CHILD_LIMIT_MS says so, a worker is stopped that early, without waiting for the
 * limit that ships. On a recorded machine (platforms/machine/machine_standin.h) none is started: what they call is code that this
 * machine may not have.
 */
#include <errno.h>
#include <stdlib.h>

#include "platforms/machine/machine_standin.h"
#include "platforms/process/worker.h"

void __real_worker_run(const struct worker_job *job, struct worker_result *result);
void __wrap_worker_run(const struct worker_job *job, struct worker_result *result);

void __wrap_worker_run(const struct worker_job *job, struct worker_result *result)
{
    const char *given = getenv("KNEEPOINT_CHILD_LIMIT_MS");
    unsigned long sooner = given ? strtoul(given, NULL, 10) : 0;
    struct worker_job own = *job;
    if (machine_standin_folder()) {
        *result = (struct worker_result){.outcome = WORKER_FAILED, .detail = ENOTSUP};
        return;
    }
    if (sooner && sooner < own.limit_ms)
        own.limit_ms = (unsigned)sooner;
    __real_worker_run(&own, result);
}
