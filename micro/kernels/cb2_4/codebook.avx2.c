/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in codebook.avx2.S.
 */
#include "micro/kernels/cb2_4/codebook.avx2.S"

const struct kernel SELF = CODEBOOK_LANES_KERNEL;
