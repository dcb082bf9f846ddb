/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, of rows whose codes are unpacked once for all tokens.
 */
#include "micro/kernels/gemm_group_scales_avx512_vnni.h"

#include "micro/kernels/q3_k/unpack.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("q3_k.rows.avx512_vnni");
