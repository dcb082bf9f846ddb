/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens; codes are unpacked to bytes once for all of them: gemm_fields.h.
 */
#include "micro/kernels/products_words_avx2.h"
#include "micro/kernels/q1_0_m16/layout.h"

#include "micro/kernels/gemm_fields.h"

const struct kernel SELF = GEMM_KERNEL("q1_0_m16.lanes.avx2");
