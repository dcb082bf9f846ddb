/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/exponential.h"
#include "micro/layers/layer.h"

/**
 * Attention in one pass over the cache, tile by tile: the scores of a tile, their softmax over what has been seen so far,
 * what came before rescaled if there is a new maximum, and the tile's values added. Up to four query heads share what is
 * read and widened. While the keys of a tile are read its values are prefetched, and while those are, the next keys:
 * both are streams of their own in memory.
 *
 * The reading binds: a position of 128 values is 512 bytes, 50 cycles at 10 bytes a cycle; four heads compute some 35.
 */
enum { TILE = 64, HEADS_AT_ONCE = 4, POSITIONS_AT_ONCE = 4, CACHE_LINE = 64 };

static inline void prefetch_row(const uint16_t *row, size_t size)
{
    for (size_t at = 0; at < size * sizeof *row; at += CACHE_LINE)
        __builtin_prefetch((const char *)row + at, 0, 3);
}

/** score[head * TILE + position] of `heads` heads and `count` positions, constants for the compiler. */
static inline __attribute__((always_inline)) void score_block(const struct layer_attention *of, const float *queries,
                                                              const uint16_t *keys, int heads, int count, float *score)
{
    vec sums[HEADS_AT_ONCE][POSITIONS_AT_ONCE];
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 4
        for (int p = 0; p < count; p++)
            sums[h][p] = vec_set(0);
    }
    for (size_t i = 0; i < of->size; i += LANES) {
        vec key[POSITIONS_AT_ONCE];
#pragma GCC unroll 4
        for (int p = 0; p < count; p++)
            key[p] = vec_load_bf16(keys + (size_t)p * of->size + i);
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            vec query = vec_load(queries + (size_t)h * of->size + i);
#pragma GCC unroll 4
            for (int p = 0; p < count; p++)
                sums[h][p] = vec_fma(query, key[p], sums[h][p]);
        }
    }
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 4
        for (int p = 0; p < count; p++)
            score[h * TILE + p] = vec_sum(sums[h][p]);
    }
}

static inline __attribute__((always_inline)) void score_tile(const struct layer_attention *of, const float *queries,
                                                             size_t first, size_t count, int heads, float *score)
{
    const uint16_t *keys = of->keys + first * of->size, *values = of->values + first * of->size;
    size_t p = 0;
    for (; p + POSITIONS_AT_ONCE <= count; p += POSITIONS_AT_ONCE) {
        for (size_t row = p; row < p + POSITIONS_AT_ONCE; row++)
            prefetch_row(values + row * of->size, of->size);
        score_block(of, queries, keys + p * of->size, heads, POSITIONS_AT_ONCE, score + p);
    }
    for (; p < count; p++)
        score_block(of, queries, keys + p * of->size, heads, 1, score + p);
}

/**
 * The scores of a head become exp(score - most), zero past count; the head's sum goes on, and what its out and sum are to be
 * multiplied with, since most may have grown, is returned.
 */
static inline float soften(float *score, size_t count, float *most, float *sum)
{
    size_t padded = (count + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
    for (size_t i = count; i < padded; i++)
        score[i] = -INFINITY;
    vec largest = vec_set(*most);
    for (size_t i = 0; i < padded; i += LANES)
        largest = vec_max(largest, vec_load(score + i));
    float now = vec_most(largest);
    vec total = vec_set(0);
    for (size_t i = 0; i < padded; i += LANES) {
        vec e = vec_exponential(vec_sub(vec_load(score + i), vec_set(now)));
        vec_store(score + i, e);
        total = vec_add(total, e);
    }
    float factor = expf(*most - now); /* 0 at first: most is -infinity */
    *most = now;
    *sum = *sum * factor + vec_sum(total); /* what is past count is e^-87 each, nothing beside the 1 of the largest */
    return factor;
}

/** out = factor out + sum_p weight[p] value[p] of `heads` heads and `chunks` vectors of each, constants for the compiler. */
static inline __attribute__((always_inline)) void value_block(const struct layer_attention *of, const uint16_t *values,
                                                              const float *weight, const float *factor, size_t count,
                                                              int heads, int chunks, float *out)
{
    vec sums[HEADS_AT_ONCE][BLOCK_CHUNKS];
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 4
        for (int c = 0; c < chunks; c++)
            sums[h][c] = vec_mul(vec_set(factor[h]), vec_load(out + (size_t)h * of->size + (size_t)c * LANES));
    }
    for (size_t p = 0; p < count; p++) {
        vec value[BLOCK_CHUNKS];
#pragma GCC unroll 4
        for (int c = 0; c < chunks; c++)
            value[c] = vec_load_bf16(values + p * of->size + (size_t)c * LANES);
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            vec w = vec_set(weight[(size_t)h * TILE + p]);
#pragma GCC unroll 4
            for (int c = 0; c < chunks; c++)
                sums[h][c] = vec_fma(w, value[c], sums[h][c]);
        }
    }
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 4
        for (int c = 0; c < chunks; c++)
            vec_store(out + (size_t)h * of->size + (size_t)c * LANES, sums[h][c]);
    }
}

