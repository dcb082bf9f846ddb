/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What kernels of rows as they are stored share, beside block_rows.h: their operand, scales of a block, and the kernel. Included after the
 * blocks_*.h of an instruction set and before block_rows.h.
 */
#ifndef MICRO_KERNELS_IQ2_S_STANDIN_ROWS_H
#define MICRO_KERNELS_IQ2_S_STANDIN_ROWS_H

#include "micro/kernels/iq2_s_standin/grid.h"
#include "micro/kernels/iq2_s_standin/layout.h"
#include "micro/kernels/q8_avx2.h"
#include "micro/kernels/rows.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Of each 16 columns twice the scale and 1, a byte. */
ROWS_INLINE __m128i group_scales(const uint8_t *weights)
{
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(weights + SCALES));
    __m128i both = _mm_unpacklo_epi8(_mm_and_si128(bytes, nibble), _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble));
    return _mm_add_epi8(_mm_add_epi8(both, both), _mm_set1_epi8(1));
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

/** A kernel whose sequence has its name; sums: its float_sums. */
#define IQ2_S_KERNEL(sums)                                                                                             \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_NAME, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,              \
        .float_sums = (sums), .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                             \
        .prepared_bytes_per_step = sizeof(struct q8_256), .prepare = prepare, .row = block_row                         \
    }

#endif
