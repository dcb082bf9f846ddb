/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles of weights that are stored row by row, in the pieces of amx_pieces.h: weights are A, 16 rows of W x 64 bytes a tile,
 * activations are B, groups of 16 tokens whose columns lie side by side by dwords. Weights are always unpacked to tiles, or copied: a tile
 * that were loaded from rows a power of two apart would have all its lines in one set of a cache. A unit is 64 packed bytes of a
 * row, 1 to 4 tiles' rows. Sums are [row][token], and are transposed once at the end of K.
 *
 * With units the same bytes of the piece after are prefetched, if a prefetch is asked for at all: rows are short streams, so that a
 * distance in bytes would seldom meet what is read next.
 *
 * Who includes this has defined
 *
 *   UNIT_STEPS                 tiles along K that a unit is
 *   UNIT_COLUMNS               columns of a unit
 *   ROWS_PRODUCT               the tdp, tdpbusd…
 *   rows_unpack(from, bytes, to)   a unit of so many bytes that are there, UNIT_STEPS lines AMX_STEP_STRIDE apart
 *   ROWS_ELEMENTS              of a dword: columns
 *
 * and afterwards
 *
 *   rows_line(column)          which line of the operand, 64 bytes a line, has columns column …
 *   rows_add(a, b), rows_finish(walk, token, sums)   sums of a token and 16 rows: one register and another; what the GEMM gives of them
 */
#ifndef MICRO_KERNELS_AMX_ROWS_H
#define MICRO_KERNELS_AMX_ROWS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { AMX_PAIRS = 1, BLOCK_ROWS = 32, CHUNK_UNITS = 8 / UNIT_STEPS, AMX_FILL = BLOCK_ROWS * CHUNK_UNITS / 32 };

#define ROWS_TDP(operation, c, a, b) tile_multiply(operation, c, a, b)
#define AMX_PRODUCT(c, t, w)         ROWS_TDP(ROWS_PRODUCT, c, w, t)

struct amx_filling {
    const uint8_t *weights;
    uint8_t *buffer;
    size_t next, there; /* units: done, of the piece, one row after the other */
    size_t row_bytes, row_units, last_bytes;
    size_t ahead; /* bytes to the piece after; 0: nothing is prefetched */
};

#include "micro/kernels/amx_pieces.h"
#include "micro/kernels/transpose16.h"

AMX_INLINE void rows_unpack(const uint8_t *from, size_t bytes, uint8_t *to);
AMX_INLINE size_t rows_line(size_t column);
AMX_INLINE __m512i rows_add(__m512i a, __m512i b);
AMX_INLINE __m512 rows_finish(const struct amx_walk *walk, size_t token, __m512i sums);

enum { UNIT_BYTES = 64, CHUNK_BYTES = CHUNK_UNITS * UNIT_BYTES };

static size_t rows_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- unpacking ---- */

AMX_INLINE size_t rows_of(const struct amx_walk *walk, size_t piece)
{
    return rows_least(walk->slice->panels - amx_panel_of(walk, piece) * BLOCK_ROWS, BLOCK_ROWS);
}

AMX_INLINE const uint8_t *rows_weights(const struct amx_walk *walk, size_t piece)
{
    return walk->slice->weights + amx_panel_of(walk, piece) * BLOCK_ROWS * walk->slice->panel_bytes +
           amx_chunk_of(walk, piece) * CHUNK_BYTES;
}

AMX_INLINE struct amx_filling rows_fill_begin(const struct amx_walk *walk, size_t piece, size_t pieces)
{
    const struct gemm_slice *slice = walk->slice;
    size_t left = slice->panel_bytes - amx_chunk_of(walk, piece) * CHUNK_BYTES, bytes = rows_least(left, CHUNK_BYTES);
    struct amx_filling filling = {.weights = rows_weights(walk, piece),
                                  .buffer = amx_buffer_of(walk, piece),
                                  .row_bytes = slice->panel_bytes,
                                  .row_units = (bytes + UNIT_BYTES - 1) / UNIT_BYTES};
    filling.there = rows_of(walk, piece) * filling.row_units;
    filling.last_bytes = bytes - (filling.row_units - 1) * UNIT_BYTES;
    if (slice->prefetch_bytes && piece + 1 < pieces)
        filling.ahead = (size_t)(rows_weights(walk, piece + 1) - filling.weights);
    return filling;
}

