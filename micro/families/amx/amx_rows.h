/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles of weights that are stored row by row, in the blocks of amx_blocks.h: weights are A, 16 rows of W x 64 bytes a tile,
 * activations are B, groups of 16 tokens whose columns lie side by side by dwords. Weights are always unpacked to tiles, or copied: a tile
 * that were loaded from rows a power of two apart would have all its lines in one set of a cache. A unit is 64 packed bytes of a
 * row, 1 to 4 tiles' rows. Sums are [row][token], and are transposed once at the end of K.
 *
 * The including file has defined
 *
 *   UNIT_STEPS                 tiles along K that a unit is
 *   UNIT_COLUMNS               columns of a unit
 *   ROWS_PRODUCT               the tdp, tdpbusd…
 *   rows_unpack(from, bytes, to)   a unit of this many bytes that are there, UNIT_STEPS lines AMX_STEP_STRIDE apart
 *   ROWS_ELEMENTS              of a dword: columns
 *
 * and afterwards
 *
 *   rows_line(column)          which line of the operand, 64 bytes a line, has columns column …
 *   rows_finish(walk, token, sums)   what the GEMM gives of the sums of a token and 16 rows
 */
#ifndef MICRO_FAMILIES_AMX_AMX_ROWS_H
#define MICRO_FAMILIES_AMX_AMX_ROWS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AMX_PAIRS = 1,
    BLOCK_ROWS = 32,
    AMX_AHEAD =
        UNIT_STEPS > 2 ? UNIT_STEPS + 1 : 3, /* the last part of a unit is a step ahead of its first tile's load */
    AMX_RING = UNIT_STEPS > 2 ? 2 * UNIT_STEPS : 4, /* two units */
    UNIT_BYTES = 64,
    PARTS = 4 * UNIT_STEPS, /* quarters of steps, in which a unit of all rows is unpacked */
};

#define ROWS_TDP(operation, c, a, b) tile_multiply(operation, c, a, b)
#define AMX_PRODUCT(c, t, w)         ROWS_TDP(ROWS_PRODUCT, c, w, t)

struct amx_source {
    const uint8_t *weights; /* of 32 rows */
    uint8_t *ring;
    size_t rows, row_bytes; /* that are there */
};

#include "micro/families/amx/amx_blocks.h"
#include "micro/isa/transpose16.h"

AMX_INLINE void rows_unpack(const uint8_t *from, size_t bytes, uint8_t *to);
AMX_INLINE size_t rows_line(size_t column);
AMX_INLINE __m512 rows_finish(const struct amx_walk *walk, size_t token, __m512i sums);

static size_t rows_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- unpacking ---- */

AMX_INLINE struct amx_source rows_source(const struct amx_walk *walk, size_t pair)
{
    const struct gemm_slice *slice = walk->slice;
    return (struct amx_source){.weights = slice->weights + pair * BLOCK_ROWS * slice->panel_bytes,
                               .ring = walk->ring,
                               .rows = rows_least(slice->panels - pair * BLOCK_ROWS, BLOCK_ROWS),
                               .row_bytes = slice->panel_bytes};
}

/** Of the rows that are there: what lies in the ring of others meets sums that are not. */
AMX_INLINE void amx_fill(const struct amx_source *source, size_t step, size_t quarter)
{
    const size_t unit = step / UNIT_STEPS, part = step % UNIT_STEPS * 4 + quarter, first = part * (BLOCK_ROWS / PARTS);
    const uint8_t *from = source->weights + first * source->row_bytes + unit * UNIT_BYTES;
    const size_t bytes = rows_least(source->row_bytes - unit * UNIT_BYTES, UNIT_BYTES);
    uint8_t *to = source->ring + unit * UNIT_STEPS % AMX_RING * AMX_STEP_STRIDE + first * TILE_ROW_BYTES;
    for (size_t row = 0; row < BLOCK_ROWS / PARTS && first + row < source->rows; row++)
        rows_unpack(from + row * source->row_bytes, bytes, to + row * TILE_ROW_BYTES);
}

/* ---- sums ---- */

