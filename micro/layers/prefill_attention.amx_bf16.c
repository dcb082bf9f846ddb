/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/of_self.h"

#include <stdbool.h>

#include "micro/layers/vector_avx512.h"

#include "micro/isa/amx_tiles.h"
#include "micro/isa/transpose16.h"
#include "micro/layers/query_tile.h"
#include "micro/layers/softmax.h"

/**
 * Attention of a tile of queries (prefill_attention.c) whose two products are on tiles of bf16, which keys and values are. Queries and weights are
 * floats: each is the sum of three bf16, its first, second and third 8 bits, so that three products have all its bits, and the sums are
 * of floats. Three of 512 multiply-adds a cycle are 170, where two FMAs of 16 lanes are 32.
 *
 *     scores   [key][query]    += keys[key][i] query^T[i][query]         A: 16 keys, 32 i, as they lie in the cache
 *     out^T    [i][query]      += values^T[i][key] weight[key][query]    A: 16 i, 32 keys, transposed once for all queries
 *
 * B has pairs of rows side by side, of queries made once, of weights when they are.
 *
 *     tmm0 tmm1    sums of 16 rows of A, queries 0-15, 16-31        tmm4    those rows        tmm6    queries 0-15, then 16-31
 *     tmm2 tmm3    of the next 16                                   tmm5    the next
 */
enum { KEY_TILE = 64, PARTS = 3, STEP = 32, PAIR_ROW_BYTES = ROWS * sizeof(uint32_t) };

/** A tile of queries and what the products read, in the caller's scratch. */
struct products {
    struct query_tile tile;
    size_t padded;           /* size in whole steps */
    uint32_t *query_parts;   /* [PARTS][padded / 2][ROWS] pairs */
    uint32_t *weight_parts;  /* [PARTS][KEY_TILE / 2][ROWS] */
    uint16_t *keys, *values; /* [KEY_TILE][padded], where they are not read from the cache; [size][KEY_TILE] */
};

/** The parts of two rows side by side; a part is `apart` pairs after the one before. */
static inline __attribute__((always_inline)) void split(vec first, vec second, uint32_t *pairs, size_t apart)
{
    const __m512i upper = _mm512_set1_epi32((int)0xffff0000);
    for (size_t part = 0; part < PARTS; part++) {
        __m512i one = _mm512_castps_si512(first), other = _mm512_and_si512(_mm512_castps_si512(second), upper);
        _mm512_store_si512(pairs + part * apart, _mm512_or_si512(_mm512_srli_epi32(one, 16), other));
        first = vec_sub(first, _mm512_castsi512_ps(_mm512_and_si512(one, upper)));
        second = vec_sub(second, _mm512_castsi512_ps(other));
    }
}

static void split_queries(const struct products *products)
{
    const struct query_tile *tile = &products->tile;
    for (size_t pair = 0; pair < products->padded / 2; pair++) {
        const float *rows = tile->queries + 2 * pair * ROWS;
        for (size_t row = 0; row < ROWS; row += LANES) {
            bool there = 2 * pair < tile->of->size;
            split(there ? vec_load(rows + row) : vec_set(0), there ? vec_load(rows + ROWS + row) : vec_set(0),
                  products->query_parts + pair * ROWS + row, products->padded / 2 * ROWS);
        }
    }
}

/* ---- products ---- */

/* A step of `a` and the next 16 rows with two tiles of queries, part by part */
#define MULTIPLY_STEP(a, next, a_stride, b, b_apart, both)                                                             \
    do {                                                                                                               \
        tile_load(4, a, a_stride);                                                                                     \
        if (both)                                                                                                      \
            tile_load(5, next, a_stride);                                                                              \
        for (size_t part = 0; part < PARTS; part++) {                                                                  \
            tile_load(6, (b) + part * (b_apart), PAIR_ROW_BYTES);                                                      \
            tile_multiply(tdpbf16ps, 0, 4, 6);                                                                         \
            if (both)                                                                                                  \
                tile_multiply(tdpbf16ps, 2, 5, 6);                                                                     \
            tile_load_at(6, (b) + part * (b_apart), 64, PAIR_ROW_BYTES);                                               \
            tile_multiply(tdpbf16ps, 1, 4, 6);                                                                         \
            if (both)                                                                                                  \
                tile_multiply(tdpbf16ps, 3, 5, 6);                                                                     \
        }                                                                                                              \
    } while (0)

