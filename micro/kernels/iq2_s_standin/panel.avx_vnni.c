/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 rows by four tokens, of rows whose vectors are looked up once for all tokens.
 */
#include "micro/kernels/gemm_group_scales_avx_vnni.h"

#include "micro/kernels/iq2_s_standin/unpack.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("iq2_s_standin.grid.avx2");
