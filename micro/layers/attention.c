/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/layer.h"
#include "micro/layers/softmax.h"

/**
 * Attention in one pass over a cache of bf16, tile by tile: the scores of a tile, their softmax over what has been seen so far,
 * what came before rescaled if there is a new maximum, and the tile's values added. Up to four query heads share what is
 * read and widened. Beside each line that is read the one a tile further on is prefetched, into L2: L1 has room for few lines that are under way, so heads
 * of 128 took twice as long, and from L2 they come in time. What follows the last tile are the keys or values that are read next, if there are more.
 *
 * Two bf16 lie in 32 bits, the one at an even place a shift away from its float and the one at an odd place a mask: queries and sums
 * are kept apart likewise, and put together once in the end.
 *
 * Reading should bind: four heads of AVX-512 take 32 multiply-adds and some 24 other uops for a position of 64 values, 28 cycles of two
 * ports, and its 256 bytes take longer from memory.
 */
enum { TILE = 64, HEADS_AT_ONCE = 4, CACHE_LINE = 64 };

/**
 * score[head * TILE + position] of `heads` heads and `count` positions, constants for the compiler: SUMS_AT_ONCE of them, whose lanes are
 * added up side by side for a fourth of what it takes of each alone, or fewer.
 */
static inline __attribute__((always_inline)) void score_block(const struct layer_attention *of, const float *queries,
                                                              const uint16_t *keys, int heads, int count, float *score)
{
    vec sums[SUMS_AT_ONCE];
    float side_by_side[SUMS_AT_ONCE];
#pragma GCC unroll 16
    for (int i = 0; i < heads * count; i++)
        sums[i] = vec_set(0);
    size_t at = 0;
    for (; at + 2 * LANES <= of->size; at += 2 * LANES) {
        vec query[HEADS_AT_ONCE][2];
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            query[h][0] = vec_load(queries + (size_t)h * of->size + at);
            query[h][1] = vec_load(queries + (size_t)h * of->size + at + LANES);
        }
#pragma GCC unroll 16
        for (int p = 0; p < count; p++) {
            vec key[2];
            if (at * sizeof *keys % CACHE_LINE == 0)
                __builtin_prefetch(keys + (TILE + (size_t)p) * of->size + at, 0, 2);
            vec_load_bf16_apart(keys + (size_t)p * of->size + at, &key[0], &key[1]);
#pragma GCC unroll 4
            for (int h = 0; h < heads; h++)
                sums[h * count + p] = vec_fma(query[h][1], key[1], vec_fma(query[h][0], key[0], sums[h * count + p]));
        }
    }
    if (at < of->size) {
#pragma GCC unroll 16
        for (int p = 0; p < count; p++) {
            __builtin_prefetch(keys + (TILE + (size_t)p) * of->size + at, 0, 2);
            vec key = vec_load_bf16(keys + (size_t)p * of->size + at);
#pragma GCC unroll 4
            for (int h = 0; h < heads; h++)
                sums[h * count + p] = vec_fma(vec_load(queries + (size_t)h * of->size + at), key, sums[h * count + p]);
        }
    }
    if (heads * count == SUMS_AT_ONCE) {
        vec_store_sums(sums, side_by_side);
    } else {
#pragma GCC unroll 16
        for (int i = 0; i < heads * count; i++)
            side_by_side[i] = vec_sum(sums[i]);
    }
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++)
        memcpy(score + h * TILE, side_by_side + h * count, (size_t)count * sizeof *score);
}

static inline __attribute__((always_inline)) void score_tile(const struct layer_attention *of, const float *queries,
                                                             size_t first, size_t count, int heads, float *score)
{
    const uint16_t *keys = (const uint16_t *)of->keys + first * of->size;
    enum { TOGETHER = SUMS_AT_ONCE / 4 }; /* heads, whose queries stay in registers beside the sums */
    const int together = heads < TOGETHER ? heads : TOGETHER;
    const size_t at_once = (size_t)(SUMS_AT_ONCE / together);
    size_t p = 0;
    for (; p + at_once <= count; p += at_once) {
#pragma GCC unroll 4
        for (int h = 0; h < heads; h += together)
            score_block(of, queries + (size_t)h * of->size, keys + p * of->size, together, SUMS_AT_ONCE / together,
                        score + h * TILE + p);
    }
    for (; p < count; p++)
        score_block(of, queries, keys + p * of->size, heads, 1, score + p);
}

/** The scores of a head become weights, whose sum goes on. @return what its out is multiplied with, since most may have grown */
static __attribute__((noinline)) float soften(float *score, size_t count, float *most, float *sum)
{
    float now = *most, total;
    softmax_heads(score, TILE, count, 1, &now, &total);
    float factor = *most == now ? 1 : expf(*most - now); /* 0 at first: most is -infinity */
    *most = now;
    *sum = *sum * factor + total;
    return factor;
}

