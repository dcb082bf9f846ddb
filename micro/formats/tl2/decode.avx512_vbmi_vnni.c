/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A GEMM without look-ups of sums: with many tokens a table for each three activations of each costs what it saves, so the
 * codes of a panel are decoded once, to bytes of weights + 1 that vpdpbusd multiplies for all tokens. Index and sign of a
 * triple are an index of 5 bits, and vpermb finds its three weights, of 64 rows at a time; columns are then interleaved to
 * lanes of four.
 *
 *     scratch = [2 passes] [groups of 4 columns] [2 registers] 64 bytes, then [tokens] sums of activations
 *     lane 4 q + i of register n of a panel is row 16 q + 4 n + i
 */
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "micro/formats/tl2/layout.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

enum {
    TOKENS = 6,
    REGISTERS = 4,
    PASSES = 2,
    GROUP = 4,
    GROUPS_A_TILE = TL2_TILE_COLUMNS / GROUP,
    CUT_COLUMNS = 85 * TL2_TILE_COLUMNS, /* of 64 rows 128 KiB: they stay in the second level */
    SUMS_AT = CUT_COLUMNS * TL2_ROWS
};

/** Columns column … column + count of a panel, a multiple of whole tiles from its first. */
struct cut {
    size_t panel, column, count;
};

/* ---- decoding ---- */

/** Weights + 1 by code: sign in bit 4, |9 w0 + 3 w1 + w2| in bits 3:0, of triples; 3 (w0 + 1) + w1 + 1 of pairs. */
struct tables {
    __m512i triple[3], pair[2];
};

static struct tables tables_make(void)
{
    _Alignas(64) uint8_t triple[3][64] = {{0}}, pair[2][64] = {{0}};
    struct tables tables;
    for (int code = 0; code < 32; code++) {
        int index = code % 16 > 13 ? 0 : code % 16, number = 13 + (code < 16 ? index : -index);
        triple[0][code] = (uint8_t)(number / 9);
        triple[1][code] = (uint8_t)(number / 3 % 3);
        triple[2][code] = (uint8_t)(number % 3);
        pair[0][code] = (uint8_t)(code % 16 / 3);
        pair[1][code] = (uint8_t)(code % 3);
    }
    for (int i = 0; i < 3; i++)
        tables.triple[i] = _mm512_load_si512(triple[i]);
    for (int i = 0; i < 2; i++)
        tables.pair[i] = _mm512_load_si512(pair[i]);
    return tables;
}

ROWS_INLINE __m512i nibble_of(__m512i bytes, int upper)
{
    return _mm512_and_si512(upper ? _mm512_srli_epi16(bytes, 4) : bytes, _mm512_set1_epi8(15));
}

/** Four columns of 64 rows, a byte each, to lanes of four columns; group `group` of `groups`. */
ROWS_INLINE void store_group(const __m512i *column, uint8_t *to, size_t group, size_t groups)
{
    __m512i low = _mm512_unpacklo_epi8(column[0], column[1]), low2 = _mm512_unpacklo_epi8(column[2], column[3]);
    __m512i high = _mm512_unpackhi_epi8(column[0], column[1]), high2 = _mm512_unpackhi_epi8(column[2], column[3]);
    uint8_t *first = to + group * 128, *second = to + (groups + group) * 128;
    _mm512_store_si512(first, _mm512_unpacklo_epi16(low, low2));
    _mm512_store_si512(first + 64, _mm512_unpackhi_epi16(low, low2));
    _mm512_store_si512(second, _mm512_unpacklo_epi16(high, high2));
    _mm512_store_si512(second + 64, _mm512_unpackhi_epi16(high, high2));
}

