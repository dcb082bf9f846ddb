/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lookup.avx512_vbmi_vnni.S; here are its tables: per step of 32 activations, 64 bytes each of
 *
 *     low bytes, high bytes of the sums of columns 0-15      low bytes, high bytes of the sums of columns 16-31
 *
 * Byte 16 j + e of a table belongs to columns 4 j … 4 j + 3: the sum of those activations whose bit is set in e.
 */
#include <immintrin.h>
#include <stdint.h>

#include "micro/formats/int1_nibbles/lookup.avx512_vbmi_vnni.S"
#include "micro/kernel.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int row = 0; row < ROWS; row++) {
        const int32_t *low = raw + row / LANES * 2 * LANES + row % LANES;
        out[row] = add_wrapping(2 * (low[0] + 256 * low[LANES]), correction);
    }
}

/** The sums of two groups of four activations as 16-bit words: group 0 in the lower half. */
static inline __m512i sums_of_two_groups(const int8_t *activations)
{
    __m512i sums = _mm512_setzero_si512();
    for (int bit = 0; bit < 4; bit++) {
        /* words whose number in its half has this bit set */
        static const uint32_t numbers[4] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00};
        __m512i both =
            _mm512_inserti64x4(_mm512_set1_epi16(activations[bit]), _mm256_set1_epi16(activations[4 + bit]), 1);
        sums = _mm512_mask_add_epi16(sums, numbers[bit], sums, both);
    }
    return sums;
}

static void prepare(const void *from, size_t k, void *prepared)
{
    const int8_t *activations = from;
    uint8_t *table = prepared;
    for (size_t half = 0; half < k / 16; half++) {
        for (int pair = 0; pair < 2; pair++) {
            __m512i sums = sums_of_two_groups(activations + 8 * pair);
            _mm256_store_si256((__m256i *)(void *)(table + 32 * pair), _mm512_cvtepi16_epi8(sums));
            _mm256_store_si256((__m256i *)(void *)(table + 64 + 32 * pair),
                               _mm512_cvtepi16_epi8(_mm512_srai_epi16(sums, 8)));
        }
        activations += 16;
        table += 128;
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = OPERAND_BYTES,
    .prepare = prepare,
};
