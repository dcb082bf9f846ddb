/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens: blocks of 16 rows are brought into the order of iq4_nl_m16 in scratch, once for all tokens.
 */
#include "micro/kernels/iq4_nl/codes_signed_256.h"
#include "micro/kernels/iq4_nl_8x8/layout.h"
#include "micro/kernels/products_avx2.h"

#include "micro/kernels/gemm_interleave_chunks.h"

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("iq4_nl_m16.sign.avx2");
