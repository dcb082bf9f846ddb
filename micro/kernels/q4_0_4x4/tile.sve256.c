/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two panels of four rows as they are interleaved, by four bytes, whose words tbl brings together by rows, then smmla on 256 bits: gemm_block32_aarch64.h.
 */
#include "micro/kernels/q4_0_4x4/layout.h"

#define CODE_CHUNK  4
#define CODE_TURNED 0
#include "micro/kernels/q4_0/codes_aarch64.h"

#include "micro/kernels/gemm_block32_aarch64.h"

const struct kernel SELF = GEMM_BLOCK32_KERNEL("q4_0.mmla.sve256");
