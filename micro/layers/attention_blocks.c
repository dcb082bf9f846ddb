/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "micro/of_self.h"
#if defined __AVX512VNNI__ /* dot products of integers beside the vectors of the instruction set that has these */
#include "micro/layers/vector_avx512.h"
#elif defined __AVXVNNI__
#include "micro/layers/vector_avx2.h"
#else
#include OF_ISA_H(micro/layers/vector)
#endif

#include "micro/isa/half.h"
#include "micro/layers/layer.h"
#include "micro/layers/softmax.h"

/**
 * Attention over a cache of q8_0 or q4_0 (CACHE, from layers.def), a tile of positions after the other. Keys are multiplied as bytes, four
 * values of a position to a sum of 32 bits, values as 16 bits, two positions to a sum: weights of 8 bits would lose the many small ones beside
 * a large one. So 64 values of four heads take 4 and 8 multiplications of 512 bits a position, for 136 bytes of q8_0.
 *
 * Beside what is read what lies a tile further on is prefetched, as attention.c does.
 */
enum { NIBBLES = CACHE == LAYER_CACHE_Q4_0, TILE = LAYER_CACHE_TILE, BLOCK = LAYER_CACHE_BLOCK };
enum { HEADS_AT_ONCE = 4, CHUNK = 4, CHUNK_BYTES = CHUNK * TILE, CACHE_LINE = 64 };

/** Queries as q8_0, head after head. */
struct rounded {
    const int8_t *codes;  /* [heads][size] */
    const float *scale;   /* [heads][blocks] */
    const int32_t *start; /* [heads][blocks]: what a sum begins with */
};

/** Scales of the values of a tile: in LAYER_CACHE_WEIGHT of the largest of each block, and what one of that is. */
struct levels {
    float *of;   /* [blocks][TILE] */
    float *unit; /* [blocks] */
};

static inline size_t blocks_of(size_t size)
{
    return (size + BLOCK - 1) / BLOCK;
}

static inline size_t values_in(size_t size, size_t block)
{
    return size - block * BLOCK < BLOCK ? size - block * BLOCK : BLOCK;
}

static inline const uint16_t *scales_of(const uint8_t *tile, size_t size, size_t block)
{
    return (const uint16_t *)(const void *)(tile + layer_cache_scales_at(CACHE, size)) + block * TILE;
}

static inline void prefetch_scales(const uint16_t *scales, size_t tile)
{
    for (size_t at = 0; at < TILE * sizeof *scales; at += CACHE_LINE)
        __builtin_prefetch((const uint8_t *)scales + tile + at, 0, 2);
}

static inline size_t code_bytes(size_t values)
{
    return values * TILE / (NIBBLES ? 2 : 1);
}

/* ---- rounding ---- */

static inline float largest_of(const float *x, size_t n)
{
    vec most = vec_set(0);
    for (size_t i = 0; i < n; i += LANES)
        most = vec_max(most, vec_max(vec_load(x + i), vec_sub(vec_set(0), vec_load(x + i))));
    return vec_most(most);
}

/** The nearest integer of each x by, at most 127 in magnitude. @return their sum */
static inline int32_t round_all(const float *x, float by, size_t n, int8_t *whole)
{
    vec sum = vec_set(0);
    for (size_t i = 0; i < n; i += LANES) {
        const vec of = vec_round(vec_mul(vec_load(x + i), vec_set(by)));
        const vec bounded = vec_max(vec_min(of, vec_set(127)), vec_set(-127));
        vec_store_i8(whole + i, bounded);
        sum = vec_add(sum, bounded);
    }
    return (int32_t)vec_sum(sum);
}

static void round_queries(const struct layer_attention *of, int8_t *codes, float *scale, int32_t *start)
{
    const size_t blocks = blocks_of(of->size);
    for (size_t i = 0; i < of->heads * blocks; i++) {
        const size_t at = i / blocks * of->size + i % blocks * BLOCK, values = values_in(of->size, i % blocks);
        const float most = largest_of(of->queries + at, values);
        const int32_t sum = round_all(of->queries + at, most > 0 ? 127 / most : 0, values, codes + at);
        scale[i] = most / 127;
        start[i] = -(NIBBLES ? 8 : KEY_OFFSET) * sum;
    }
}

/* ---- scores ---- */

