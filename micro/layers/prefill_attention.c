/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/query_tile.h"
#include "micro/layers/softmax.h"

/**
 * Attention of a tile of queries over tiles of keys, with the softmax carried along. What lies in the lanes are the queries:
 * they are transposed once for all keys, scores and sums come out transposed too, and the softmax of a query is that of a
 * lane, without a sum or maximum across a register. A tile of keys, then of values, is widened to floats once for all queries
 * and broadcast value by value.
 *
 *     scores   [key][query]    += key[i] query^T[i]     KEYS_AT_ONCE x ROW_VECTORS registers of sums
 *     weights                   = exp(score - most), what came before rescaled by exp(most before - most)
 *     out^T    [i][query]      += value[i] weight       VALUES_AT_ONCE x ROW_VECTORS registers of sums
 *
 * A key tile of KEY_TILE positions and a query tile of LAYER_QUERY_TILE take 2 KEY_TILE LAYER_QUERY_TILE size multiply-adds; of
 * 128 values a head 786,432, which is 24,576 cycles at two FMAs of 16 lanes a cycle, beside 3,072 / 16 exponentials of 15
 * operations. Broadcasting keys of bf16 in pairs would double that where there is vdpbf16ps, and would round the weights.
 */
enum { KEY_TILE = 48, KEYS_AT_ONCE = 6, VALUES_AT_ONCE = 4 };

/** Rows of bf16 as floats, and zeros up to a multiple of KEYS_AT_ONCE of them. @return how many there are now */
static size_t widen(const struct query_tile *tile, const uint16_t *rows, size_t count)
{
    size_t size = tile->of->size, whole = (count + KEYS_AT_ONCE - 1) / KEYS_AT_ONCE * KEYS_AT_ONCE;
    for (size_t at = 0; at < count * size; at += LANES)
        vec_store(tile->wide + at, vec_load_bf16(rows + at));
    memset(tile->wide + count * size, 0, (whole - count) * size * sizeof *tile->wide);
    return whole;
}

static inline __attribute__((always_inline)) void score_block(const float *queries, const float *keys, size_t size,
                                                              float *score)
{
    vec sums[KEYS_AT_ONCE][ROW_VECTORS];
#pragma GCC unroll 8
    for (int k = 0; k < KEYS_AT_ONCE; k++) {
#pragma GCC unroll 8
        for (int v = 0; v < ROW_VECTORS; v++)
            sums[k][v] = vec_set(0);
    }
    for (size_t i = 0; i < size; i++) {
        vec query[ROW_VECTORS];
#pragma GCC unroll 8
        for (int v = 0; v < ROW_VECTORS; v++)
            query[v] = vec_load(queries + i * ROWS + (size_t)v * LANES);
#pragma GCC unroll 8
        for (int k = 0; k < KEYS_AT_ONCE; k++) {
            vec key = vec_set(keys[(size_t)k * size + i]);
#pragma GCC unroll 8
            for (int v = 0; v < ROW_VECTORS; v++)
                sums[k][v] = vec_fma(key, query[v], sums[k][v]);
        }
    }
#pragma GCC unroll 8
    for (int k = 0; k < KEYS_AT_ONCE; k++) {
#pragma GCC unroll 8
        for (int v = 0; v < ROW_VECTORS; v++)
            vec_store(score + k * ROWS + v * LANES, sums[k][v]);
    }
}

/** Scores become exp(score - most); sum goes on, and factor is what out is to be multiplied with. */
static void soften(const struct query_tile *tile, size_t count)
{
    for (size_t row = 0; row < tile->used; row += LANES) {
        vec before = vec_load(tile->most + row), most = before, sum = vec_set(0);
        for (size_t p = 0; p < count; p++)
            most = vec_max(most, vec_load(tile->weight + p * ROWS + row));
        for (size_t p = 0; p < count; p++) {
            vec weight = vec_exponential(vec_sub(vec_load(tile->weight + p * ROWS + row), most));
            vec_store(tile->weight + p * ROWS + row, weight);
            sum = vec_add(sum, weight);
        }
        vec factor = vec_exponential(vec_sub(before, most)); /* e^-87 at first, of an out and a sum of 0 */
        vec_store(tile->most + row, most);
        vec_store(tile->sum + row, vec_fma(vec_load(tile->sum + row), factor, sum));
        vec_store(tile->factor + row, factor);
    }
}

