/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in codebook.avx512_vnni.S.
 */
#include "micro/kernels/cb3/codebook.avx512_vnni.S"

const struct kernel SELF = CODEBOOK_LANES_KERNEL;
