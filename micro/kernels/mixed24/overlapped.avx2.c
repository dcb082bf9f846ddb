/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in overlapped.avx2.S.
 */
#include "micro/kernels/mixed24/overlapped.avx2.S"

const struct kernel SELF = MIXED24_FLOATS_KERNEL;
