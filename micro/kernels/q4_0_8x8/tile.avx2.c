/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens: blocks of 16 rows are brought into the order of q4_0_m16 in scratch, once for all tokens.
 */
#include "micro/kernels/products_words_avx2.h"
#include "micro/kernels/q4_0/codes_256.h"
#include "micro/kernels/q4_0_8x8/layout.h"

#include "micro/kernels/gemm_interleave_chunks.h"

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q4_0_m16.offset.avx2");
