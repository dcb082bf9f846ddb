/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL2_1: exact sums of 16 bits, their low and high bytes looked up apart and unpacked to words, which are
 * negated as (x + m) ^ m with the sign spread to a mask m [bitnet-cpp, Eq. (5) and 3.2.1]. 80 triples fit 16 bits.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/families/lookup/lookup_avx2.h"
#include "micro/formats/tl2/layout.h"
#include "micro/frames/finish.h"
#include "micro/kernel.h"

enum { INTERLEAVE = 1, BLOCK_TILES = 10, TABLE_BYTES = 32 };

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
        table_store_bytes(table, table_sums(&triples, 3, a));
    for (size_t i = 0; i < tl2_quads(k) * 2; i++, a += 2, table += TABLE_BYTES)
        table_store_bytes(table, table_sums(&pairs, 2, a));
}

LOOKUP struct lookup_words found(const uint8_t *table, __m256i index)
{
    __m256i low = _mm256_shuffle_epi8(lookup_table_load(table), index);
    __m256i high = _mm256_shuffle_epi8(lookup_table_load(table + 16), index);
    return (struct lookup_words){_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)};
}

LOOKUP __m256i add_signed(__m256i sum, __m256i x, __m256i signs, int triple)
{
    __m256i mask = _mm256_srai_epi16(_mm256_slli_epi16(signs, triple), 15);
    return _mm256_add_epi16(sum, _mm256_xor_si256(_mm256_add_epi16(x, mask), mask));
}

static void add_tiles(const struct gemv_slice *slice, const uint8_t *tile, const uint8_t *tables, size_t tiles,
                      int32_t *sums)
{
    struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t i = 0; i < tiles; i++, tile += TL2_TILE_BYTES, tables += TL2_TRIPLES * TABLE_BYTES) {
        if (slice->prefetch_bytes)
            lookup_prefetch(tile + slice->prefetch_bytes, TL2_TILE_BYTES);
        __m256i signs = lookup_load(tile + TL2_SIGNS);
        __m256i first = _mm256_unpacklo_epi8(signs, signs), second = _mm256_unpackhi_epi8(signs, signs);
        for (int triple = 0; triple < TL2_TRIPLES; triple++) {
            __m256i nibbles = lookup_load(tile + triple / 2 * TL2_ROWS);
            __m256i index = triple % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles);
            struct lookup_words x = found(tables + triple * TABLE_BYTES, index);
            words.first = add_signed(words.first, x.first, first, triple);
            words.second = add_signed(words.second, x.second, second, triple);
        }
    }
    lookup_widen_unpacked(sums, words);
}

static void add_quads(const uint8_t *quad, const uint8_t *tables, size_t quads, int32_t *sums)
{
    struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t i = 0; i < quads * 2; i++) {
        __m256i nibbles = lookup_load(quad + i / 2 * TL2_QUAD_BYTES);
        struct lookup_words x = found(tables + i * TABLE_BYTES, i % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles));
        words.first = _mm256_add_epi16(words.first, x.first);
        words.second = _mm256_add_epi16(words.second, x.second);
    }
    lookup_widen_unpacked(sums, words);
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
    const uint8_t *tables = (const uint8_t *)slice->prepared + first * TL2_TRIPLES * TABLE_BYTES;
    for (size_t half = 0; half < TL2_ROWS; half += 32) {
        if (count)
            add_tiles(slice, weights + half, tables, count, sums + half);
        else
            add_quads(weights + half, tables, tl2_quads(slice->k), sums + half);
    }
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    finish_rows(sums, TL2_ROWS, slice->correction, slice->out + panel * TL2_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = "on panels of 64 rows, in the time of its original",
    .prefetch_beside = 1600,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};

/* its gamma */
#define STEP_COLUMNS       TL2_TILE_COLUMNS
#define STEP_BYTES         TL2_TILE_BYTES
#define STEPS_TOGETHER     BLOCK_TILES
#define STEP_OPERAND_BYTES (BLOCK_TILES * TL2_TRIPLES * TABLE_BYTES)
#define STEP_LARGEST       127
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