/** Sums of a chunk of each head, codes at `codes` of KEY_VECTORS, query at `query`, and of nibbles those of another chunk at `other`. */
static inline __attribute__((always_inline)) void dot_chunk(const uint8_t *codes, const int8_t *query,
                                                            const int8_t *other, size_t size, int heads,
                                                            ivec sums[HEADS_AT_ONCE][KEY_VECTORS])
{
    ivec of[HEADS_AT_ONCE], of_other[HEADS_AT_ONCE];
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
        of[h] = ivec_load_all(query + (size_t)h * size);
        if (NIBBLES)
            of_other[h] = ivec_load_all(other + (size_t)h * size);
    }
#pragma GCC unroll 4
    for (int g = 0; g < KEY_VECTORS; g++) {
        key_codes low, high;
        if (NIBBLES)
            keys_load_nibbles(codes + g * LANES * CHUNK, &low, &high);
        else
            low = keys_load(codes + g * LANES * CHUNK);
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            sums[h][g] = NIBBLES ? nibbles_dot(sums[h][g], low, of[h]) : keys_dot(sums[h][g], low, of[h]);
            if (NIBBLES)
                sums[h][g] = nibbles_dot(sums[h][g], high, of_other[h]);
        }
    }
}

/** Add a block's part of the scores of KEY_VECTORS * LANES positions from `first` on, or begin with it. */
static inline __attribute__((always_inline)) void score_block(const struct layer_attention *of,
                                                              const struct rounded *queries, const uint8_t *codes,
                                                              const uint16_t *scales, size_t tile, size_t head,
                                                              size_t block, size_t first, int heads, float *score)
{
    const size_t blocks = blocks_of(of->size), chunks = values_in(of->size, block) / CHUNK;
    const size_t half = NIBBLES ? chunks / 2 : chunks;
    const int8_t *query = queries->codes + head * of->size + block * BLOCK;
    ivec sums[HEADS_AT_ONCE][KEY_VECTORS];
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 4
        for (int g = 0; g < KEY_VECTORS; g++)
            sums[h][g] = ivec_set(queries->start[(head + (size_t)h) * blocks + block]);
    }
    for (size_t c = 0; c < half; c++) {
        for (size_t at = 0; at < KEY_VECTORS * LANES * CHUNK; at += CACHE_LINE)
            __builtin_prefetch(codes + tile + c * CHUNK_BYTES + first * CHUNK + at, 0, 2);
        dot_chunk(codes + c * CHUNK_BYTES + first * CHUNK, query + c * CHUNK, query + (half + c) * CHUNK, of->size,
                  heads, sums);
    }
#pragma GCC unroll 4
    for (int g = 0; g < KEY_VECTORS; g++) {
        const size_t at = first + (size_t)g * LANES;
        const vec scale = vec_load_f16(scales + at);
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            float *to = score + (size_t)h * TILE + at;
            const vec both = vec_mul(scale, vec_set(queries->scale[(head + (size_t)h) * blocks + block]));
            vec_store(to, block ? vec_fma(vec_from_ivec(sums[h][g]), both, vec_load(to))
                                : vec_mul(vec_from_ivec(sums[h][g]), both));
        }
    }
}

static inline __attribute__((always_inline)) void score_tile(const struct layer_attention *of,
                                                             const struct rounded *queries, const uint8_t *keys,
                                                             size_t tile, size_t head, int heads, float *score)
{
    const uint8_t *codes = keys;
    for (size_t block = 0; block * BLOCK < of->size; block++) {
        const uint16_t *scales = scales_of(keys, of->size, block);
        for (size_t first = 0; first < TILE; first += KEY_VECTORS * LANES)
            score_block(of, queries, codes, scales, tile, head, block, first, heads, score);
        prefetch_scales(scales, tile);
        codes += code_bytes(values_in(of->size, block));
    }
}

/* ---- values ---- */

/** Levels of positions past count are 0, whatever is there. */
static void level(const struct layer_attention *of, const uint8_t *values, size_t count, struct levels *levels)
{
    for (size_t block = 0; block * BLOCK < of->size; block++) {
        float *to = levels->of + block * TILE;
        for (size_t p = 0; p < TILE; p += LANES)
            vec_store(to + p, vec_load_f16(scales_of(values, of->size, block) + p));
        memset(to + count, 0, (TILE - count) * sizeof *to);
        const float most = largest_of(to, TILE), by = most > 0 ? LAYER_CACHE_WEIGHT / most : 0;
        for (size_t p = 0; p < TILE; p += LANES)
            vec_store(to + p, vec_mul(vec_load(to + p), vec_set(by)));
        levels->unit[block] = most / LAYER_CACHE_WEIGHT;
    }
}

