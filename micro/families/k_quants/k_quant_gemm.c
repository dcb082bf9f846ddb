/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of Q4_K and Q5_K, of panels of sixteen rows or rows one by one: 8 rows by four tokens, with registers of 512 bits 32 rows by six. Codes
 * and scales are unpacked once for all tokens, 8 rows at a time with 256-bit vectors, into the scratch of gemm_group_scales.h, and a group of
 * 32 columns is scaled at a time, with AVX2 half of it.
 */
#include "micro/of_self.h"

#define GEMM_CODES 1
#include OF_ISA_H(micro/families/group_scales/gemm_group_scales)

#include "micro/families/k_quants/k_quant_lanes_256.h"

#include "micro/families/k_quants/k_quant_panel.h"

#define GEMM_BLOCK_BYTES      BLOCK_BYTES
#define GEMM_STORED_ROWS      BLOCK_ROWS
#define GEMM_GROUP_SCALES_ROW minima_row
#include "micro/families/group_scales/gemm_group_scales.h"

#include "micro/families/k_quants/k_quant_row.h"

/** Halves of 8 rows as floats. */
ROWS_INLINE void put_halves(uint8_t *to, const uint8_t *halves)
{
    _mm256_storeu_ps((float *)(void *)to, _mm256_cvtph_ps(_mm_loadu_si128((const void *)halves)));
}

/** A byte of each lane in all of its four. */
ROWS_INLINE __m256i in_all_bytes(__m256i bytes, int byte)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
    return _mm256_shuffle_epi8(bytes, _mm256_add_epi8(lane, _mm256_set1_epi8((char)byte)));
}

ROWS_INLINE void put_groups(const uint8_t *rows, const struct lanes_scales *scales, uint8_t *to)
{
#pragma GCC unroll 8
    for (int group = 0; group < 8; group++) {
        __m256i scale = gemm_scale_of(in_all_bytes(scales->scale[group / 4], group % 4), 0);
        gemm_store_256(to + GEMM_SCALES + 128 * group, scale);
        gemm_store_256(to + GEMM_SCALES + 128 * group + 64, scale);
#pragma GCC unroll 8
        for (size_t line = 0; line < 8; line++) {
            lanes_ints codes = lanes_load(rows + PANEL_CODES + LINE * (8 * (size_t)(group / 2) + line));
            gemm_store_256(to + 64 * (8 * (size_t)group + line), codes_of(rows, line, codes, group, false));
        }
    }
}

/** A block of a panel of sixteen rows. */
static void put_panel(const uint8_t *panel, uint8_t *to)
{
    for (size_t half = 0; half < 2; half++, to += 32) {
        const uint8_t *rows = panel + 32 * half;
        struct lanes_scales scales = unpack_scales(rows + PANEL_SCALES);
        put_groups(rows, &scales, to);
        for (size_t pair = 0; pair < 4; pair += 2) {
            gemm_store_256(to + GEMM_MINIMA + 64 * pair, lanes_spread(scales.minimum[pair / 2], 0, 1));
            gemm_store_256(to + GEMM_MINIMA + 64 * pair + 64, lanes_spread(scales.minimum[pair / 2], 2, 3));
        }
        gemm_store_256(to + GEMM_START, _mm256_setzero_si256());
        put_halves(to + GEMM_D, panel + 16 * half);
        put_halves(to + GEMM_DMIN, panel + PANEL_DMIN + 16 * half);
    }
}

#if BLOCK_ROWS == 1
#ifdef __AVX512F__
#include "micro/isa/gemm_interleave_avx512.h"

/** Rows one by one: first into the order of a panel. */
ROWS_INLINE void interleave(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    _Alignas(64) uint8_t panel[16 * BLOCK_BYTES];
    __m512i four[4];
    gemm_transpose(rows, stride, count, four);
    _mm256_store_si256((void *)panel, _mm512_cvtepi32_epi16(four[0]));
    _mm256_store_si256((void *)(panel + PANEL_DMIN), _mm512_cvtepi32_epi16(_mm512_srli_epi32(four[0], 16)));
    for (size_t line = 0; line < 3; line++)
        _mm512_store_si512(panel + PANEL_SCALES + LINE * line, four[1 + line]);
    for (size_t at = 16; at < BLOCK_BYTES; at += 16) {
        gemm_transpose(rows + at, stride, count, four);
        for (size_t line = 0; line < 4; line++)
            _mm512_store_si512(panel + 16 * at + LINE * line, four[line]);
    }
    put_panel(panel, to);
}
#else
#include "micro/isa/gemm_interleave_avx2.h"

/** Eight rows one by one into the order of a panel, the first eight lanes of which begin at `panel`; `halves`: where that has their d. */
static void interleave_eight(const uint8_t *const *row, uint8_t *halves, uint8_t *panel)
{
    __m256i four[4];
    for (size_t r = 0; r < 8; r++) {
        memcpy(halves + 2 * r, row[r], 2);
        memcpy(halves + PANEL_DMIN + 2 * r, row[r] + K_QUANT_DMIN, 2);
    }
    gemm_transpose_rows(row, 0, four);
    for (size_t line = 0; line < 3; line++)
        gemm_store_256(panel + PANEL_SCALES + LINE * line, four[1 + line]);
    for (size_t at = 16; at < BLOCK_BYTES; at += 16) {
        gemm_transpose_rows(row, at, four);
#pragma GCC unroll 4
        for (size_t line = 0; line < 4; line++)
            gemm_store_256(panel + 16 * at + LINE * line, four[line]);
    }
}

/** Rows one by one: first into the order of a panel. */
ROWS_INLINE void interleave(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    static const uint8_t none[BLOCK_BYTES];
    _Alignas(64) uint8_t panel[16 * BLOCK_BYTES];
    const uint8_t *row[16];
    for (size_t r = 0; r < 16; r++)
        row[r] = r < count ? rows + r * stride : none;
    for (size_t half = 0; half < 2; half++)
        interleave_eight(row + 8 * half, panel + 16 * half, panel + 32 * half);
    put_panel(panel, to);
}
#endif

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count >= 16)
        interleave(rows + block * BLOCK_BYTES, stride, 16, to);
    else
        interleave(rows + block * BLOCK_BYTES, stride, count, to);
}
#else
static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    (void)stride, (void)count; /* a panel has all 16 rows */
    put_panel(panels + block * BLOCK_BYTES, to);
}
#endif

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL;
