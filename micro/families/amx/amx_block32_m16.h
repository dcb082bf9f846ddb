/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles of blocks of 32 columns with a scale, panels of 16 rows: a tile of sums lasts one tdp of 32 bytes, then it is stored,
 * converted and scaled onto 16 registers of floats, one a token. Four blocks are on their way in four tiles and two buffers in turn, so that
 * a buffer is read long after it was stored. Codes are unpacked once a panel, and again for each few tokens that have 1 MB of operand.
 *
 * Predicted, not measured: 64 vector uops a block of 16 rows x 16 tokens on two ports, 32 cycles, beside a tdp of 8 lines, which still
 * takes 16: 256 multiply-adds a cycle at most. A tile of vpdpbusd takes 128 products for the same, and the same scaling: 96 cycles.
 *
 * The including .c defines, before it,
 *
 *   CODE_OFFSET                                      by which codes are too large
 *   void unpack_codes(const uint8_t *codes, uint8_t *to)   [8 lines of four columns][16 rows][4], unsigned
 */
#ifndef MICRO_FAMILIES_AMX_AMX_BLOCK32_M16_H
#define MICRO_FAMILIES_AMX_AMX_BLOCK32_M16_H

#include <immintrin.h>

#include "micro/isa/amx_tiles.h"

#define GEMM_COLUMNS BLOCK_COLUMNS
#include "micro/families/blocks/gemm_q8.h"

enum {
    TOKENS = 16,
    AT_ONCE = 4,                              /* blocks, each with its tile of sums */
    CODES_BYTES = BLOCK_ROWS * BLOCK_COLUMNS, /* of a block, unpacked */
    SCALES_BYTES = BLOCK_ROWS * (int)sizeof(float),
    SUMS_BYTES = AT_ONCE * TILE_BYTES,
};

/** 32 columns of 16 tokens. */
struct operand {
    int8_t q[TOKENS][BLOCK_COLUMNS];
    int32_t offset[TOKENS]; /* -CODE_OFFSET times the sum of q: what makes codes weights */
    float scale[TOKENS];
} __attribute__((aligned(64)));

struct group {
    const struct operand *operand;
    const uint8_t *codes; /* [blocks][8 lines][16 rows][4] */
    const float *scales;  /* [blocks][16 rows] */
    int32_t *sums;        /* [2][AT_ONCE][16 tokens][16 rows] */
    size_t blocks;
};

static void unpack_codes(const uint8_t *codes, uint8_t *to);

static void unpack(const struct gemm_slice *slice, const uint8_t *panel, uint8_t *codes, float *scales)
{
    for (size_t block = 0; block < slice->k / BLOCK_COLUMNS; block++) {
        const uint8_t *from = panel + block * BLOCK_BYTES;
        if (slice->prefetch_bytes) {
            for (size_t i = 0; i < BLOCK_BYTES; i += 64)
                _mm_prefetch((const char *)((uintptr_t)from + slice->prefetch_bytes + i), _MM_HINT_T0);
        }
        _mm512_store_ps(scales + block * BLOCK_ROWS, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)from)));
        unpack_codes(from + BLOCK_CODES, codes + block * CODES_BYTES);
    }
}

#define MULTIPLY(tile)                                                                                                 \
    do {                                                                                                               \
        if ((tile) < count) {                                                                                          \
            tile_zero(tile);                                                                                           \
            tile_load(4, group->operand[first + (tile)].q, BLOCK_COLUMNS);                                             \
            tile_load(5, group->codes + (first + (tile)) * CODES_BYTES, 64);                                           \
            tile_multiply(tdpbsud, tile, 4, 5);                                                                        \
            tile_store(tile, sums + (tile)*TOKENS * BLOCK_ROWS, 64);                                                   \
        }                                                                                                              \
    } while (0)

/** Four blocks from `first` on, or the rest, to one of the buffers. */
static inline __attribute__((always_inline)) void multiply(const struct group *group, size_t first, size_t count)
{
    int32_t *sums = group->sums + first / AT_ONCE % 2 * (SUMS_BYTES / 4);
    MULTIPLY(0);
    MULTIPLY(1);
    MULTIPLY(2);
    MULTIPLY(3);
}

static inline __attribute__((always_inline)) void scale(const struct group *group, size_t first, size_t count,
                                                        __m512 *result)
{
    const int32_t *sums = group->sums + first / AT_ONCE % 2 * (SUMS_BYTES / 4);
    for (size_t block = first; block < first + count; block++, sums += TOKENS * BLOCK_ROWS) {
        const struct operand *operand = &group->operand[block];
        const __m512 weights = _mm512_load_ps(group->scales + block * BLOCK_ROWS);
#pragma GCC unroll 16
        for (size_t token = 0; token < TOKENS; token++) {
            __m512i sum = _mm512_add_epi32(_mm512_load_si512(sums + token * BLOCK_ROWS),
                                           _mm512_set1_epi32(operand->offset[token]));
            __m512 factor = _mm512_mul_ps(weights, _mm512_set1_ps(operand->scale[token]));
            result[token] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), factor, result[token]);
        }
    }
}

