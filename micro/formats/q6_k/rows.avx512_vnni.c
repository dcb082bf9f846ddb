/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side. A register of lower bits is 64 columns in its low nibbles and the next 64
 * in its high ones, and both halves of it meet the same 32 bytes of upper bits, which one shift by 64-bit lanes brings to bits 5:4. A lane
 * of four products fits 16 bits (63 * 127 * 4); two registers of sums are packed, have -32 times their activations added, which makes codes
 * weights, and meet the scales of their groups in one vpdpwssd.
 */
#include "micro/formats/q6_k/operand.h"

/** Of a block: no more than is read, since with four rows beside it the activations of 8960 columns fill the first-level cache. */
struct q6_k_packed {
    int8_t q[256];
    int16_t start[2][32]; /* of registers 2 half and 2 half + 1, packed as their sums: -32 times what four bytes meet */
    float scale;
    float unused[15];
} __attribute__((aligned(64)));

static inline double q6_k_packed_value(const struct q6_k_packed *a, size_t column)
{
    return (double)a->scale * a->q[column];
}

#define BLOCK_ACTIVATIONS struct q6_k_packed
#define BLOCK_VALUE       q6_k_packed_value
#define BLOCK_FLOATS      "micro/families/blocks/blocks_avx512.h"
#define BLOCK_LANES(sum)  (sum)
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0
#include BLOCK_FLOATS

/** 64 columns: codes in bits 3:0 of `low` and, once shifted, 5:4 of `high`. */
ROWS_INLINE __m512i sums_of(__m512i low, __m512i high, const struct q6_k_packed *a, int number)
{
    __m512i codes = _mm512_and_si512(low, _mm512_set1_epi8(0x0f));
    codes = _mm512_ternarylogic_epi32(codes, high, _mm512_set1_epi8(0x30), 0xf8); /* codes | high & 0x30 */
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), codes, _mm512_load_si512(a->q + 64 * number));
}

/** 128 columns, times their scales. */
ROWS_INLINE __m512i add_half(__m512i sum, const uint8_t *weights, int half, __m256i scales, const struct q6_k_packed *a)
{
    const __m512i left = _mm512_setr_epi64(4, 4, 4, 4, 2, 2, 2, 2), right = _mm512_setr_epi64(0, 0, 0, 0, 2, 2, 2, 2);
    const __m512i of_groups =
        _mm512_setr_epi64(0x0000000000000000, 0x0004000400040004, 0x0001000100010001, 0x0005000500050005,
                          0x0002000200020002, 0x0006000600060006, 0x0003000300030003, 0x0007000700070007);
    __m512i low = _mm512_loadu_si512(weights + 64 * half);
    __m512i high = _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)(weights + BLOCK_HIGH + 32 * half)));
    ROWS_IN_REGISTER(low);
    ROWS_IN_REGISTER(high);
    __m512i first = sums_of(low, _mm512_sllv_epi64(high, left), a, 2 * half);
    __m512i second = sums_of(_mm512_srli_epi16(low, 4), _mm512_srlv_epi64(high, right), a, 2 * half + 1);
    __m512i index = _mm512_add_epi16(of_groups, _mm512_set1_epi16((short)(8 * half)));
    __m512i spread = _mm512_permutexvar_epi16(index, _mm512_castsi256_si512(scales));
    __m512i sums = _mm512_add_epi16(_mm512_packs_epi32(first, second), _mm512_load_si512(a->start[half]));
    return _mm512_dpwssd_epi32(sum, sums, spread);
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q6_k_packed *a)
{
    ROWS_READ_AGAIN(a);
    __m256i scales = _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)(weights + BLOCK_SCALES)));
    __m512i whole = add_half(_mm512_setzero_si512(), weights, 0, scales, a);
    whole = add_half(whole, weights, 1, scales, a);
    uint16_t half;
    memcpy(&half, weights + BLOCK_D, sizeof half);
    __m128 d = _mm_mul_ss(_mm_cvtph_ps(_mm_cvtsi32_si128(half)), _mm_set_ss(a->scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), _mm512_broadcastss_ps(d), sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct q6_k_packed *to = prepared;
    for (size_t i = 0; i < k; i += BLOCK_COLUMNS, to++) {
        struct q6_k_operand block;
        q6_k_prepare(x + i, BLOCK_COLUMNS, &block);
        memset(to, 0, sizeof *to);
        memcpy(to->q, block.q8.q, sizeof to->q);
        to->scale = block.q8.scale;
        for (size_t half = 0; half < 2; half++) {
            __m512i packed = _mm512_packs_epi32(_mm512_load_si512(block.start + 32 * half),
                                                _mm512_load_si512(block.start + 32 * half + 16));
            _mm512_store_si512(to->start[half], packed);
        }
    }
}

const struct kernel SELF = Q6_K_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
