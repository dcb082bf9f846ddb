/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests: no others are at work, or as many CPUs' worth as KNEEPOINT_OTHERS says, whatever else the machine does.
 */
#include "platforms/system/others.h"

#include <stdlib.h>

double __wrap_others_cpus(const char *root, const struct others *begin);

double __wrap_others_cpus(const char *root, const struct others *begin)
{
    (void)root, (void)begin;
    const char *cpus = getenv("KNEEPOINT_OTHERS");
    return cpus ? strtod(cpus, NULL) : 0;
}
