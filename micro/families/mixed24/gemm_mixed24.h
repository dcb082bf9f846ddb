/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile of gemm_blocks.h for mixed24: a step's codes are unpacked to bytes as panels are brought into scratch, once for all tokens; 1024
 * bytes of a step, a lane a row, are followed by the scales of its four groups of 16 columns, a lane a row.
 *
 * A group's sum of products is scaled for itself: scale2 (scale - zero2) has up to 7 bits beside those of a code, which no byte holds
 * together, and scale2 differs from group to group. Codes of 2 bits are stored as 3 - zero more than they are, those of 4 bits as 15 - zero2
 * more: unsigned, and then each is 3 or 15 more than what the scale multiplies, in all rows alike, so that the sum of a token's activations
 * says where a group's sum begins. What OUTLIERS_PER_MILLE of a format's row adds is in gemm_mixed24_outliers.h. The including file has defined, before it,
 *
 *   GEMM_TOKENS, GEMM_VECTORS, gemm_floats   of gemm_blocks.h
 *   gemm_lanes                               a register of uint32_t, a GCC vector
 *   GEMM_SCALE_BYTES                         of a group's scales of 16 rows
 *   struct gemm_start                        where a group's sum begins, of a token
 *
 *   gemm_lanes gemm_load(const uint8_t *at)            a register, at any address
 *   gemm_lanes gemm_load_words(const uint8_t *at)      as many words of 16 bits as there are lanes
 *   void gemm_put_scales(uint8_t *to, gemm_lanes scale, float scale2)   scale - zero2 of each row, times scale2, as the kernel needs it
 *   struct gemm_start gemm_start_of(const int8_t *q, int32_t offset)   of 16 activations
 *
 * and defines gemm_block() of gemm_blocks.h.
 */
#ifndef MICRO_FAMILIES_MIXED24_GEMM_MIXED24_H
#define MICRO_FAMILIES_MIXED24_GEMM_MIXED24_H

#include <string.h>

#include "micro/families/mixed24/mixed24_operand_avx2.h"
#include "micro/frames/rows.h"
#include "micro/quantization/mixed24_layout.h"

#define GEMM_COLUMNS      MIXED24_COLUMNS
#define GEMM_BLOCK_BYTES  MIXED24_STEP_BYTES
#define GEMM_STORED_ROWS  MIXED24_ROWS
#define GEMM_SCALES       1024
#define GEMM_PANEL_BYTES  (GEMM_SCALES + 4 * GEMM_SCALE_BYTES)
#define GEMM_PANEL_LEAD   0
#define GEMM_COLUMNS_MOST 1024 /* of 32 rows 40 KB: few tokens need them in the first level, many in long parts */

/* By how much bytes are larger than the codes less their zeros. */
enum { GEMM_MOST2 = 3, GEMM_MOST4 = 15, GEMM_HALVES = 64 / sizeof(gemm_lanes) };

typedef gemm_lanes gemm_lanes_anywhere __attribute__((aligned(1), may_alias));

/** 64 columns of a group of tokens. */
struct gemm_operand {
    int8_t q[GEMM_COLUMNS / 4][GEMM_TOKENS]
            [4]; /* neighbours are read one after the other: lines apart they would meet in a bank */
    struct gemm_start start[4][GEMM_TOKENS];
    float scale[(GEMM_TOKENS + 3) / 4 * 4]; /* a register of them is read */
};

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    struct mixed24_operand block;
    mixed24_make(x, GEMM_COLUMNS, &block);
    for (size_t i = 0; i < GEMM_COLUMNS / 4; i++)
        memcpy(to->q[i][token], block.q + 4 * i, 4);
    for (size_t group = 0; group < 4; group++)
        to->start[group][token] = gemm_start_of(block.q + 16 * group, group < 3 ? GEMM_MOST2 : GEMM_MOST4);
    to->scale[token] = block.scale;
}

/* ---- unpacking ---- */

ROWS_INLINE void gemm_put(uint8_t *to, gemm_lanes value)
{
    *(gemm_lanes_anywhere *)(void *)to = value;
}

/** A byte in all bytes. */
ROWS_INLINE uint32_t gemm_bytes(uint32_t byte)
{
    return byte * 0x01010101;
}

