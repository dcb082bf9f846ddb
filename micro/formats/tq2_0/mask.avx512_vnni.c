/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of tq2_0 as they are stored, four side by side: a block is one register, one shift brings its fields
 * to weight 1 or 4, and each weight has its sums. Four times the sum meets a quarter of the scale.
 */
#include <stdint.h>

#include "micro/families/blocks/q8.h"

struct tq2_0_fields {
    int8_t field[4][64]; /* what the fields of the block's bytes meet, bits 1:0 first */
    int32_t offset[16];  /* of each lane, -4 times the sum of what it meets */
    float scales[4];     /* a quarter of the scales of this block and the next */
    float unused[12];
};

static inline double tq2_0_value(const struct tq2_0_fields *a, size_t column)
{
    return 4.0 * a->scales[0] * a->field[column % 128 / 32][column / 128 * 32 + column % 32];
}

#define BLOCK_ACTIVATIONS struct tq2_0_fields
#define BLOCK_VALUE       tq2_0_value

#include "micro/families/blocks/block_rows_avx512.h"

ROWS_INLINE __m512i block_whole(const uint8_t *weights, bool is_first, const struct tq2_0_fields *a)
{
    (void)is_first;
    const __m512i ones = _mm512_set1_epi8(0x03), fours = _mm512_set1_epi8(0x0c);
    __m512i w = _mm512_loadu_si512(weights);
    ROWS_IN_REGISTER(w);
    __m512i upper = _mm512_srli_epi16(w, 4);
    __m512i one = _mm512_setzero_si512(), four = _mm512_load_si512(a->offset);
    one = _mm512_dpbusd_epi32(one, _mm512_and_si512(w, ones), _mm512_load_si512(a->field[0]));
    four = _mm512_dpbusd_epi32(four, _mm512_and_si512(w, fours), _mm512_load_si512(a->field[1]));
    one = _mm512_dpbusd_epi32(one, _mm512_and_si512(upper, ones), _mm512_load_si512(a->field[2]));
    four = _mm512_dpbusd_epi32(four, _mm512_and_si512(upper, fours), _mm512_load_si512(a->field[3]));
    return _mm512_add_epi32(_mm512_slli_epi32(one, 2), four);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct tq2_0_fields *blocks = prepared;
    for (size_t i = 0; i < k / BLOCK_COLUMNS; i++) {
        struct tq2_0_fields *block = &blocks[i];
        struct q8_256 q8;
        q8_256_make(x + i * BLOCK_COLUMNS, BLOCK_COLUMNS, &q8);
        block->scales[0] = q8.scale / 4;
        for (size_t f = 0; f < 4; f++) {
            memcpy(block->field[f], q8.q + 32 * f, 32);
            memcpy(block->field[f] + 32, q8.q + 128 + 32 * f, 32);
        }
        block_offsets((const int8_t(*)[64])block->field, 4, block->offset);
        for (size_t lane = 0; lane < 16; lane++)
            block->offset[lane] *= 4;
        memset(block->unused, 0, sizeof block->unused);
    }
    block_scales(blocks, k / BLOCK_COLUMNS);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 3072,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct tq2_0_fields),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
