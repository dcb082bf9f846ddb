/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prepare() and row() of a GEMM whose operand is activations quantized by blocks: of one token, what that operand holds
 * of each. The including .c defines GEMM_COLUMNS, of a block: 32, 64, 128 or 256, and GEMM_FLOAT_SUMS if
 * there is a float of fewer of them.
 */
#ifndef MICRO_FAMILIES_BLOCKS_GEMM_Q8_H
#define MICRO_FAMILIES_BLOCKS_GEMM_Q8_H

#include "micro/kernel.h"
#ifdef __aarch64__
#include "micro/families/blocks/blocks_neon.h"
#else
#include "micro/families/blocks/q8_avx2.h"
#endif

extern const struct format SELF_FORMAT;

#ifndef GEMM_FLOAT_SUMS
#define GEMM_FLOAT_SUMS GEMM_COLUMNS
#endif

#if GEMM_COLUMNS == 32
#define gemm_q8      struct q8_32
#define GEMM_Q8_MAKE q8_32_make
#define GEMM_Q8      q8_32_value
#elif GEMM_COLUMNS == 64
#define gemm_q8      struct q8_64
#define GEMM_Q8_MAKE q8_64_make
#define GEMM_Q8      q8_64_value
#elif GEMM_COLUMNS == 128
#define gemm_q8      struct q8_128
#define GEMM_Q8_MAKE q8_128_make
#define GEMM_Q8      q8_128_value
#else
#define gemm_q8      struct q8_256
#define GEMM_Q8_MAKE q8_256_make
#define GEMM_Q8      q8_256_value
#endif

static void prepare(const void *activations, size_t k, void *prepared)
{
    GEMM_Q8_MAKE(activations, k, prepared);
}

KERNEL_ROW(block_row, GEMM_Q8(prepared, column))

/** A GEMM of gemm_blocks.h, which the gamma of the sequence SELF_MODEL models. */
#define GEMM_KERNEL                                                                                                    \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,             \
        .float_sums = GEMM_FLOAT_SUMS, .error_bound = Q8_ERROR_BOUND, .prepared_bytes_per_step = sizeof(gemm_q8),      \
        .prepare = prepare, .row = block_row, .gemm = GEMM                                                             \
    }

#endif
