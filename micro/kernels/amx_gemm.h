/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of integer weights by tdpbsud, in the pieces of amx_pieces.h: activations are A, 16 tokens x 64 columns a tile, which
 * prepare_many() lays out one behind the other, since rows a power of two apart would all fall into one set of a cache;
 * weights, offset-binary and interleaved by 4 columns, are B, a column a row of W. Fields of a byte are rows of other tiles, masked
 * where they are: a load, a vpandd and a store for 64 weights of each tile, and sums that are so much larger.
 *
 * Tiles have as many rows as there are tokens; of more than 32 tokens all have 16, zeros for those that are not there, since to
 * configure them anew costs as much as a dozen tdp. Lines are prefetched a page ahead and more, where the hardware's
 * prefetcher stops. A panel of more than 32 rows is read once for each 32 of them, from memory the first time.
 *
 * A kernel states, before it includes this,
 *
 *   ROWS            of a panel, in its format's layout.h, a multiple of 32; STEP_BYTES, STEP_COLUMNS
 *   WEIGHTS_ARE_TILES   weights are B as they lie in memory: rows of 16 x 4 bytes, ROWS * 4 apart; else it defines
 *   line_at(from), line_mask(tile)   the bytes of 4 columns in a register, and which of its bits are rows 16 * tile …
 *
 * and in either case
 *
 *   finish_sums(tile, sums)   sums of rows 16 * tile … as integers before the correction
 */
#ifndef MICRO_KERNELS_AMX_GEMM_H
#define MICRO_KERNELS_AMX_GEMM_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AMX_STEP = 64,                 /* columns of a tdp */
    AMX_STEP_LINES = AMX_STEP / 4, /* rows of a tile of B */
    AMX_PAIRS = ROWS / 32,
    AMX_FILL = 4,                                   /* lines */
    AMX_LINE_BYTES = STEP_BYTES * 4 / STEP_COLUMNS, /* packed, of 4 columns */
};
_Static_assert(ROWS % 32 == 0 && STEP_COLUMNS % 4 == 0, "tiles of whole lines");

#define AMX_PRODUCT(c, t, w) tile_multiply(tdpbsud, c, t, w)

struct amx_filling {
    const uint8_t *weights;
    uint8_t *buffer;
    size_t next, there, end; /* lines: done, of the panel, with zeros to whole steps of 64 columns */
    size_t prefetch_bytes;   /* 0 but of a panel's first pair of tiles */
#ifndef WEIGHTS_ARE_TILES
    __m512i mask[2];
#endif
};

#include "micro/kernels/amx_pieces.h"

#ifndef WEIGHTS_ARE_TILES
AMX_INLINE __m512i line_at(const uint8_t *from);
AMX_INLINE __m512i line_mask(size_t tile);
enum { AMX_BUFFER_BYTES = 2 * AMX_PIECE_BYTES };
#else
_Static_assert(ROWS * 4 == AMX_ROW_STRIDE && AMX_LINE_BYTES == AMX_ROW_STRIDE, "two tiles side by side");
enum { AMX_BUFFER_BYTES = AMX_STEP_STRIDE }; /* the columns of K past the last 64 */
#endif
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums);

/* ---- unpacking ---- */

AMX_INLINE size_t amx_lines_of(const struct amx_walk *walk, size_t piece)
{
    size_t left = walk->slice->k / 4 - amx_chunk_of(walk, piece) * (AMX_CHUNK_STEPS * AMX_STEP_LINES);
    return left < AMX_CHUNK_STEPS * AMX_STEP_LINES ? left : AMX_CHUNK_STEPS * AMX_STEP_LINES;
}

AMX_INLINE const uint8_t *amx_weights_of(const struct amx_walk *walk, size_t piece)
{
    return walk->slice->weights + amx_panel_of(walk, piece) * walk->slice->panel_bytes +
           amx_chunk_of(walk, piece) * (AMX_CHUNK_STEPS * AMX_STEP_LINES) * AMX_LINE_BYTES;
}

