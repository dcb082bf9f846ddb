/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/sample_iterations.h"

uint64_t sample_iterations(double cycles)
{
    double iterations = cycles > 1 ? SAMPLE_CYCLES / cycles : SAMPLE_CYCLES;
    return iterations < 4 ? 4 : (uint64_t)iterations;
}
