/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in codebook.avx_vnni.S.
 */
#include "micro/kernels/cb2_4/codebook.avx_vnni.S"

const struct kernel SELF = CODEBOOK_LANES_KERNEL;
