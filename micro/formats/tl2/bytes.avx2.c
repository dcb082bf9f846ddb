/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups negated and added up as bytes: a sum of three activations is 29 h + l with l and h within 14, so that
 * the 8 look-ups of a tile fit signed bytes, and -(29 h + l) is both negated by vpsignb. Once a tile vpmaddubsw with 1
 * and 29 makes words of them, at most 8 * 381; a block of 10 tiles fits 16 bits. Pairs (23 h + l, l and h within 11) of
 * at most 5 bytes a row are 10 look-ups, within 110.
 *
 * The tiles are in bytes.avx2.S, for GEMV and GEMM.
 */
#include "micro/formats/tl2/bytes.avx2.S"

#include <string.h>

#include "micro/families/lookup/elut_avx2.h"
#include "micro/families/lookup/lookup_avx2.h"
#include "micro/frames/finish.h"
#include "micro/kernel.h"

enum { INTERLEAVE = 4, BLOCK_TILES = 10, PAIR_BASE = 23 };

static size_t prepared_bytes(size_t k)
{
    return (tl2_tiles(k) * TL2_TRIPLES + tl2_quads(k) * 2) * TABLE_BYTES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients triples, pairs;
    table_coefficients_make(3, 3, &triples);
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < tl2_tiles(k) * TL2_TRIPLES; i++, a += 3, table += TABLE_BYTES)
        table_store_digits(table, table_sums(&triples, 3, a), BASE);
    for (size_t i = 0; i < tl2_quads(k) * 2; i++, a += 2, table += TABLE_BYTES)
        table_store_digits(table, table_sums(&pairs, 2, a), PAIR_BASE);
}

#define JOIN_(a, b)    a##b
#define JOIN(a, b)     JOIN_(a, b)
#define words_of_tiles JOIN(SELF, _tiles)
/** Sums of at most BLOCK_TILES tiles, as words of two halves; prefetches `far` ahead to the second level of the caches
 * and `near` ahead to the first. */
void words_of_tiles(const uint8_t *tiles, const uint8_t *tables, size_t count, size_t far, struct lookup_words words[2],
                    size_t near);

static void add_tiles(const struct gemv_slice *slice, const uint8_t *tile, const uint8_t *tables, size_t tiles,
                      int32_t *sums, size_t next)
{
    struct lookup_words words[2];
    words_of_tiles(tile, tables, tiles, slice->prefetch_bytes ? next : 0, words, slice->prefetch_bytes);
    lookup_widen_unpacked(sums, words[0]);
    lookup_widen_unpacked(sums + 32, words[1]);
}

static void add_quads(const uint8_t *quad, const uint8_t *tables, size_t quads, int32_t *sums)
{
    for (int half = 0; half < 2; half++) {
        __m256i low = _mm256_setzero_si256(), high = low;
        for (size_t i = 0; i < quads * 2; i++) {
            __m256i nibbles = lookup_load(quad + i / 2 * TL2_QUAD_BYTES + half * 32);
            __m256i index = i % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles);
            const uint8_t *table = tables + i * TABLE_BYTES;
            low = _mm256_add_epi8(low, _mm256_shuffle_epi8(lookup_table_load(table), index));
            high = _mm256_add_epi8(high, _mm256_shuffle_epi8(lookup_table_load(table + 16), index));
        }
        struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        lookup_widen_unpacked(sums + half * 32, lookup_add_digits(words, low, high, PAIR_BASE));
    }
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (tl2_tiles(slice->k) + BLOCK_TILES - 1) / BLOCK_TILES + (tl2_quads(slice->k) > 0);
}

#define LOOKUP_BLOCK_BYTES ((size_t)BLOCK_TILES * TL2_TILE_BYTES)

/** A block comes from its panel in one go, and then one of another panel: what is fetched meanwhile is that one. */
static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums, size_t next)
{
    size_t tiles = tl2_tiles(slice->k), first = block * BLOCK_TILES < tiles ? block * BLOCK_TILES : tiles;
    size_t count = tiles - first < BLOCK_TILES ? tiles - first : BLOCK_TILES;
    const uint8_t *weights = panel + first * TL2_TILE_BYTES;
    const uint8_t *tables = (const uint8_t *)slice->prepared + first * TL2_TRIPLES * TABLE_BYTES;
    if (count) {
        add_tiles(slice, weights, tables, count, sums, next);
        return;
    }
    lookup_prefetch(weights + slice->prefetch_bytes, tl2_quads(slice->k) * TL2_QUAD_BYTES);
    add_quads(weights, tables, tl2_quads(slice->k), sums);
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    finish_rows(sums, TL2_ROWS, slice->correction, slice->out + panel * TL2_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

#define GEMM_CUT_TILES BLOCK_TILES
#define GEMM_PANELS    1
#include "micro/formats/tl2/gemm_lookup.h"

static void gemm_cut(const struct gemm_slice *slice, const struct gemm_cut *cut, size_t panel, size_t token)
{
    const uint8_t *weights = slice->weights + panel * slice->panel_bytes + cut->tile * TL2_TILE_BYTES;
    const uint8_t *tables = gemm_tables(slice, token) + cut->tile * TL2_TRIPLES * TABLE_BYTES;
    int32_t *sums = gemm_out(slice, panel, token);
    if (cut->first)
        memset(sums, 0, TL2_ROWS * sizeof *sums);
    if (cut->tiles) {
        struct lookup_words words[2];
        words_of_tiles(weights, tables, cut->tiles, cut->ahead, words, cut->ahead ? slice->prefetch_bytes : 0);
        lookup_widen_unpacked(sums, words[0]);
        lookup_widen_unpacked(sums + 32, words[1]);
    }
    if (!cut->last)
        return;
    add_quads(weights + cut->tiles * TL2_TILE_BYTES, tables + cut->tiles * TL2_TRIPLES * TABLE_BYTES,
              tl2_quads(slice->k), sums);
    gemm_finish(slice, sums, panel, token);
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .gives = KERNEL_GIVES_INT32,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .gemm = GEMM,
};