AMX_INLINE void amx_fill_units(struct amx_filling *filling, size_t units)
{
    for (size_t i = filling->next; i < filling->next + units; i++) {
        size_t row = i / filling->row_units, unit = i % filling->row_units;
        const uint8_t *from = filling->weights + row * filling->row_bytes + unit * UNIT_BYTES;
        if (filling->ahead)
            _mm_prefetch((const char *)((uintptr_t)from + filling->ahead), _MM_HINT_T0);
        rows_unpack(from, unit + 1 < filling->row_units ? UNIT_BYTES : filling->last_bytes,
                    filling->buffer + unit * UNIT_STEPS * AMX_STEP_STRIDE + row * TILE_ROW_BYTES);
    }
    filling->next += units;
}

/* ---- sums ---- */

/** 16 rows x up to 16 tokens, transposed. */
AMX_INLINE void rows_put(const struct amx_walk *walk, const struct amx_block *block, size_t half, size_t group,
                         size_t token, float *out, __mmask16 there)
{
    const struct gemm_slice *slice = walk->slice;
    const int32_t *sums = block->sums + group * (AMX_SUMS / 2) + half * 16;
    __m512i lines[16];
    for (size_t row = 0; row < 16; row++) {
        lines[row] = _mm512_load_si512(sums + row * 32);
        if (block->tokens <= TILE_ROWS)
            lines[row] = rows_add(lines[row], _mm512_load_si512(sums + AMX_SUMS / 2 + row * 32));
    }
    transpose_16(lines);
    for (size_t i = 0; i < rows_least(slice->tokens - token, 16); i++)
        _mm512_mask_storeu_ps(out + i * slice->out_stride, there, rows_finish(walk, token + i, lines[i]));
}

AMX_INLINE void amx_finish(const struct amx_walk *walk, const struct amx_block *block, size_t piece, size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    size_t rows = rows_of(walk, piece), first = amx_panel_of(walk, piece) * BLOCK_ROWS;
    for (size_t half = 0; 16 * half < rows; half++) {
        const __mmask16 there = (__mmask16)((1u << rows_least(rows - 16 * half, 16)) - 1);
        for (size_t group = 0; 16 * group < block->tokens; group++) {
            size_t at = token + 16 * group;
            rows_put(walk, block, half, group, at, slice->out + at * slice->out_stride + first + 16 * half, there);
        }
    }
}

/* ---- the kernel's functions ---- */

static size_t rows_steps(size_t k)
{
    return (k + UNIT_COLUMNS - 1) / UNIT_COLUMNS * UNIT_STEPS;
}

static size_t rows_scratch_bytes(size_t k, size_t tokens)
{
    return 2 * AMX_PIECE_BYTES + amx_sums_bytes(rows_steps(k), tokens);
}

static void rows_pieces(const struct amx_walk *walk, size_t pieces)
{
    struct amx_filling filling = rows_fill_begin(walk, 0, pieces);
    amx_fill_rest(&filling);
    for (size_t piece = 0; piece + 1 < pieces; piece++) {
        filling = rows_fill_begin(walk, piece + 1, pieces);
        amx_piece(walk, piece, amx_buffer_of(walk, piece), NULL, &filling);
        amx_fill_rest(&filling);
    }
    amx_piece(walk, pieces - 1, amx_buffer_of(walk, pieces - 1), NULL, NULL);
}

/** group_bytes: of the operand of 16 tokens. */
AMX_INLINE void rows_run(const struct gemm_slice *slice, size_t group_bytes)
{
    const size_t steps = rows_steps(slice->k);
    const struct amx_walk walk = {
        .slice = slice,
        .steps = steps,
        .chunks = amx_chunks(steps),
        .group_bytes = group_bytes,
        .buffers = slice->scratch,
        .sums = (int32_t *)(void *)((uint8_t *)slice->scratch + 2 * AMX_PIECE_BYTES),
    };
    if (slice->tokens)
        amx_configure(TILE_ROWS, TILE_ROWS);
    rows_pieces(&walk, (slice->panels + BLOCK_ROWS - 1) / BLOCK_ROWS * walk.chunks);
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
