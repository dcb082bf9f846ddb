/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens: blocks of 16 rows are interleaved in scratch to those of iq4_nl_m16.
 */
#include "micro/kernels/iq4_nl/codes_256.h"
#include "micro/kernels/iq4_nl/layout.h"
#include "micro/kernels/products_avx_vnni.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_LINES       4
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("iq4_nl_m16.offset.avx_vnni");
