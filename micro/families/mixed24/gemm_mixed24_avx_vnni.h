/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_mixed24.h by vpdpbusd with 256-bit registers: 16 rows by three tokens.
 */
#include "micro/families/mixed24/gemm_mixed24_256.h"

ROWS_INLINE gemm_lanes gemm_dot(gemm_lanes sum, gemm_lanes codes, gemm_lanes activations)
{
    return (gemm_lanes)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)codes, (__m256i)activations);
}

#include "micro/families/mixed24/gemm_mixed24_vnni.h"