/** 32 keys with 32 queries. */
static void score_block(const struct products *products, const uint16_t *keys, size_t stride, size_t row, float *score)
{
    const size_t apart = products->padded / 2 * ROWS;
    tile_zero(0);
    tile_zero(1);
    tile_zero(2);
    tile_zero(3);
    for (size_t i = 0; i < products->padded; i += STEP)
        MULTIPLY_STEP(keys + i, keys + TILE_ROWS * stride + i, stride * sizeof *keys,
                      products->query_parts + i / 2 * ROWS + row, apart, true);
    tile_store(0, score, ROWS * sizeof *score);
    tile_store(1, score + TILE_ROWS, ROWS * sizeof *score);
    tile_store(2, score + TILE_ROWS * ROWS, ROWS * sizeof *score);
    tile_store(3, score + TILE_ROWS * ROWS + TILE_ROWS, ROWS * sizeof *score);
}

/** 16 values, or 32 if there are both, of 32 queries. */
static void value_block(const struct products *products, size_t i, bool both, size_t row, size_t steps)
{
    float *out = products->tile.out + i * ROWS + row;
    const uint16_t *values = products->values + i * KEY_TILE;
    tile_load(0, out, ROWS * sizeof *out);
    tile_load(1, out + TILE_ROWS, ROWS * sizeof *out);
    if (both) {
        tile_load(2, out + TILE_ROWS * ROWS, ROWS * sizeof *out);
        tile_load(3, out + TILE_ROWS * ROWS + TILE_ROWS, ROWS * sizeof *out);
    }
    for (size_t step = 0; step < steps; step++)
        MULTIPLY_STEP(values + step * STEP, values + TILE_ROWS * KEY_TILE + step * STEP, KEY_TILE * sizeof *values,
                      products->weight_parts + step * STEP / 2 * ROWS + row, KEY_TILE / 2 * ROWS, both);
    tile_store(0, out, ROWS * sizeof *out);
    tile_store(1, out + TILE_ROWS, ROWS * sizeof *out);
    if (both) {
        tile_store(2, out + TILE_ROWS * ROWS, ROWS * sizeof *out);
        tile_store(3, out + TILE_ROWS * ROWS + TILE_ROWS, ROWS * sizeof *out);
    }
}

/* ---- keys and values ---- */

/** Where whole tiles of keys are: in the cache, or a copy with zeros after them. */
static const uint16_t *keys_of(const struct products *products, size_t first, size_t count, size_t *stride)
{
    const struct layer_prefill_attention *of = products->tile.of;
    const size_t size = of->size, padded = products->padded;
    const uint16_t *keys = of->keys + first * size;
    *stride = padded;
    if (size == padded && count % STEP == 0)
        return keys;
    for (size_t p = 0; p < (count + STEP - 1) / STEP * STEP; p++) {
        size_t there = p < count ? size : 0;
        memcpy(products->keys + p * padded, keys + (p < count ? p : 0) * size, there * sizeof *keys);
        memset(products->keys + p * padded + there, 0, (padded - there) * sizeof *keys);
    }
    return products->keys;
}

/** Pairs of 16 values of neighbouring positions, the later in the upper halves; zeros past `count`. */
static inline __m512i pairs_of(const uint16_t *values, size_t size, size_t p, size_t count)
{
    const __m256i none = _mm256_setzero_si256();
    __m256i one = p < count ? _mm256_loadu_si256((const void *)(values + p * size)) : none;
    __m256i other = p + 1 < count ? _mm256_loadu_si256((const void *)(values + (p + 1) * size)) : none;
    return _mm512_or_si512(_mm512_cvtepu16_epi32(one), _mm512_slli_epi32(_mm512_cvtepu16_epi32(other), 16));
}

static void transpose_values(const struct products *products, size_t first, size_t count)
{
    const struct layer_prefill_attention *of = products->tile.of;
    for (size_t p = 0; p < count; p += STEP) {
        for (size_t i = 0; i < of->size; i += TILE_ROWS) {
            __m512i lines[TILE_ROWS];
            for (size_t pair = 0; pair < TILE_ROWS; pair++)
                lines[pair] = pairs_of(of->values + first * of->size + i, of->size, p + 2 * pair, count);
            transpose_16(lines);
            for (size_t line = 0; line < TILE_ROWS; line++)
                _mm512_store_si512(products->values + (i + line) * KEY_TILE + p, lines[line]);
        }
    }
}

/* ---- the softmax ---- */

/** The largest score of 16 queries; several at once, since each waits for the one before. */
static vec most_of(const float *scores, size_t count, vec most)
{
    enum { APART = 4 };
    vec each[APART] = {most, most, most, most};
    size_t p = 0;
    for (; p + APART <= count; p += APART) {
        for (size_t a = 0; a < APART; a++)
            each[a] = vec_max(each[a], vec_load(scores + (p + a) * ROWS));
    }
    for (; p < count; p++)
        each[0] = vec_max(each[0], vec_load(scores + p * ROWS));
    return vec_max(vec_max(each[0], each[1]), vec_max(each[2], each[3]));
}

