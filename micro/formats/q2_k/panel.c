/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of interleaved blocks of Q2_K, 8 rows by four tokens, with registers of 512 bits 32 rows by six: a code times the scale of its group of 16 columns
 * is at most 45, a byte, and codes are scaled so once for all tokens, 8 rows at a time with 256-bit vectors. The scratch they come to is that
 * of gemm_k256_256.h or gemm_k256_avx512_vnni.h. The unpack.h of the format defines
 *
 *   static inline void q2_k_load(const uint8_t *panels, size_t stride, size_t half, struct q2_k_rows *rows)   rows 8 half … of 16
 */
#include "micro/of_self.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_STORED_ROWS BLOCK_ROWS
#define GEMM_HAS_MINIMA  1
#define GEMM_OFFSET      0
#include OF_ISA_H(micro/families/k_quants/gemm_k256)

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "micro/frames/rows.h"

/** A block of eight rows, lanes are rows. */
struct q2_k_rows {
    __m256i groups[4]; /* bytes of groups 4 m … 4 m + 3 */
    __m256i codes[16]; /* bytes 4 l … 4 l + 3 of the codes */
    __m128i d, dmin;   /* halves */
};

static inline void q2_k_load(const uint8_t *panels, size_t stride, size_t half, struct q2_k_rows *rows);

ROWS_INLINE __m256i q2_k_load_256(const uint8_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

ROWS_INLINE __m128i q2_k_load_128(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

ROWS_INLINE void q2_k_store(uint8_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

/** Two bytes of each row's lane as words. */
ROWS_INLINE __m256i q2_k_words(__m256i bytes, int first, int second)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x00040004, 0x00080008, 0x000c000c));
    __m256i at = _mm256_set1_epi32((int32_t)(0x80008000u | (uint32_t)second << 16 | (uint32_t)first));
    return _mm256_shuffle_epi8(bytes, _mm256_add_epi8(at, lane));
}

ROWS_INLINE void q2_k_unpack(const struct q2_k_rows *rows, uint8_t *to)
{
    const __m256i nibble = _mm256_set1_epi8(15);
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++) {
        __m256i minima = _mm256_and_si256(_mm256_srli_epi16(rows->groups[m], 4), nibble);
        q2_k_store(to + GEMM_MINIMA + 128 * m, q2_k_words(minima, 0, 1));
        q2_k_store(to + GEMM_MINIMA + 128 * m + 64, q2_k_words(minima, 2, 3));
    }
#pragma GCC unroll 16
    for (int l = 0; l < 16; l++) {
#pragma GCC unroll 4
        for (int field = 0; field < 4; field++) {
            int group = l / 8 * 8 + 2 * field + l / 4 % 2;
            __m256i scale = _mm256_and_si256(rows->groups[group / 4], nibble);
            __m256i code = _mm256_and_si256(_mm256_srli_epi16(rows->codes[l], 2 * field), _mm256_set1_epi8(3));
            __m256i product = _mm256_mullo_epi16(code, q2_k_words(scale, group % 4, group % 4));
            q2_k_store(to + 64 * (4 * group + l % 4), product);
        }
    }
    _mm256_storeu_ps((float *)(void *)(to + GEMM_SCALES), _mm256_cvtph_ps(rows->d));
    _mm256_storeu_ps((float *)(void *)(to + GEMM_SCALES + 64), _mm256_cvtph_ps(rows->dmin));
}

static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count <= 8)
        memset(to, 0, GEMM_PANEL_BYTES);
    for (size_t half = 0; half < 2 && 8 * half < count; half++) {
        struct q2_k_rows rows;
        q2_k_load(panels + block * BLOCK_BYTES, stride, half, &rows);
        q2_k_unpack(&rows, to + 32 * half);
    }
}

#include "micro/families/blocks/gemm_q8.h"
#include "micro/formats/q2_k/row.h"
#include "micro/frames/gemm_blocks.h"

#include OF_FORMAT(unpack.h)

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_MODEL,
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .prepared_bytes_per_step = sizeof(gemm_q8),
    .prepare = prepare,
    .row = minima_row,
    .gemm = GEMM,
};