/** out = factor out + unit times the sum of weights and codes, of a row of `row` values `chunks` vectors. */
static inline __attribute__((always_inline)) void add_chunks(const uint8_t *codes, size_t row,
                                                             int16_t weights[HEADS_AT_ONCE][TILE], const float *factor,
                                                             const float *unit, size_t tile, size_t size, int heads,
                                                             int chunks, float *out)
{
    enum { TOGETHER = NIBBLES ? 4 : 2, PAIR = 2 };
    ivec sums[HEADS_AT_ONCE][VALUE_VECTORS];
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 2
        for (int v = 0; v < chunks; v++)
            sums[h][v] = ivec_set(0);
    }
    for (size_t p = 0; p < TILE; p += TOGETHER, codes += row * PAIR) {
        value_codes low[VALUE_VECTORS], high[VALUE_VECTORS];
        __builtin_prefetch(codes + tile, 0, 2);
#pragma GCC unroll 2
        for (int v = 0; v < chunks; v++) {
            if (NIBBLES)
                values_load_nibbles(codes + v * LANES * PAIR, &low[v], &high[v]);
            else
                low[v] = values_load(codes + v * LANES * PAIR);
        }
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            const ivec weight = ivec_load_all(weights[h] + p);
#pragma GCC unroll 2
            for (int v = 0; v < chunks; v++)
                sums[h][v] = values_dot(sums[h][v], low[v], weight);
            if (NIBBLES) {
                const ivec later = ivec_load_all(weights[h] + p + PAIR);
#pragma GCC unroll 2
                for (int v = 0; v < chunks; v++)
                    sums[h][v] = values_dot(sums[h][v], high[v], later);
            }
        }
    }
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
#pragma GCC unroll 2
        for (int v = 0; v < chunks; v++) {
            float *to = out + (size_t)h * size + (size_t)v * LANES;
            vec_store(to,
                      vec_fma(vec_from_ivec(sums[h][v]), vec_set(unit[h]), vec_mul(vec_load(to), vec_set(factor[h]))));
        }
    }
}

/** `share` is what the sums of this tile are multiplied with. */
static inline __attribute__((always_inline)) void value_tile(const struct layer_attention *of, const uint8_t *values,
                                                             size_t tile, const struct levels *levels,
                                                             const float *score, const float *factor,
                                                             const float *share, int heads, float *out)
{
    _Alignas(CACHE_LINE) int16_t weights[HEADS_AT_ONCE][TILE];
    const uint8_t *codes = values;
    for (size_t block = 0; block * BLOCK < of->size; block++) {
        const size_t row = values_in(of->size, block);
        float unit[HEADS_AT_ONCE];
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            for (size_t p = 0; p < TILE; p += LANES)
                vec_store_i16(weights[h] + p,
                              vec_mul(vec_load(score + (size_t)h * TILE + p), vec_load(levels->of + block * TILE + p)));
            unit[h] = share[h] * levels->unit[block];
        }
        size_t v = 0;
        for (; v + VALUE_VECTORS * LANES <= row; v += VALUE_VECTORS * LANES)
            add_chunks(codes + 2 * v, row, weights, factor, unit, tile, of->size, heads, VALUE_VECTORS,
                       out + block * BLOCK + v);
        for (; v < row; v += LANES)
            add_chunks(codes + 2 * v, row, weights, factor, unit, tile, of->size, heads, 1, out + block * BLOCK + v);
        prefetch_scales(scales_of(values, of->size, block), tile);
        codes += code_bytes(row);
    }
}

/* ---- all of it ---- */

/** The weights of a tile are relative to its own largest score: `share` puts them beside those before, `factor` those before beside them. */
static inline __attribute__((always_inline)) void soften(float *score, size_t count, int heads, float *most, float *sum,
                                                         float *factor, float *share)
{
    float own[HEADS_AT_ONCE], total[HEADS_AT_ONCE];
    for (int h = 0; h < heads; h++)
        own[h] = -INFINITY;
    softmax_heads(score, TILE, count, heads, own, total);
    for (int h = 0; h < heads; h++) {
        const float now = own[h] > most[h] ? own[h] : most[h];
        factor[h] = most[h] == now ? 1 : expf(most[h] - now); /* 0 at first: most is -infinity */
        share[h] = own[h] == now ? 1 : expf(own[h] - now);
        sum[h] = sum[h] * factor[h] + total[h] * share[h];
        most[h] = now;
    }
}