static void decode_tile(const struct tables *tables, const uint8_t *tile, uint8_t *to, size_t group, size_t groups)
{
    __m512i column[TL2_TILE_COLUMNS], signs = _mm512_loadu_si512(tile + TL2_SIGNS);
#pragma GCC unroll 8
    for (int j = 0; j < TL2_TRIPLES; j++) {
        __m512i index = nibble_of(_mm512_loadu_si512(tile + j / 2 * TL2_ROWS), j % 2);
        __m512i sign = j < 4 ? _mm512_srli_epi16(signs, 3 - (j & 3)) : _mm512_slli_epi16(signs, j - 3);
        __m512i code = _mm512_or_si512(index, _mm512_and_si512(sign, _mm512_set1_epi8(16)));
#pragma GCC unroll 3
        for (int i = 0; i < 3; i++)
            column[3 * j + i] = _mm512_permutexvar_epi8(code, tables->triple[i]);
    }
#pragma GCC unroll 6
    for (int g = 0; g < GROUPS_A_TILE; g++)
        store_group(&column[GROUP * g], to, group + (size_t)g, groups);
}

static void decode_quad(const struct tables *tables, const uint8_t *quad, uint8_t *to, size_t group, size_t groups)
{
    __m512i bytes = _mm512_loadu_si512(quad), column[GROUP];
    for (int i = 0; i < GROUP; i++)
        column[i] = _mm512_permutexvar_epi8(nibble_of(bytes, i / 2), tables->pair[i % 2]);
    store_group(column, to, group, groups);
}

static void decode(const struct gemm_slice *slice, const struct cut *cut)
{
    const struct tables tables = tables_make();
    const uint8_t *panel = slice->weights + cut->panel * slice->panel_bytes;
    size_t groups = cut->count / GROUP, tiles = tl2_tiles(slice->k), first = cut->column / TL2_TILE_COLUMNS, group = 0;
    for (size_t tile = first; tile < tiles && group + GROUPS_A_TILE <= groups; tile++, group += GROUPS_A_TILE) {
        const uint8_t *at = panel + tile * TL2_TILE_BYTES;
        rows_prefetch(at, TL2_TILE_BYTES, slice->prefetch_bytes);
        decode_tile(&tables, at, slice->scratch, group, groups);
    }
    for (const uint8_t *quad = panel + tiles * TL2_TILE_BYTES; group < groups; group++, quad += TL2_QUAD_BYTES)
        decode_quad(&tables, quad, slice->scratch, group, groups);
}

/* ---- multiplying ---- */

/** Two registers of rows; a constant number of tokens. */
ROWS_INLINE void multiply(const uint8_t *weights, size_t groups, const int8_t *x, size_t stride, __m512i (*sum)[2],
                          int tokens)
{
    __m512i own[TOKENS][2];
#pragma GCC unroll 6
    for (int t = 0; t < tokens; t++)
        own[t][0] = own[t][1] = _mm512_setzero_si512();
    for (size_t group = 0; group < groups; group++, weights += 128, x += GROUP) {
        __m512i first = _mm512_load_si512(weights), second = _mm512_load_si512(weights + 64);
#pragma GCC unroll 6
        for (int t = 0; t < tokens; t++) {
            int32_t four;
            memcpy(&four, x + (size_t)t * stride, sizeof four);
            __m512i a = _mm512_set1_epi32(four);
            ROWS_IN_REGISTER(a);
            own[t][0] = _mm512_dpbusd_epi32(own[t][0], first, a);
            own[t][1] = _mm512_dpbusd_epi32(own[t][1], second, a);
            ROWS_IN_REGISTER(own[t][0]); /* or they are copied from register to register in each turn */
            ROWS_IN_REGISTER(own[t][1]);
        }
    }
#pragma GCC unroll 6
    for (int t = 0; t < tokens; t++) {
        sum[t][0] = own[t][0];
        sum[t][1] = own[t][1];
    }
}

typedef void multiply_function(const uint8_t *weights, size_t groups, const int8_t *x, size_t stride,
                               __m512i (*sum)[2]);
#define MULTIPLY(tokens)                                                                                               \
    static __attribute__((noinline)) void multiply_##tokens(const uint8_t *weights, size_t groups, const int8_t *x,    \
                                                            size_t stride, __m512i(*sum)[2])                           \
    {                                                                                                                  \
        multiply(weights, groups, x, stride, sum, tokens);                                                             \
    }