static inline __attribute__((always_inline)) void value_block(const struct query_tile *tile, size_t row, size_t i,
                                                              size_t count)
{
    size_t size = tile->of->size;
    float *out = tile->out + i * ROWS + row;
    vec sums[VALUES_AT_ONCE][ROW_VECTORS];
#pragma GCC unroll 8
    for (int c = 0; c < VALUES_AT_ONCE; c++) {
#pragma GCC unroll 8
        for (int v = 0; v < ROW_VECTORS; v++)
            sums[c][v] = vec_mul(vec_load(tile->factor + row + v * LANES), vec_load(out + c * ROWS + v * LANES));
    }
    for (size_t p = 0; p < count; p++) {
        vec weight[ROW_VECTORS];
#pragma GCC unroll 8
        for (int v = 0; v < ROW_VECTORS; v++)
            weight[v] = vec_load(tile->weight + p * ROWS + row + (size_t)v * LANES);
#pragma GCC unroll 8
        for (int c = 0; c < VALUES_AT_ONCE; c++) {
            vec value = vec_set(tile->wide[p * size + i + (size_t)c]);
#pragma GCC unroll 8
            for (int v = 0; v < ROW_VECTORS; v++)
                sums[c][v] = vec_fma(value, weight[v], sums[c][v]);
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < VALUES_AT_ONCE; c++) {
#pragma GCC unroll 8
        for (int v = 0; v < ROW_VECTORS; v++)
            vec_store(out + c * ROWS + v * LANES, sums[c][v]);
    }
}

/** Positions [first, first + count) of all rows. */
static void attend_tile(const struct query_tile *tile, size_t first, size_t count)
{
    const struct layer_prefill_attention *of = tile->of;
    size_t size = of->size, whole = widen(tile, of->keys + first * size, count);
    for (size_t row = 0; row < tile->used; row += AT_ONCE) {
        for (size_t k = 0; k < whole; k += KEYS_AT_ONCE)
            score_block(tile->queries + row, tile->wide + k * size, size, tile->weight + k * ROWS + row);
    }
    if (first + count > (size_t)tile->last[0] + 1)
        mask(tile, first, count);
    soften(tile, count);
    widen(tile, of->values + first * size, count);
    for (size_t row = 0; row < tile->used; row += AT_ONCE) {
        for (size_t i = 0; i < size; i += VALUES_AT_ONCE)
            value_block(tile, row, i, count);
    }
}

static size_t scratch_bytes(size_t size)
{
    return (2 * size * ROWS + KEY_TILE * (size + ROWS) + 4 * ROWS) * sizeof(float);
}

static void attend(const struct layer_prefill_attention *of, void *scratch)
{
    float *room = scratch;
    struct query_tile tile = {.of = of, .queries = room};
    tile.out = tile.queries + of->size * ROWS;
    tile.wide = tile.out + of->size * ROWS;
    tile.weight = tile.wide + KEY_TILE * of->size;
    tile.most = tile.weight + KEY_TILE * ROWS;
    tile.sum = tile.most + ROWS;
    tile.last = tile.sum + ROWS;
    tile.factor = tile.last + ROWS;
    for (size_t rows = of->tokens * of->heads; tile.first < rows; tile.first += ROWS) {
        tile.rows = rows - tile.first < ROWS ? rows - tile.first : ROWS;
        begin_tile(&tile);
        size_t positions = of->before + token_of(&tile, tile.rows - 1) + 1;
        for (size_t first = 0; first < positions; first += KEY_TILE)
            attend_tile(&tile, first, positions - first < KEY_TILE ? positions - first : KEY_TILE);
        write_out(&tile);
    }
}

const struct layer_kernel SELF = {.name = SELF_NAME,
                                  .isa = SELF_ISA,
                                  .part = LAYER_PREFILL_ATTENTION,
                                  .prefill_attention = {.attend = attend, .scratch_bytes = scratch_bytes}};