/** Scores become the parts of exp(score - most), zero past `count`; what came before is rescaled. */
static void soften(const struct products *products, size_t count)
{
    const struct query_tile *tile = &products->tile;
    for (size_t row = 0; row < ROWS; row += LANES) {
        const float *scores = tile->weight + row;
        uint32_t *pairs = products->weight_parts + row;
        vec before = vec_load(tile->most + row), most = most_of(scores, count, before);
        vec sum = vec_set(0), other_sum = vec_set(0);
        for (size_t p = 0; p < (count + STEP - 1) / STEP * STEP; p += 2) {
            vec one = vec_set(0), other = vec_set(0);
            if (p < count)
                one = vec_exponential(vec_sub(vec_load(scores + p * ROWS), most));
            if (p + 1 < count)
                other = vec_exponential(vec_sub(vec_load(scores + (p + 1) * ROWS), most));
            sum = vec_add(sum, one);
            other_sum = vec_add(other_sum, other);
            split(one, other, pairs + p / 2 * ROWS, KEY_TILE / 2 * ROWS);
        }
        vec factor = vec_exponential(vec_sub(before, most)); /* e^-87 at first, of an out and a sum of 0 */
        vec_store(tile->most + row, most);
        vec_store(tile->sum + row, vec_fma(vec_load(tile->sum + row), factor, vec_add(sum, other_sum)));
        if (_mm512_cmp_ps_mask(before, most, _CMP_EQ_OQ) == 0xffff)
            continue;
        for (size_t i = 0; i < tile->of->size; i++)
            vec_store(tile->out + i * ROWS + row, vec_mul(factor, vec_load(tile->out + i * ROWS + row)));
    }
}

/** Positions [first, first + count) of all rows. */
static void attend_tile(const struct products *products, size_t first, size_t count)
{
    const struct query_tile *tile = &products->tile;
    size_t size = tile->of->size, steps = (count + STEP - 1) / STEP, stride;
    const uint16_t *keys = keys_of(products, first, count, &stride);
    for (size_t p = 0; p < steps * STEP; p += STEP) {
        for (size_t row = 0; row < ROWS; row += 2 * TILE_ROWS)
            score_block(products, keys + p * stride, stride, row, tile->weight + p * ROWS + row);
    }
    if (first + count > (size_t)tile->last[0] + 1)
        mask(tile, first, count);
    transpose_values(products, first, count);
    soften(products, count);
    for (size_t i = 0; i < size; i += 2 * TILE_ROWS) {
        for (size_t row = 0; row < ROWS; row += 2 * TILE_ROWS)
            value_block(products, i, i + TILE_ROWS < size, row, steps);
    }
}

static size_t padded_of(size_t size)
{
    return (size + STEP - 1) / STEP * STEP;
}

static size_t scratch_bytes(size_t size)
{
    return (2 * size * ROWS + KEY_TILE * ROWS + 4 * ROWS) * sizeof(float) +
           PARTS * (padded_of(size) + KEY_TILE) / 2 * ROWS * sizeof(uint32_t) +
           KEY_TILE * (padded_of(size) + size) * sizeof(uint16_t);
}

static void attend(const struct layer_prefill_attention *of, void *scratch)
{
    struct products products = {.tile = {.of = of, .queries = scratch}, .padded = padded_of(of->size)};
    struct query_tile *tile = &products.tile;
    tile->out = tile->queries + of->size * ROWS;
    tile->weight = tile->out + of->size * ROWS;
    tile->most = tile->weight + KEY_TILE * ROWS;
    tile->sum = tile->most + ROWS;
    tile->last = tile->sum + ROWS;
    tile->factor = tile->last + ROWS;
    products.query_parts = (uint32_t *)(void *)(tile->factor + ROWS);
    products.weight_parts = products.query_parts + PARTS * products.padded / 2 * ROWS;
    products.keys = (uint16_t *)(void *)(products.weight_parts + PARTS * KEY_TILE / 2 * ROWS);
    products.values = products.keys + KEY_TILE * products.padded;
    tiles_configure_whole();
    for (size_t rows = of->tokens * of->heads; tile->first < rows; tile->first += ROWS) {
        tile->rows = rows - tile->first < ROWS ? rows - tile->first : ROWS;
        begin_tile(tile);
        split_queries(&products);
        size_t positions = of->before + token_of(tile, tile->rows - 1) + 1;
        for (size_t first = 0; first < positions; first += KEY_TILE)
            attend_tile(&products, first, positions - first < KEY_TILE ? positions - first : KEY_TILE);
        write_out(tile);
    }
    tiles_release();
}

const struct layer_kernel SELF = {.name = SELF_NAME,
                                  .isa = SELF_ISA,
                                  .part = LAYER_PREFILL_ATTENTION,
                                  .prefill_attention = {.attend = attend, .scratch_bytes = scratch_bytes}};