MULTIPLY(1)
MULTIPLY(2)
MULTIPLY(3)
MULTIPLY(4)
MULTIPLY(5)
MULTIPLY(6)
static multiply_function *const multiply_by[TOKENS] = {multiply_1, multiply_2, multiply_3,
                                                       multiply_4, multiply_5, multiply_6};

static const int32_t *sums_of(const struct gemm_slice *slice)
{
    return (const int32_t *)(const void *)((const uint8_t *)slice->scratch + SUMS_AT);
}

/** Register `number` of a panel's rows for one token, onto what columns before left in out. */
ROWS_INLINE void put(const struct gemm_slice *slice, const struct cut *cut, size_t token, int number, __m512i sum)
{
    float *out = slice->out + token * slice->out_stride + cut->panel * TL2_ROWS + 4 * number;
    _Alignas(64) int32_t lanes[16];
    _mm512_store_si512(lanes, sum);
    for (int q = 0; q < 4; q++) {
        __m128i four = _mm_load_si128((const __m128i *)(const void *)(lanes + 4 * q));
        if (cut->column)
            four = _mm_add_epi32(four, _mm_loadu_si128((const __m128i *)(const void *)(out + 16 * q)));
        if (cut->column + cut->count == slice->k) {
            /* what bytes are more than weights: each activation once */
            four = _mm_add_epi32(four, _mm_set1_epi32(slice->corrections[token] - sums_of(slice)[token]));
            four = _mm_castps_si128(_mm_mul_ps(_mm_cvtepi32_ps(four), _mm_set1_ps(slice->scales[token])));
        }
        _mm_storeu_si128((__m128i *)(void *)(out + 16 * q), four);
    }
}

static void run_cut(const struct gemm_slice *slice, const struct cut *cut)
{
    size_t groups = cut->count / GROUP;
    decode(slice, cut);
    for (size_t token = 0; token < slice->tokens; token += TOKENS) {
        size_t tokens = slice->tokens - token < TOKENS ? slice->tokens - token : TOKENS;
        const int8_t *x = slice->activations + token * slice->activations_stride + cut->column;
        for (int pass = 0; pass < PASSES; pass++) {
            const uint8_t *weights = (const uint8_t *)slice->scratch + (size_t)pass * groups * 128;
            __m512i sum[TOKENS][2];
            multiply_by[tokens - 1](weights, groups, x, slice->activations_stride, sum);
            for (size_t t = 0; t < tokens; t++) {
                put(slice, cut, token + t, 2 * pass, sum[t][0]);
                put(slice, cut, token + t, 2 * pass + 1, sum[t][1]);
            }
        }
    }
}

static void add_activations(const struct gemm_slice *slice)
{
    int32_t *sums = (int32_t *)(void *)((uint8_t *)slice->scratch + SUMS_AT);
    for (size_t token = 0; token < slice->tokens; token++) {
        const int8_t *x = slice->activations + token * slice->activations_stride;
        __m512i sum = _mm512_setzero_si512();
        for (size_t column = 0; column < slice->k; column += 64) {
            size_t left = slice->k - column;
            __mmask64 there = left < 64 ? (1ULL << left) - 1 : ~0ULL;
            sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(1), _mm512_maskz_loadu_epi8(there, x + column));
        }
        sums[token] = _mm512_reduce_add_epi32(sum);
    }
}

static void run(const struct gemm_slice *slice)
{
    add_activations(slice);
    for (size_t panel = 0; panel < slice->panels; panel++) {
        for (size_t column = 0; column < slice->k; column += CUT_COLUMNS) {
            size_t left = slice->k - column;
            struct cut cut = {panel, column, left < CUT_COLUMNS ? left : CUT_COLUMNS};
            run_cut(slice, &cut);
        }
    }
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k;
    return SUMS_AT + (tokens * sizeof(int32_t) + 63) / 64 * 64;
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "tl2.digits.avx512_vbmi_vnni",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemm = {.run = run, .scratch_bytes = scratch_bytes},
};