/** out = factor out + sum_p weight[p] value[p] of `heads` heads and `chunks` vectors of each, constants for the compiler. */
static inline __attribute__((always_inline)) void value_block(const struct layer_attention *of, const uint16_t *values,
                                                              const float *weight, const float *factor, size_t count,
                                                              int heads, int chunks, float *out)
{
    vec sums[HEADS_AT_ONCE][BLOCK_CHUNKS];
    __asm__ volatile("" : "+r"(factor)); /* read again for each block: the loop needs the registers */
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 4
        for (int c = 0; c < chunks; c++)
            sums[h][c] = vec_mul(vec_set(factor[h]), vec_load(out + (size_t)h * of->size + (size_t)c * LANES));
    }
    for (size_t p = 0; p < count; p++) {
        vec value[BLOCK_CHUNKS];
        for (size_t at = 0; at < (size_t)chunks * LANES; at += CACHE_LINE / sizeof *values)
            __builtin_prefetch(values + (TILE + p) * of->size + at, 0, 2);
        if (chunks == 1)
            value[0] = vec_load_bf16(values + p * of->size);
#pragma GCC unroll 2
        for (int c = 0; c + 1 < chunks; c += 2)
            vec_load_bf16_apart(values + p * of->size + (size_t)c * LANES, &value[c], &value[c + 1]);
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
    const uint16_t *values = (const uint16_t *)of->values + first * of->size;
    size_t i = 0;
    for (; i + BLOCK_CHUNKS * LANES <= of->size; i += BLOCK_CHUNKS * LANES)
        value_block(of, values + i, weight, factor, count, heads, BLOCK_CHUNKS, out + i);
    for (; i < of->size; i += LANES)
        value_block(of, values + i, weight, factor, count, heads, 1, out + i);
}

/** One tile of some heads, from `head` on. */
static inline __attribute__((always_inline)) void attend_tile(const struct layer_attention *of, const float *queries,
                                                              size_t head, int heads, size_t first, size_t count)
{
    _Alignas(64) float score[HEADS_AT_ONCE * TILE];
    float factor[HEADS_AT_ONCE];
    score_tile(of, queries + head * of->size, first, count, heads, score);
    for (int h = 0; h < heads; h++)
        factor[h] = soften(score + h * TILE, count, &of->most[head + (size_t)h], &of->sum[head + (size_t)h]);
    add_values(of, first, count, score, factor, heads, of->out + head * of->size);
}

/** Of each 2 LANES those at even places, then those at odd ones, as vec_load_bf16_apart() has them. Past the last whole 2 LANES: as they are. */
static void set_apart(const float *x, size_t size, float *y)
{
    for (size_t at = 0; at + 2 * LANES <= size; at += 2 * LANES) {
        for (size_t i = 0; i < LANES; i++) {
            y[at + i] = x[at + 2 * i];
            y[at + LANES + i] = x[at + 2 * i + 1];
        }
    }
    for (size_t i = size / (2 * LANES) * (2 * LANES); i < size; i++)
        y[i] = x[i];
}

static void put_together(float *x, size_t size)
{
    for (size_t at = 0; at + 2 * LANES <= size; at += 2 * LANES) {
        float apart[2 * LANES];
        memcpy(apart, x + at, sizeof apart);
        for (size_t i = 0; i < LANES; i++) {
            x[at + 2 * i] = apart[i];
            x[at + 2 * i + 1] = apart[LANES + i];
        }
    }
}

static void attend(const struct layer_attention *of)
{
    float room[of->heads * of->size + LAYER_PAD], *queries = room;
    while ((uintptr_t)queries % (LAYER_PAD * sizeof *queries))
        queries++;
    for (size_t h = 0; h < of->heads; h++)
        set_apart(of->queries + h * of->size, of->size, queries + h * of->size);

    for (size_t h = 0; h < of->heads; h++) {
        of->most[h] = -INFINITY;
        of->sum[h] = 0;
    }
    memset(of->out, 0, of->heads * of->size * sizeof *of->out);
    for (size_t first = 0; first < of->positions; first += TILE) {
        size_t left = of->positions - first, count = left < TILE ? left : TILE, head = 0;
        for (; head + 4 <= of->heads; head += 4)
            attend_tile(of, queries, head, 4, first, count);
        for (; head + 2 <= of->heads; head += 2)
            attend_tile(of, queries, head, 2, first, count);
        if (head < of->heads)
            attend_tile(of, queries, head, 1, first, count);
    }
    const size_t apart = of->size / (BLOCK_CHUNKS * LANES) * (BLOCK_CHUNKS * LANES);
    for (size_t h = 0; h < of->heads; h++)
        put_together(of->out + h * of->size, apart);
}

static void store(const float *x, size_t size, void *rows, size_t position, bool values)
{
    (void)values;
    uint16_t *row = (uint16_t *)rows + position * size;
    for (size_t i = 0; i < size; i += LANES)
        vec_store_bf16(row + i, vec_load(x + i));
}

const struct layer_kernel SELF = {.name = SELF_NAME,
                                  .isa = SELF_ISA,
                                  .part = LAYER_ATTENTION,
                                  .attention = {.attend = attend, .merge = softmax_merge, .store = store}};
