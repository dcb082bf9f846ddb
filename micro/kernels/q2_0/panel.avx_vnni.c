/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens; codes are unpacked to bytes once for all of them: gemm_fields.h.
 */
#include "micro/kernels/products_avx_vnni.h"
#include "micro/kernels/q2_0/layout.h"

#include "micro/kernels/gemm_fields.h"

const struct kernel SELF = GEMM_KERNEL("q2_0_m16.lanes.avx_vnni");
