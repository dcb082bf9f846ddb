/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_CELL_SAMPLE_ITERATIONS_H
#define HARNESS_CELLS_CELL_SAMPLE_ITERATIONS_H

#include <stdint.h>

/** Core cycles of the shorter sample of a pair; as many iterations are the most there are. */
enum { SAMPLE_CYCLES = 40000 };

/** Iterations of a loop in such a sample, if one takes this many core cycles: 4 to SAMPLE_CYCLES. Pure. */
uint64_t sample_iterations(double cycles);

#endif
