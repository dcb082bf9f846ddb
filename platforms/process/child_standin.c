/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of what never ends: where KNEEPOINT_CHILD_LIMIT_MS says so, a process apart is stopped that early, and nobody
 * waits for the limit that ships.
 */
#include <stdlib.h>

#include "platforms/process/child.h"

void __real_child_run(void (*body)(void *argument, void *report), void *argument, void *report, size_t report_bytes,
                      unsigned limit_ms, struct child_result *result);
void __wrap_child_run(void (*body)(void *argument, void *report), void *argument, void *report, size_t report_bytes,
                      unsigned limit_ms, struct child_result *result);

void __wrap_child_run(void (*body)(void *argument, void *report), void *argument, void *report, size_t report_bytes,
                      unsigned limit_ms, struct child_result *result)
{
    const char *given = getenv("KNEEPOINT_CHILD_LIMIT_MS");
    unsigned long sooner = given ? strtoul(given, NULL, 10) : 0;
    if (sooner && sooner < limit_ms)
        limit_ms = (unsigned)sooner;
    __real_child_run(body, argument, report, report_bytes, limit_ms, result);
}
