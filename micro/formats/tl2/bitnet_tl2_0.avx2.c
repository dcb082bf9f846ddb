/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL2_0: tables quantized to int8 with one scale, from float activations; what is found is negated as bytes
 * by (x + m) ^ m [bitnet-cpp, Eq. (5)], converted to words and added. 250 look-ups of 127 fit 16 bits.
 *
 * A look-up is off by half a step, 3 max|a| / 254 at most: 1 / 254 of max|a| a column of a triple, 1.5 / 254 of a pair.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/families/lookup/lookup_avx2.h"
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tl2/layout.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

enum { INTERLEAVE = 1, BLOCK_TILES = 30, TILE_TABLES = TL2_TRIPLES * QUANTIZED_TABLE_BYTES };

static size_t prepared_bytes(size_t k)
{
    return QUANTIZED_HEADER_BYTES + tl2_tiles(k) * TILE_TABLES + tl2_quads(k) * 2 * QUANTIZED_TABLE_BYTES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *a = activations;
    struct quantized_tables *tables = prepared;
    uint8_t *table = (uint8_t *)tables->entries;
    struct table_coefficients triples, pairs;
    table_coefficients_make(3, 3, &triples);
    table_coefficients_make(3, 2, &pairs);
    size_t three = tl2_tiles(k) * TL2_TILE_COLUMNS;
    float factor =
        quantized_scale(fmaxf(table_largest(a, three, 3), table_largest(a + three, k - three, 2)), &tables->scale);
    for (size_t i = 0; i < three; i += 3, table += QUANTIZED_TABLE_BYTES)
        table_store_quantized(table, &triples, 3, a + i, factor);
    for (size_t i = three; i < k; i += 2, table += QUANTIZED_TABLE_BYTES)
        table_store_quantized(table, &pairs, 2, a + i, factor);
}

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct quantized_tables *tables = prepared;
    const uint8_t *quads = panel + tl2_tiles(k) * TL2_TILE_BYTES;
    size_t triples = tl2_tiles(k) * TL2_TRIPLES;
    double y = 0, magnitude = 0;
    for (size_t i = 0; i < triples + tl2_quads(k) * 2; i++) {
        const uint8_t *tile = panel + i / TL2_TRIPLES * TL2_TILE_BYTES;
        size_t in_tile = i % TL2_TRIPLES, pair = i - triples;
        uint32_t byte = i < triples ? tile[in_tile / 2 * TL2_ROWS + row] : quads[pair / 2 * TL2_QUAD_BYTES + row];
        double entry = tables->entries[i * QUANTIZED_TABLE_BYTES + (byte >> i % 2 * 4 & 15)];
        y += i < triples && tile[TL2_SIGNS + row] >> (7 - in_tile) & 1 ? -entry : entry;
        magnitude += fabs(entry);
    }
    return (struct kernel_row){(double)tables->scale * y, (double)tables->scale * magnitude};
}

LOOKUP struct lookup_words add_bytes(struct lookup_words sums, __m256i x)
{
    return (struct lookup_words){
        _mm256_add_epi16(sums.first, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(x))),
        _mm256_add_epi16(sums.second, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(x, 1))),
    };
}

static void add_tiles(const struct gemv_slice *slice, const uint8_t *tile, const uint8_t *tables, size_t tiles,
                      int32_t *sums)
{
    struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t i = 0; i < tiles; i++, tile += TL2_TILE_BYTES, tables += TILE_TABLES) {
        if (slice->prefetch_bytes)
            lookup_prefetch(tile + slice->prefetch_bytes, TL2_TILE_BYTES);
        __m256i signs = lookup_load(tile + TL2_SIGNS);
#pragma GCC unroll 8
        for (int triple = 0; triple < TL2_TRIPLES; triple++) {
            __m256i nibbles = lookup_load(tile + triple / 2 * TL2_ROWS);
            __m256i index = triple % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles);
            __m256i x = _mm256_shuffle_epi8(lookup_table_load(tables + triple * QUANTIZED_TABLE_BYTES), index);
            __m256i mask = _mm256_cmpgt_epi8(_mm256_setzero_si256(), signs);
            words = add_bytes(words, _mm256_xor_si256(_mm256_add_epi8(x, mask), mask));
            /* in this order: gcc would first add what eight triples found, from the stack */
            ROWS_IN_REGISTER(words.first);
            ROWS_IN_REGISTER(words.second);
            signs = _mm256_add_epi8(signs, signs);
        }
    }
    lookup_widen_ordered(sums, words);
}

static void add_quads(const uint8_t *quad, const uint8_t *tables, size_t quads, int32_t *sums)
{
    struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t i = 0; i < quads * 2; i++) {
        __m256i nibbles = lookup_load(quad + i / 2 * TL2_QUAD_BYTES);
        __m256i index = i % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles);
        words = add_bytes(words, _mm256_shuffle_epi8(lookup_table_load(tables + i * QUANTIZED_TABLE_BYTES), index));
    }
    lookup_widen_ordered(sums, words);
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (tl2_tiles(slice->k) + BLOCK_TILES - 1) / BLOCK_TILES + (tl2_quads(slice->k) > 0);
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t tiles = tl2_tiles(slice->k), first = block * BLOCK_TILES < tiles ? block * BLOCK_TILES : tiles;
    size_t count = tiles - first < BLOCK_TILES ? tiles - first : BLOCK_TILES;
    const uint8_t *weights = panel + first * TL2_TILE_BYTES;
    const uint8_t *tables = (const uint8_t *)slice->prepared + QUANTIZED_HEADER_BYTES + first * TILE_TABLES;
    for (size_t half = 0; half < TL2_ROWS; half += 32) {
        if (count)
            add_tiles(slice, weights + half, tables, count, sums + half);
        else
            add_quads(weights + half, tables, tl2_quads(slice->k), sums + half);
    }
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct quantized_tables *tables = slice->prepared;
    for (size_t row = 0; row < TL2_ROWS; row++)
        slice->out_f32[panel * TL2_ROWS + row] = tables->scale * (float)sums[row];
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = "after the paper: public code has exact tables alone, none to measure it beside",
    .prefetch_beside = 1600,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = 1.5 / 254 * 1.001,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of_tables,
};

/* its gamma */
#define STEP_COLUMNS       TL2_TILE_COLUMNS
#define STEP_BYTES         TL2_TILE_BYTES
#define STEPS_TOGETHER     BLOCK_TILES
#define STEP_OPERAND_BYTES (QUANTIZED_HEADER_BYTES + BLOCK_TILES * TILE_TABLES)
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
