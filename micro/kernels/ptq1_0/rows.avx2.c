/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side, whose digits are taken apart: rows_256.h.
 */
#include "micro/kernels/ptq1_0/layout.h"

#define SUMS_OF_WORDS
#include "micro/kernels/ptq1_0/rows_256.h"

const struct kernel SELF = PTQ1_0_ROWS_KERNEL(2048);
