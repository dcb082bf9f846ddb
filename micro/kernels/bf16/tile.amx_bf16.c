/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weights are A as they lie in memory, 16 rows of 32 columns a tile; activations, rounded to bfloat16, are B: groups of 16 tokens, pairs
 * of columns side by side. So nothing of the weights is unpacked, and the sums, [row][token], are transposed once at the end of K.
 *
 *     tmm0 tmm1    rows 0-15     tokens 0-15, 16-31       tmm4 tmm5   A: rows 0-15, 16-31
 *     tmm2 tmm3    rows 16-31    tokens 0-15, 16-31       tmm6 tmm7   B: tokens 0-15, 16-31
 *
 * K goes in chunks of 512 columns, whose 32 rows stay in the first-level cache while all tokens pass.
 *
 * Predicted, not measured (16.3 cycles a full tdp): 8,192 multiply-adds a tdp, 502 a cycle at most; of a chunk 64 tdp take 1,040 cycles, the
 * spill of their sums about 130.
 */
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>

#include "micro/kernels/amx_tiles.h"
#include "micro/kernels/bf16/layout.h"
#include "micro/kernels/half.h"
#include "micro/kernels/transpose16.h"

#include "micro/kernel.h"

extern const struct format SELF_FORMAT;

enum {
    COLUMNS = 32, /* of a tdp */
    CHUNK = 512,  /* columns */
    TOKENS = 32,
    BLOCK_ROWS = 32,
    SUMS = BLOCK_ROWS * TOKENS, /* of a block: [32 rows][32 tokens] */
    SUMS_STRIDE = TOKENS * (int)sizeof(float),
};

struct block {
    const uint8_t *weights; /* the first row and column */
    size_t row_bytes;
    const uint8_t *operand; /* B of the first group's first columns */
    size_t group_bytes;
    size_t steps;
    float *sums;
    size_t prefetch_bytes; /* 0 but for the first tokens */
};

static inline __attribute__((always_inline)) void multiply(const struct block *block, bool more_rows, bool more_tokens)
{
    const size_t stride = block->row_bytes;
    const uint8_t *upper = block->weights, *lower = upper + TILE_ROWS * stride;
    const uint8_t *first = block->operand, *second = first + block->group_bytes;
    for (size_t step = 0; step < block->steps; step++) {
        tile_load(4, upper, stride);
        tile_load(6, first, TILE_ROW_BYTES);
        tile_multiply(tdpbf16ps, 0, 4, 6);
        if (more_tokens) {
            tile_load(7, second, TILE_ROW_BYTES);
            tile_multiply(tdpbf16ps, 1, 4, 7);
        }
        if (more_rows) {
            tile_load(5, lower, stride);
            tile_multiply(tdpbf16ps, 2, 5, 6);
        }
        if (block->prefetch_bytes) {
            for (size_t row = 0; row < (more_rows ? BLOCK_ROWS : TILE_ROWS); row++)
                _mm_prefetch((const char *)((uintptr_t)upper + row * stride + block->prefetch_bytes), _MM_HINT_T0);
        }
        if (more_rows && more_tokens)
            tile_multiply(tdpbf16ps, 3, 5, 7);
        upper += TILE_ROW_BYTES;
        lower += TILE_ROW_BYTES;
        first += TILE_BYTES;
        second += TILE_BYTES;
    }
}

static void begin(const struct block *block, bool anew)
{
    if (anew) {
        tile_zero(0);
        tile_zero(1);
        tile_zero(2);
        tile_zero(3);
        return;
    }
    tile_load(0, block->sums, SUMS_STRIDE);
    tile_load(1, block->sums + 16, SUMS_STRIDE);
    tile_load(2, block->sums + SUMS / 2, SUMS_STRIDE);
    tile_load(3, block->sums + SUMS / 2 + 16, SUMS_STRIDE);
}

static void end(const struct block *block)
{
    tile_store(0, block->sums, SUMS_STRIDE);
    tile_store(1, block->sums + 16, SUMS_STRIDE);
    tile_store(2, block->sums + SUMS / 2, SUMS_STRIDE);
    tile_store(3, block->sums + SUMS / 2 + 16, SUMS_STRIDE);
}

/** 16 rows x 16 tokens of the sums, of which so many are there, to out[token][row]. */
static void put(const float *sums, size_t rows, size_t tokens, float *out, size_t out_stride)
{
    __m512i lines[16];
    const __mmask16 there = (__mmask16)((1u << rows) - 1);
    for (size_t row = 0; row < 16; row++)
        lines[row] = row < rows ? _mm512_loadu_si512(sums + row * TOKENS) : _mm512_setzero_si512();
    transpose_16(lines);
    for (size_t token = 0; token < tokens; token++)
        _mm512_mask_storeu_epi32(out + token * out_stride, there, lines[token]);
}