AMX_INLINE struct amx_filling amx_fill_begin(const struct amx_walk *walk, size_t piece)
{
    struct amx_filling filling = {.weights = amx_weights_of(walk, piece),
                                  .buffer = amx_buffer_of(walk, piece),
                                  .there = amx_lines_of(walk, piece),
                                  .end = amx_steps_of(walk, piece) * AMX_STEP_LINES,
                                  .prefetch_bytes = piece % AMX_PAIRS ? 0 : walk->slice->prefetch_bytes};
#ifndef WEIGHTS_ARE_TILES
    filling.mask[0] = line_mask(piece % AMX_PAIRS * 2);
    filling.mask[1] = line_mask(piece % AMX_PAIRS * 2 + 1);
#endif
    return filling;
}

AMX_INLINE void amx_prefetch(const struct amx_filling *filling, size_t line, size_t lines)
{
    uintptr_t from = (uintptr_t)filling->weights + line * AMX_LINE_BYTES + filling->prefetch_bytes;
    for (size_t i = 0; i < lines * AMX_LINE_BYTES; i += 64)
        _mm_prefetch((const char *)(from + i), _MM_HINT_T0);
}

AMX_INLINE void amx_put_line(uint8_t *buffer, size_t line, __m512i first, __m512i second)
{
    uint8_t *to = buffer + line / AMX_STEP_LINES * AMX_STEP_STRIDE + line % AMX_STEP_LINES * TILE_ROW_BYTES;
    _mm512_store_si512(to, first);
    _mm512_store_si512(to + TILE_BYTES, second);
}

AMX_INLINE void amx_fill_units(struct amx_filling *filling, size_t lines)
{
    const size_t first = filling->next;
    filling->next += lines;
    if (filling->prefetch_bytes)
        amx_prefetch(filling, first, lines);
#ifndef WEIGHTS_ARE_TILES
#pragma GCC unroll 4
    for (size_t i = 0; i < lines; i++) {
        const __m512i line = line_at(filling->weights + (first + i) * AMX_LINE_BYTES);
        amx_put_line(filling->buffer, first + i, _mm512_and_si512(line, filling->mask[0]),
                     _mm512_and_si512(line, filling->mask[1]));
    }
#endif
}

/** All that is left of a piece, and zeros behind it. */
static void amx_fill_end(struct amx_filling *filling)
{
    amx_fill_rest(filling);
#ifndef WEIGHTS_ARE_TILES
    for (; filling->next < filling->end; filling->next++)
        amx_put_line(filling->buffer, filling->next, _mm512_setzero_si512(), _mm512_setzero_si512());
#endif
}

/* ---- sums ---- */

/** scale * (sum + correction) of each token, 32 rows. */
AMX_INLINE void amx_finish(const struct amx_walk *walk, const struct amx_block *block, size_t piece, size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    const size_t first_tile = piece % AMX_PAIRS * 2, row = amx_panel_of(walk, piece) * ROWS + first_tile * 16;
    for (size_t i = 0; i < block->tokens; i++) {
        const __m512i correction = _mm512_set1_epi32(slice->corrections[token + i]);
        const __m512 scale = _mm512_set1_ps(slice->scales[token + i]);
        const int32_t *sums = block->sums + i * 32;
        float *out = slice->out + (token + i) * slice->out_stride + row;
        for (size_t tile = 0; tile < 2; tile++) {
            __m512i sum = _mm512_load_si512(sums + 16 * tile);
            if (block->tokens <= TILE_ROWS)
                sum = _mm512_add_epi32(sum, _mm512_load_si512(sums + AMX_SUMS / 2 + 16 * tile));
            sum = _mm512_add_epi32(finish_sums(first_tile + tile, sum), correction);
            _mm512_storeu_ps(out + 16 * tile, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale));
        }
    }
}

/* ---- the kernel's functions ---- */

static size_t amx_k_steps(size_t k)
{
    return (k + AMX_STEP - 1) / AMX_STEP;
}

static size_t amx_scratch_bytes(size_t k, size_t tokens)
{
    return AMX_BUFFER_BYTES + amx_sums_bytes(amx_k_steps(k), tokens);
}