/** Group 0, 1 or 2 of as many rows as there are lanes. */
ROWS_INLINE void gemm_unpack2(gemm_lanes codes, gemm_lanes words, int group, int8_t zero2, float scale2, uint8_t *to)
{
    static const int shift[3] = {MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1, MIXED24_SCALE_SHIFT_2};
    static const uint32_t mask[3] = {15, 7, 7};
    gemm_lanes more = (3 - (words >> 2 * group & 3)) * 0x01010101; /* no carry from byte to byte */
    gemm_lanes scale = (words >> shift[group] & mask[group]) - (uint32_t)(int32_t)zero2;
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++)
        gemm_put(to + 64 * (4 * group + p), (codes >> 2 * p & gemm_bytes(3)) + more);
    gemm_put_scales(to + GEMM_SCALES + GEMM_SCALE_BYTES * group, scale, scale2);
}

/** Rows of lanes `half` of a step. */
ROWS_INLINE void gemm_unpack(const uint8_t *step, size_t half, uint8_t *to)
{
    const uint8_t *from = step + half * sizeof(gemm_lanes);
    const gemm_lanes words = gemm_load_words(step + MIXED24_WORDS + half * sizeof(gemm_lanes) / 2);
    const __m128 scale2 = _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(const void *)(step + MIXED24_SCALE2)));
    to += half * sizeof(gemm_lanes);
#pragma GCC unroll 3
    for (int group = 0; group < 3; group++)
        gemm_unpack2(gemm_load(from + MIXED24_CODES2 + 64 * group), words, group, (int8_t)step[MIXED24_ZERO2 + group],
                     scale2[group], to);
    const uint32_t more = gemm_bytes(GEMM_MOST4 - (uint32_t)step[MIXED24_ZERO2 + 3]);
#pragma GCC unroll 2
    for (int j = 0; j < 2; j++) {
        gemm_lanes codes = gemm_load(from + MIXED24_CODES4 + 64 * j);
        gemm_put(to + 64 * (12 + 2 * j), (codes & gemm_bytes(15)) + more);
        gemm_put(to + 64 * (13 + 2 * j), (codes >> 4 & gemm_bytes(15)) + more);
    }
    gemm_put_scales(to + GEMM_SCALES + 3 * GEMM_SCALE_BYTES, (gemm_lanes){0} + 1, scale2[3]);
}

static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    (void)stride, (void)count; /* a panel has all 16 rows */
#pragma GCC unroll 2
    for (size_t half = 0; half < GEMM_HALVES; half++)
        gemm_unpack(panels + block * GEMM_BLOCK_BYTES, half, to);
}

ROWS_INLINE void gemm_block(gemm_floats (*sum)[GEMM_VECTORS], const uint8_t *const *panel, size_t half,
                            const struct gemm_operand *x, int vectors, int tokens);

#ifdef OUTLIERS_PER_MILLE
#define GEMM_AFTER_BLOCKS
#endif
#include "micro/frames/gemm_blocks.h"
#ifdef OUTLIERS_PER_MILLE
#include "micro/families/mixed24/gemm_mixed24_outliers.h"
#endif

extern const struct format SELF_FORMAT;

static void prepare(const void *activations, size_t k, void *prepared)
{
    mixed24_make(activations, k, prepared);
}

#ifdef OUTLIERS_PER_MILLE
static double activation_at(const void *blocks, size_t column)
{
    return mixed24_activation(blocks, column);
}

static struct kernel_row block_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    return mixed24_row_with(panel, k, row, OUTLIERS_PER_MILLE, prepared, activation_at, prepared);
}
#else
KERNEL_ROW(block_row, mixed24_activation(prepared, column))
#endif

/** A kernel with the gamma of the sequence SELF_MODEL, whose sums are added in `sums` parts. */
#define GEMM_MIXED24_KERNEL(sums)                                                                                      \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,             \
        .float_sums = (sums), .error_bound = Q8_ERROR_BOUND,                                                           \
        .prepared_bytes_per_step = sizeof(struct mixed24_operand), .prepare = prepare, .row = block_row,               \
        .gemm = {GEMM_FIELDS, .unpacks_alone = true},                                                                  \
    }

#endif