static size_t at_most(size_t value, size_t most)
{
    return value < most ? value : most;
}

static void put_block(const struct gemm_slice *slice, const struct block *block, size_t row, size_t token)
{
    size_t rows = at_most(slice->panels - row, BLOCK_ROWS), tokens = at_most(slice->tokens - token, TOKENS);
    for (size_t r = 0; r < rows; r += 16) {
        for (size_t t = 0; t < tokens; t += 16)
            put(block->sums + r * TOKENS + t, at_most(rows - r, 16), at_most(tokens - t, 16),
                slice->out + (token + t) * slice->out_stride + row + r, slice->out_stride);
    }
}

static void configure(size_t rows)
{
    struct tile_configuration configuration = {.palette = 1};
    size_t upper = at_most(rows, TILE_ROWS), lower = rows > TILE_ROWS ? rows - TILE_ROWS : upper;
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = TILE_ROW_BYTES;
        configuration.rows[tile] = (uint8_t)(tile >= 6                             ? TILE_ROWS
                                             : tile == 2 || tile == 3 || tile == 5 ? lower
                                                                                   : upper);
    }
    tiles_configure(&configuration);
}

/** Columns first … of 32 rows, with all tokens. */
static void run_chunk(const struct gemm_slice *slice, size_t row, size_t first, size_t rows)
{
    size_t columns = at_most(slice->k - first, CHUNK);
    for (size_t token = 0; token < slice->tokens; token += TOKENS) {
        size_t group_bytes = slice->k * 2 * TILE_ROWS;
        struct block block = {
            .weights = slice->weights + row * slice->panel_bytes + first * 2,
            .row_bytes = slice->panel_bytes,
            .operand = (const uint8_t *)slice->prepared + token / TILE_ROWS * group_bytes + first * 2 * TILE_ROWS,
            .group_bytes = group_bytes,
            .steps = columns / COLUMNS,
            .sums = (float *)slice->scratch + token / TOKENS * SUMS,
            .prefetch_bytes = token ? 0 : slice->prefetch_bytes,
        };
        bool more_tokens = slice->tokens - token > TILE_ROWS;
        begin(&block, first == 0);
        if (rows > TILE_ROWS)
            more_tokens ? multiply(&block, true, true) : multiply(&block, true, false);
        else
            more_tokens ? multiply(&block, false, true) : multiply(&block, false, false);
        end(&block);
        if (first + columns == slice->k)
            put_block(slice, &block, row, token);
    }
}

static void run(const struct gemm_slice *slice)
{
    size_t configured = 0;
    for (size_t row = 0; row < slice->panels; row += BLOCK_ROWS) {
        size_t rows = at_most(slice->panels - row, BLOCK_ROWS);
        if (rows != configured)
            configure(configured = rows);
        for (size_t first = 0; first < slice->k; first += CHUNK)
            run_chunk(slice, row, first, rows);
    }
    tiles_release();
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k;
    return (tokens + TOKENS - 1) / TOKENS * SUMS * sizeof(float);
}

/* ---- activations ---- */

/** 32 columns, to nearest even, numbers below the normal ones to 0. */
static inline __m512i rounded(const float *x)
{
    return (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + 16), _mm512_loadu_ps(x));
}

/** [32 columns] [pair of columns] [16 tokens] [2]; tokens that are not there are zero. */
static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    uint8_t *to = prepared;
    for (size_t column = 0; column < k; column += COLUMNS, to += TILE_BYTES) {
        __m512i lines[16];
        for (size_t token = 0; token < 16; token++)
            lines[token] =
                token < tokens ? rounded((const float *)activations + token * stride + column) : _mm512_setzero_si512();
        transpose_16(lines);
        for (size_t pair = 0; pair < 16; pair++)
            _mm512_store_si512(to + pair * TILE_ROW_BYTES, lines[pair]);
    }
}

static size_t group_bytes(size_t k)
{
    return k * 2 * TILE_ROWS;
}

static size_t prepared_bytes(size_t k)
{
    return k * sizeof(uint16_t);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    for (size_t column = 0; column < k; column += COLUMNS)
        _mm512_storeu_si512((uint16_t *)prepared + column, rounded((const float *)activations + column));
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        double x = (double)bfloat_to_float(((const uint16_t *)prepared)[column]);
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * x;
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "bf16_tiles.rows16_k64_loads.amx_bf16",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32, /* 15 within a tdp, one to add its pairs, one for each 32 columns */
    .error_bound = 0x1p-8,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
    .gemm = {.run = run,
             .prepare_many = prepare_many,
             .tokens_per_group = 16,
             .prepared_bytes = group_bytes,
             .scratch_bytes = scratch_bytes,
             .multiply = "bf16_tiles.rows16_k64.amx_bf16"},
};