/** Bytes of 16 tokens: a tile for each 64 columns. */
static size_t amx_group_bytes(size_t k)
{
    return amx_k_steps(k) * TILE_BYTES;
}

/** [64 columns] [16 tokens] [64]; tokens and columns that are not there are zero. */
static void amx_prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    for (size_t column = 0; column < k; column += AMX_STEP) {
        const uint8_t *from = (const uint8_t *)activations + column;
        uint8_t *to = (uint8_t *)prepared + column / AMX_STEP * TILE_BYTES;
        const size_t left = k - column;
        const __mmask64 there = left < AMX_STEP ? (__mmask64)(((uint64_t)1 << left) - 1) : ~(__mmask64)0;
        for (size_t token = 0; token < TILE_ROWS; token++)
            _mm512_store_si512(to + token * TILE_ROW_BYTES, token < tokens
                                                                ? _mm512_maskz_loadu_epi8(there, from + token * stride)
                                                                : _mm512_setzero_si512());
    }
}

#ifdef WEIGHTS_ARE_TILES
/** The lines of the panel past whole steps of 64 columns, and zeros behind them; NULL: there are none. */
static const uint8_t *amx_unpack_rest(const struct amx_walk *walk, size_t piece)
{
    size_t lines = amx_lines_of(walk, piece), rest = lines % AMX_STEP_LINES;
    if (!rest)
        return NULL;
    memset(walk->buffers, 0, AMX_STEP_STRIDE);
    memcpy(walk->buffers, amx_weights_of(walk, piece) + (lines - rest) * AMX_ROW_STRIDE, rest * AMX_ROW_STRIDE);
    return walk->buffers;
}

static void amx_pieces(const struct amx_walk *walk, size_t pieces)
{
    for (size_t piece = 0; piece < pieces; piece++) {
        struct amx_filling filling = amx_fill_begin(walk, piece);
        amx_piece(walk, piece, filling.weights, amx_unpack_rest(walk, piece), &filling);
        amx_fill_end(&filling);
    }
}
#else
static void amx_pieces(const struct amx_walk *walk, size_t pieces)
{
    struct amx_filling filling = amx_fill_begin(walk, 0);
    amx_fill_end(&filling);
    for (size_t piece = 0; piece + 1 < pieces; piece++) {
        filling = amx_fill_begin(walk, piece + 1);
        amx_piece(walk, piece, amx_buffer_of(walk, piece), NULL, &filling);
        amx_fill_end(&filling);
    }
    amx_piece(walk, pieces - 1, amx_buffer_of(walk, pieces - 1), NULL, NULL);
}
#endif

static void amx_gemm(const struct gemm_slice *slice)
{
    const size_t steps = amx_k_steps(slice->k), tokens = slice->tokens;
    const struct amx_walk walk = {
        .slice = slice,
        .steps = steps,
        .chunks = amx_chunks(steps),
        .group_bytes = amx_group_bytes(slice->k),
        .buffers = slice->scratch,
        .sums = (int32_t *)(void *)((uint8_t *)slice->scratch + AMX_BUFFER_BYTES),
    };
    size_t upper = tokens < TILE_ROWS ? tokens : TILE_ROWS;
    size_t lower = tokens > AMX_TOKENS ? TILE_ROWS : tokens > TILE_ROWS ? tokens - TILE_ROWS : upper;
    if (tokens)
        amx_configure(upper, lower);
    amx_pieces(&walk, slice->panels * walk.chunks * AMX_PAIRS);
    tiles_release();
}

/** Of struct kernel_gemm: all but unpacks_alone. The roof has both operands in tiles. */
#define AMX_GEMM                                                                                                       \
    .run = amx_gemm, .prepare_many = amx_prepare_many, .tokens_per_group = TILE_ROWS,                                  \
    .prepared_bytes = amx_group_bytes, .scratch_bytes = amx_scratch_bytes,                                             \
    .multiply = "int8_tiles.rows16_k64.amx_int8"

#endif
