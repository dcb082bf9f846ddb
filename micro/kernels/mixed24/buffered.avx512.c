/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in buffered.avx512.S.
 */
#include "micro/kernels/mixed24/buffered.avx512.S"

const struct kernel SELF = MIXED24_FLOATS_KERNEL;
