/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups negated and added up as bytes: a sum of two activations, each -2 … 2 times, is 63 h + l with l within 31 and h
 * within 8, so that 4 look-ups fit signed bytes. vpmaddubsw with 1 and 63 makes words of them twice a tile, at most 8 * 508
 * of a tile; a block of 8 tiles fits 16 bits.
 */
#define BASE        63
#define TOGETHER    4
#define TABLE_BYTES 32
#include "micro/formats/tl2/lookup_tiles_frame.h"

#ifndef __ASSEMBLER__
#include "micro/kernel.h"
#include "micro/formats/elut5/layout.h"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/frames/finish.h"
#include "micro/families/lookup/lookup_avx2.h"

enum { INTERLEAVE = 4, BLOCK_STEPS = 8, STEP_TABLES = ELUT5_STEP_PAIRS * TABLE_BYTES };

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(5, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

#define JOIN_(a, b)    a##b
#define JOIN(a, b)     JOIN_(a, b)
#define words_of_tiles JOIN(SELF, _tiles)
/** Sums of at most BLOCK_STEPS tiles, as words of two halves; prefetches `far` ahead to the second level of the caches
 * and `near` ahead to the first. */
void words_of_tiles(const uint8_t *tiles, const uint8_t *tables, size_t count, size_t far, struct lookup_words words[2],
                    size_t near);

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

#define LOOKUP_BLOCK_BYTES ((size_t)BLOCK_STEPS * ELUT5_STEP_BYTES)

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums, size_t next)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first;
    const uint8_t *tables = (const uint8_t *)slice->prepared + first * STEP_TABLES;
    struct lookup_words words[2];
    words_of_tiles(panel + first * ELUT5_STEP_BYTES, tables, left < BLOCK_STEPS ? left : BLOCK_STEPS,
                   slice->prefetch_bytes ? next : 0, words, slice->prefetch_bytes);
    lookup_widen_unpacked(sums, words[0]);
    lookup_widen_unpacked(sums + 32, words[1]);
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
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = STEP_TABLES,
    .prepare = prepare,
};
#endif
