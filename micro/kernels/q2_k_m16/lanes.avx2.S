/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows, 8 of them at a time.
 */
#include "micro/kernels/q2_k_m16/layout.h"

#define SUMS_OF_WORDS
#include "micro/kernels/q2_k_m16/lanes_256.h"
