/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side. Lower bits of a block are one register, and its upper bits, broadcast to
 * both halves and shifted there, meet fields at bits 2:0 and 4:2: what is at the latter is four times too large, and has lanes of its own to
 * the end of the row. Four products fit 16 bits (28 * 127 * 4); the sums of two fields are packed, have -4 and -16 times their activations added, which makes
 * codes weights, and meet the scales of their groups in one vpdpwssd.
 */
#include "micro/formats/q3_k/operand.h"

/** Of a block: no more than is read, since with four rows beside it the activations of 8960 columns fill the first-level cache. */
struct q3_k_fields {
    int8_t field[4][64]; /* as codes lie */
    int16_t
        start[2][32]; /* of fields 2 pair and 2 pair + 1, packed as their sums: -4 and -16 times what four bytes meet */
    float scale;
    float unused[15];
} __attribute__((aligned(64)));

static inline double q3_k_field_value(const struct q3_k_fields *a, size_t column)
{
    return (double)a->scale * a->field[column % 128 / 32][column / 128 * 32 + column % 32];
}

#define BLOCK_ACTIVATIONS struct q3_k_fields
#define BLOCK_VALUE       q3_k_field_value
#define BLOCK_FLOATS      "micro/families/blocks/blocks_avx512.h"
#define BLOCKS_TOGETHER   4
#define ROW_BY_ROW        0
#include BLOCK_FLOATS

#define BLOCK_LANES(sum) _mm512_mul_ps(sum, _mm512_broadcast_f32x4(_mm_setr_ps(1, 1, 0.25f, 0.25f)))

/** Of the 16 groups, words. */
ROWS_INLINE __m256i block_scales(const uint8_t *weights)
{
    int64_t low;
    int32_t high;
    memcpy(&low, weights + BLOCK_SCALES, sizeof low);
    memcpy(&high, weights + BLOCK_SCALES + 8, sizeof high);
    __m128i scales = _mm_srlv_epi64(_mm_set1_epi64x(low), _mm_setr_epi32(0, 0, 4, 0));
    __m128i upper = _mm_rolv_epi32(_mm_set1_epi32(high), _mm_setr_epi32(4, 2, 0, 30));
    scales = _mm_and_si128(scales, _mm_set1_epi8(15));
    scales = _mm_ternarylogic_epi32(scales, upper, _mm_set1_epi8(0x30), 0xf8); /* scales | upper & 0x30 */
    return _mm256_cvtepi8_epi16(_mm_sub_epi8(scales, _mm_set1_epi8(32)));
}

/** Fields 2 pair and 2 pair + 1, of lower bits at bits 3:0 and upper ones at bits 2 and 4, times the scales of their groups. */
ROWS_INLINE __m512i add_fields(__m512i sum, __m512i low, __m512i first, __m512i second, __m256i scales, int pair,
                               const struct q3_k_fields *a)
{
    const __m512i groups =
        _mm512_setr_epi64(0x0000000000000000, 0x0002000200020002, 0x0001000100010001, 0x0003000300030003,
                          0x0008000800080008, 0x000a000a000a000a, 0x0009000900090009, 0x000b000b000b000b);
    __m512i one = _mm512_and_si512(low, _mm512_set1_epi8(0x03)), four = _mm512_and_si512(low, _mm512_set1_epi8(0x0c));
    one = _mm512_ternarylogic_epi32(one, first, _mm512_set1_epi8(0x04), 0xf8); /* one | first & 0x04 */
    four = _mm512_ternarylogic_epi32(four, second, _mm512_set1_epi8(0x10), 0xf8);
    one = _mm512_dpbusd_epi32(_mm512_setzero_si512(), one, _mm512_load_si512(a->field[2 * pair]));
    four = _mm512_dpbusd_epi32(_mm512_setzero_si512(), four, _mm512_load_si512(a->field[2 * pair + 1]));
    __m512i index = _mm512_add_epi16(groups, _mm512_set1_epi16((short)(4 * pair)));
    __m512i spread = _mm512_permutexvar_epi16(index, _mm512_castsi256_si512(scales));
    __m512i sums = _mm512_add_epi16(_mm512_packs_epi32(one, four), _mm512_load_si512(a->start[pair]));
    return _mm512_dpwssd_epi32(sum, sums, spread);
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q3_k_fields *a)
{
    ROWS_READ_AGAIN(a);
    __m512i low = _mm512_loadu_si512(weights + BLOCK_CODES);
    __m512i high = _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)weights));
    ROWS_IN_REGISTER(low);
    high = _mm512_srlv_epi64(high, _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4));
    __m256i scales = block_scales(weights);
    __m512i whole =
        add_fields(_mm512_setzero_si512(), low, _mm512_slli_epi64(high, 2), _mm512_slli_epi64(high, 3), scales, 0, a);
    whole = add_fields(whole, _mm512_srli_epi16(low, 4), high, _mm512_slli_epi64(high, 1), scales, 1, a);
    uint16_t half;
    memcpy(&half, weights + BLOCK_D, sizeof half);
    __m128 d = _mm_mul_ss(_mm_cvtph_ps(_mm_cvtsi32_si128(half)), _mm_set_ss(a->scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), _mm512_broadcastss_ps(d), sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct q3_k_fields *to = prepared;
    for (size_t i = 0; i < k; i += BLOCK_COLUMNS, to++) {
        struct q3_k_operand block;
        q3_k_prepare(x + i, BLOCK_COLUMNS, &block);
        memset(to, 0, sizeof *to);
        memcpy(to->field, block.field, sizeof to->field);
        to->scale = block.q8.scale;
        for (size_t pair = 0; pair < 2; pair++) {
            __m512i packed = _mm512_packs_epi32(_mm512_load_si512(block.start[2 * pair]),
                                                _mm512_load_si512(block.start[2 * pair + 1]));
            _mm512_store_si512(to->start[pair], packed);
        }
    }
}

const struct kernel SELF = Q3_K_ROWS_KERNEL(3072);

#include "micro/frames/gamma.h"