static inline __attribute__((always_inline)) void attend_tile(const struct layer_attention *of,
                                                              const struct rounded *queries,
                                                              const struct levels *levels, size_t head, int heads,
                                                              size_t first, size_t count)
{
    _Alignas(CACHE_LINE) float score[HEADS_AT_ONCE * TILE];
    const size_t bytes = layer_cache_bytes(CACHE, of->size), at = first / TILE * bytes;
    const uint8_t *keys = (const uint8_t *)of->keys + at, *values = (const uint8_t *)of->values + at;
    float factor[HEADS_AT_ONCE], share[HEADS_AT_ONCE];
    score_tile(of, queries, keys, bytes, head, heads, score);
    soften(score, count, heads, of->most + head, of->sum + head, factor, share);
    if (head == 0)
        level(of, values, count, (struct levels *)levels);
    for (int h = 0; h < heads && count < TILE; h++) /* past the padding, too */
        memset(score + h * TILE + count, 0, (TILE - count) * sizeof *score);
    value_tile(of, values, bytes, levels, score, factor, share, heads, of->out + head * of->size);
}

static void attend(const struct layer_attention *of)
{
    const size_t blocks = blocks_of(of->size);
    _Alignas(CACHE_LINE) float scale[of->heads * blocks], level_of[blocks * TILE], unit[blocks];
    int8_t codes[of->heads * of->size];
    int32_t start[of->heads * blocks];
    const struct rounded queries = {codes, scale, start};
    const struct levels levels = {level_of, unit};
    round_queries(of, codes, scale, start);
    for (size_t h = 0; h < of->heads; h++) {
        of->most[h] = -INFINITY;
        of->sum[h] = 0;
    }
    memset(of->out, 0, of->heads * of->size * sizeof *of->out);
    for (size_t first = 0; first < of->positions; first += TILE) {
        size_t left = of->positions - first, count = left < TILE ? left : TILE, head = 0;
        for (; head + 4 <= of->heads; head += 4)
            attend_tile(of, &queries, &levels, head, 4, first, count);
        for (; head + 2 <= of->heads; head += 2)
            attend_tile(of, &queries, &levels, head, 2, first, count);
        if (head < of->heads)
            attend_tile(of, &queries, &levels, head, 1, first, count);
    }
}

/* ---- storing ---- */

/** The value of largest magnitude, the first of those. */
static inline float extreme_of(const float *x, size_t n)
{
    const float magnitude = largest_of(x, n);
    size_t i = 0;
    while (i + 1 < n && fabsf(x[i]) < magnitude)
        i++;
    return x[i];
}

static inline void put_nibble(uint8_t *byte, bool upper, int code)
{
    *byte = (uint8_t)(upper ? (*byte & 15) | (code & 15) << 4 : (*byte & 0xf0) | (code & 15));
}

/** Code i of a block of `count` values. */
static inline void put(uint8_t *block, size_t count, size_t i, size_t position, bool values, int q)
{
    const size_t half = count / 2;
    if (values && NIBBLES)
        put_nibble(block + (position / 4 * count + i) * 2 + position % 2, position / 2 % 2, q);
    else if (values)
        block[(position / 2 * count + i) * 2 + position % 2] = (uint8_t)q;
    else if (NIBBLES)
        put_nibble(block + (i % half / CHUNK * TILE + position) * CHUNK + i % CHUNK, i >= half, q + 8);
    else
        block[(i / CHUNK * TILE + position) * CHUNK + i % CHUNK] = (uint8_t)(q + 128);
}

static void store(const float *x, size_t size, void *tiles, size_t position, bool values)
{
    uint8_t *tile = (uint8_t *)tiles + position / TILE * layer_cache_bytes(CACHE, size), *codes = tile;
    const size_t in_tile = position % TILE;
    for (size_t block = 0; block * BLOCK < size; block++) {
        const size_t count = values_in(size, block);
        const float *of = x + block * BLOCK;
        const float scale = NIBBLES ? extreme_of(of, count) / -8 : largest_of(of, count) / 127,
                    by = scale != 0 ? 1 / scale : 0;
        int8_t whole[BLOCK];
        if (!NIBBLES)
            round_all(of, by, count, whole);
        for (size_t i = 0; i < count; i++)
            put(codes, count, i, in_tile, values, NIBBLES ? (int)fminf(floorf(of[i] * by + 0.5f), 7) : whole[i]);
        ((uint16_t *)(void *)(tile + layer_cache_scales_at(CACHE, size)))[block * TILE + in_tile] =
            half_from_float(scale);
        codes += code_bytes(count);
    }
}

const struct layer_kernel SELF = {
    .name = SELF_NAME,
    .isa = SELF_ISA,
    .part = LAYER_ATTENTION,
    .attention = {.cache = CACHE, .attend = attend, .merge = softmax_merge, .store = store}};
