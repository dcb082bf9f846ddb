/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations, each -2 … 2 times, is 63 h + l with l within 31 and h within 8, so that
 * 4 look-ups of l and all 8 of h of a tile fit signed bytes. A sign is bit 4 of its index, into a table of 32, the upper half negated, since
 * tbl takes no longer for two registers than for one. A tile is at most 8 * 508; 8 of them fit 16 bits. Of 16 rows 58 operations for 8 output vectors.
 * Neoverse N1, N2, 2 vector pipes: >= 3.63 cycles each. V1, 4 pipes, tbl on two of them: >= 1.81; SVE of 256 bits, without the bit of SVE2, 72 for 16 on 2
 * pipes: >= 2.25.
 */
#include "micro/families/lookup/elut_neon.h"
#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/formats/elut5/layout.h"
#include "micro/frames/finish.h"
#include "micro/kernel.h"

enum {
    INTERLEAVE = 4,
    BLOCK_STEPS = 8,
    BASE = 63,
    PAIR_TABLES = 64, /* l, -l, h, -h: 16 bytes each */
    STEP_TABLES = ELUT5_STEP_PAIRS * PAIR_TABLES
};

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(5, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += PAIR_TABLES)
        table_store_signed_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

/** 16 nibbles with the signs of that pair, bits 7 - pair of `signs`, above them. */
LOOKUP uint8x16_t with_signs(uint8x16_t nibbles, uint8x16_t signs, int pair)
{
    uint8x16_t at_4 = pair < 3 ? signs >> (3 - pair) : signs << (pair - 3);
    return vbslq_u8(vdupq_n_u8(16), at_4, nibbles);
}

LOOKUP int8x16_t find_signed(const uint8_t *table, uint8x16_t index)
{
    return vqtbl2q_s8(vld1q_s8_x2((const int8_t *)table), index);
}

/** Digits of 16 rows. */
struct tile_digits {
    int8x16_t low[2], high; /* low: of either half of the pairs */
};

LOOKUP void add_pair(struct tile_digits *sums, int pair, const uint8_t *table, uint8x16_t index)
{
    int8x16_t low = find_signed(table, index), high = find_signed(table + 32, index);
    int8x16_t *lows = &sums->low[pair / 4];
    *lows = pair % 4 ? vaddq_s8(*lows, low) : low;
    sums->high = pair ? vaddq_s8(sums->high, high) : high;
}

/** Of 16 rows, the first at `tile`, to their words. */
LOOKUP void add_rows(int16x8_t *words, const uint8_t *tile, const uint8_t *tables)
{
    struct tile_digits sums;
    uint8x16_t signs = vld1q_u8(tile + TL2_SIGNS);
#pragma GCC unroll 8
    for (int pair = 0; pair < ELUT5_STEP_PAIRS; pair++) {
        uint8x16_t nibbles = vld1q_u8(tile + pair / 2 * ELUT5_ROWS);
        nibbles = pair % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles);
        add_pair(&sums, pair, tables + pair * PAIR_TABLES, with_signs(nibbles, signs, pair));
    }
    words[0] = vaddw_s8(words[0], vget_low_s8(sums.low[0]));
    words[1] = vaddw_high_s8(words[1], sums.low[0]);
    lookup_add_digits(words, sums.low[1], sums.high, BASE);
}

/** What the r-th of four fetches of a tile's five lines. */
LOOKUP void prefetch_lines(const uint8_t *tile, int r, size_t distance)
{
    lookup_prefetch(tile + ELUT5_ROWS * r, distance);
    if (r == 0)
        lookup_prefetch(tile + TL2_SIGNS, distance);
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

/** 16 rows after the other, whose tables and digits are what registers hold; the block's lines stay in the first-level cache meanwhile. */
static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first, steps = left < BLOCK_STEPS ? left : BLOCK_STEPS;
    const uint8_t *tile = panel + first * ELUT5_STEP_BYTES;
    const uint8_t *tables = (const uint8_t *)slice->prepared + first * STEP_TABLES;
    struct lookup_words words = lookup_zero();
    for (int r = 0; r < LOOKUP_REGISTERS; r++) {
        const uint8_t *rows = tile + LOOKUP_BYTES * r;
        for (size_t i = 0; i < steps; i++) {
            prefetch_lines(tile + i * ELUT5_STEP_BYTES, r, slice->prefetch_bytes);
            add_rows(&words.word[2 * r], rows + i * ELUT5_STEP_BYTES, tables + i * STEP_TABLES);
        }
    }
    lookup_widen(sums, words);
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    finish_rows(sums, ELUT5_ROWS, slice->correction, slice->out + panel * ELUT5_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = BLOCK_STEPS * ELUT5_STEP_BYTES, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = STEP_TABLES,
    .prepare = prepare,
};

/* its gamma */
#define STEP_COLUMNS       ELUT5_STEP_COLUMNS
#define STEP_BYTES         ELUT5_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (BLOCK_STEPS * STEP_TABLES)
#define STEP_LARGEST       127
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