/** One panel with one group of tokens: what is scaled was stored a turn ago. */
static void run_group(const struct gemm_slice *slice, const struct group *group, size_t tokens, float *out)
{
    __m512 result[TOKENS];
    for (size_t token = 0; token < TOKENS; token++)
        result[token] = _mm512_setzero_ps();
    multiply(group, 0, at_most(group->blocks, AT_ONCE));
    for (size_t first = 0; first < group->blocks; first += AT_ONCE) {
        size_t next = first + AT_ONCE;
        if (next < group->blocks)
            multiply(group, next, at_most(group->blocks - next, AT_ONCE));
        scale(group, first, at_most(group->blocks - first, AT_ONCE), result);
    }
    for (size_t token = 0; token < TOKENS; token++) {
        if (token < tokens)
            tiles_put(out + token * slice->out_stride, 0xffff, result[token], slice->tokens);
    }
}

static size_t group_bytes(size_t k)
{
    return k / BLOCK_COLUMNS * sizeof(struct operand);
}

static void configure(void)
{
    struct tile_configuration configuration = {.palette = 1};
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = tile == 4 ? BLOCK_COLUMNS : TILE_ROW_BYTES;
        configuration.rows[tile] = tile == 5 ? BLOCK_COLUMNS / 4 : TILE_ROWS;
    }
    tiles_configure(&configuration);
}

static void run_panel(const struct gemm_slice *slice, size_t panel, size_t first, size_t end)
{
    size_t blocks = slice->k / BLOCK_COLUMNS;
    uint8_t *scratch = slice->scratch, *codes = scratch + (size_t)2 * SUMS_BYTES;
    float *scales = (float *)(void *)(codes + blocks * CODES_BYTES);
    unpack(slice, slice->weights + panel * slice->panel_bytes, codes, scales);
    for (size_t token = first; token < end; token += TOKENS) {
        const struct group group = {.operand = (const struct operand *)slice->prepared + token / TOKENS * blocks,
                                    .codes = codes,
                                    .scales = scales,
                                    .sums = (int32_t *)(void *)scratch,
                                    .blocks = blocks};
        run_group(slice, &group, at_most(slice->tokens - token, TOKENS),
                  slice->out + token * slice->out_stride + panel * BLOCK_ROWS);
    }
}

static void run(const struct gemm_slice *slice)
{
    const size_t at_once = tiles_tokens_at_once(slice->tokens, TOKENS, group_bytes(slice->k));
    configure();
    tiles_run_panels(slice, slice->panels, slice->tokens, at_once, run_panel);
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)tokens;
    return (size_t)2 * SUMS_BYTES + k / BLOCK_COLUMNS * (CODES_BYTES + SCALES_BYTES);
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct operand *to = prepared;
    memset(prepared, 0, group_bytes(k));
    for (size_t block = 0; block < k / BLOCK_COLUMNS; block++) {
        for (size_t token = 0; token < tokens; token++) {
            struct q8_32 q8;
            q8_32_make((const float *)activations + token * stride + block * BLOCK_COLUMNS, BLOCK_COLUMNS, &q8);
            memcpy(to[block].q[token], q8.q, sizeof q8.q);
            to[block].offset[token] = -CODE_OFFSET * q8.sum;
            to[block].scale[token] = q8.scale;
        }
    }
}

#define AMX_BLOCK32_M16_KERNEL                                                                                         \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = "int8_tiles.rows16_k32_loads.amx_int8", .prefetch_bytes = 4096, .takes = KERNEL_TAKES_F32,            \
        .gives = KERNEL_GIVES_F32, .float_sums = 32, .error_bound = Q8_ERROR_BOUND,                                    \
        .prepared_bytes_per_step = sizeof(struct q8_32), .prepare = prepare, .row = block_row,                         \
        .gemm = {.run = run,                                                                                           \
                 .prepare_many = prepare_many,                                                                         \
                 .tokens_per_group = TOKENS,                                                                           \
                 .unpacks_alone = true,                                                                                \
                 .prepared_bytes = group_bytes,                                                                        \
                 .scratch_bytes = scratch_bytes,                                                                       \
                 .multiply = "int8_tiles.rows16_k32.amx_int8"},                                                        \
    }

#endif
