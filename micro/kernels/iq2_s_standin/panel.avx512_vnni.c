/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, of rows whose vectors are looked up once for all tokens.
 */
#include "micro/kernels/gemm_group_scales_avx512_vnni.h"

#include "micro/kernels/iq2_s_standin/unpack.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("iq2_s_standin.grid.avx512_vnni");