/** 16 rows x up to 16 tokens, transposed. */
AMX_INLINE void rows_put(const struct amx_walk *walk, const struct amx_block *block, size_t half, size_t group,
                         __mmask16 there)
{
    const struct gemm_slice *slice = walk->slice;
    const int32_t *sums = block->sums + group * (AMX_SUMS / 2) + half * 16;
    const size_t token = block->token + 16 * group;
    float *out = slice->out + token * slice->out_stride + block->pair * BLOCK_ROWS + 16 * half;
    __m512i lines[16];
    for (size_t row = 0; row < 16; row++)
        lines[row] = _mm512_load_si512(sums + row * 32);
    transpose_16(lines);
    for (size_t i = 0; i < rows_least(slice->tokens - token, 16); i++)
        tiles_put(out + i * slice->out_stride, there, rows_finish(walk, token + i, lines[i]), slice->tokens);
}

/** 16 rows and 16 tokens are a part; of rows that are not there, too. */
AMX_INLINE size_t amx_parts(const struct amx_block *block)
{
    return 2 * ((block->tokens + 15) / 16);
}

AMX_INLINE void amx_finish(const struct amx_walk *walk, const struct amx_block *block, size_t part)
{
    const size_t rows = rows_least(walk->slice->panels - block->pair * BLOCK_ROWS, BLOCK_ROWS), half = part % 2;
    if (16 * half < rows)
        rows_put(walk, block, half, part / 2, (__mmask16)((1u << rows_least(rows - 16 * half, 16)) - 1));
}

/* ---- the kernel's functions ---- */

static size_t rows_steps(size_t k)
{
    return (k + UNIT_COLUMNS - 1) / UNIT_COLUMNS * UNIT_STEPS;
}

static size_t rows_scratch_bytes(size_t k, size_t tokens)
{
    (void)k, (void)tokens;
    return AMX_RING_BYTES + AMX_SUMS_BYTES;
}

/** 32 rows with some tokens, and their share of the next 32. */
static void rows_pair(const struct amx_walk *walk, size_t pair, size_t first, size_t end, struct amx_former *former)
{
    const struct gemm_slice *slice = walk->slice;
    const struct amx_source source = rows_source(walk, pair);
    const uint8_t *next = source.weights + BLOCK_ROWS * slice->panel_bytes;
    size_t blocks = (end - first + AMX_TOKENS - 1) / AMX_TOKENS, number = 0;
    size_t left = slice->panels - pair * BLOCK_ROWS - source.rows;
    for (size_t token = first; token < end; token += AMX_TOKENS, number++) {
        struct amx_block block = amx_block_of(walk, former, pair, token);
        if (slice->prefetch_bytes && left)
            amx_share_ahead(&block, next, rows_least(left, BLOCK_ROWS) * slice->panel_bytes, number, blocks);
        amx_begin();
        amx_steps(walk, &block, walk->ring, &source, former);
        amx_end(walk, &block, former);
    }
}

/** As before a multiplication, through the ring. */
static void rows_unpack_all(const struct amx_walk *walk, size_t pairs)
{
    for (size_t pair = 0; pair < pairs; pair++) {
        const struct amx_source source = rows_source(walk, pair);
        for (size_t step = 0; step < walk->steps; step++)
            amx_fill_step(&source, step);
    }
}

/** group_bytes: of the operand of 16 tokens. */
AMX_INLINE void rows_run(const struct gemm_slice *slice, size_t group_bytes)
{
    const size_t tokens = slice->tokens, pairs = (slice->panels + BLOCK_ROWS - 1) / BLOCK_ROWS;
    const struct amx_walk walk = {
        .slice = slice,
        .steps = rows_steps(slice->k),
        .group_bytes = group_bytes,
        .ring = slice->scratch,
        .sums = (int32_t *)(void *)((uint8_t *)slice->scratch + AMX_RING_BYTES),
    };
    const size_t at_once = amx_tokens_at_once(&walk);
    if (!tokens) {
        rows_unpack_all(&walk, pairs);
        return;
    }
    struct amx_former former = {.parts = 0};
    amx_configure(TILE_ROWS, TILE_ROWS);
    for (size_t first = 0; first < tokens; first += at_once) {
        size_t end = tokens - first < at_once ? tokens : first + at_once;
        for (size_t pair = 0; pair < pairs; pair++)
            rows_pair(&walk, pair, first, end, &former);
    }
    amx_finish_rest(&walk, &former);
    tiles_stored();
    tiles_release();
}

/** 16 tokens' columns from `column` on, a register each, to lines of the operand. */
AMX_INLINE void rows_put_columns(__m512i lines[16], size_t column, uint8_t *operand)
{
    transpose_16(lines);
    for (size_t i = 0; i < 16; i++)
        _mm512_store_si512(operand + rows_line(column + i * ROWS_ELEMENTS) * TILE_ROW_BYTES, lines[i]);
}

#endif