static inline __attribute__((always_inline)) void add_values(const struct layer_attention *of, size_t first,
                                                             size_t count, const float *weight, const float *factor,
                                                             int heads, float *out)
{
    const uint16_t *values = of->values + first * of->size;
    size_t i = 0, next = first + count;
    for (size_t p = next; p < next + TILE && p < of->positions; p++)
        prefetch_row(of->keys + p * of->size, of->size);
    for (; i + BLOCK_CHUNKS * LANES <= of->size; i += BLOCK_CHUNKS * LANES)
        value_block(of, values + i, weight, factor, count, heads, BLOCK_CHUNKS, out + i);
    for (; i < of->size; i += LANES)
        value_block(of, values + i, weight, factor, count, heads, 1, out + i);
}

/** One tile of some heads, from `head` on. */
static inline __attribute__((always_inline)) void attend_tile(const struct layer_attention *of, size_t head, int heads,
                                                              size_t first, size_t count)
{
    _Alignas(64) float score[HEADS_AT_ONCE * TILE];
    float factor[HEADS_AT_ONCE];
    score_tile(of, of->queries + head * of->size, first, count, heads, score);
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++)
        factor[h] = soften(score + h * TILE, count, &of->most[head + (size_t)h], &of->sum[head + (size_t)h]);
    add_values(of, first, count, score, factor, heads, of->out + head * of->size);
}

static void attend(const struct layer_attention *of)
{
    for (size_t h = 0; h < of->heads; h++) {
        of->most[h] = -INFINITY;
        of->sum[h] = 0;
    }
    memset(of->out, 0, of->heads * of->size * sizeof *of->out);
    for (size_t first = 0; first < of->positions; first += TILE) {
        size_t left = of->positions - first, count = left < TILE ? left : TILE, head = 0;
        for (; head + 4 <= of->heads; head += 4)
            attend_tile(of, head, 4, first, count);
        for (; head + 2 <= of->heads; head += 2)
            attend_tile(of, head, 2, first, count);
        if (head < of->heads)
            attend_tile(of, head, 1, first, count);
    }
}

static void merge(const struct layer_attention_part *parts, size_t count, size_t size, float *y)
{
    float most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        most = parts[i].most > most ? parts[i].most : most;
    for (size_t i = 0; i < count; i++)
        sum += expf(parts[i].most - most) * parts[i].sum;
    for (size_t i = 0; i < count; i++) {
        vec share = vec_set(expf(parts[i].most - most) / sum);
        for (size_t at = 0; at < size; at += LANES) {
            vec part = vec_mul(share, vec_load(parts[i].out + at));
            vec_store(y + at, i ? vec_add(vec_load(y + at), part) : part);
        }
    }
}

static void store(const float *x, size_t n, uint16_t *y)
{
    for (size_t i = 0; i < n; i += LANES)
        vec_store_bf16(y + i, vec_load(x + i));
}

const struct layer_kernel SELF = {.name = SELF_NAME,
                                  .isa = SELF_ISA,
                                  .part = LAYER_ATTENTION,
                                  .attention = {.attend = attend, .merge = merge, .store = store}};
