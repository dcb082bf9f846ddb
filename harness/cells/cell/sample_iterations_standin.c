/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of what code does in this many iterations: KNEEPOINT_ITERATIONS of a sample, on a machine of any speed.
 */
#include <stdlib.h>

#include "harness/cells/cell/sample_iterations.h"

uint64_t __real_sample_iterations(double cycles);
uint64_t __wrap_sample_iterations(double cycles);

uint64_t __wrap_sample_iterations(double cycles)
{
    const char *given = getenv("KNEEPOINT_ITERATIONS");
    return given ? strtoul(given, NULL, 10) : __real_sample_iterations(cycles);
}
