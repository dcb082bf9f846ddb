/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of integer weights by tdpbsud: activations are A as they lie in memory, a row a token; weights, offset-binary and
 * interleaved by 4 columns, are B, a column a row of W. 32 tokens x 32 rows of W are four tiles of sums, which two tiles of A and
 * two of B feed: four tdp for four loads, and never is a tile of sums without three others between its turns.
 *
 *     tmm0 tmm1    tokens 0-15     rows 0-15, 16-31        tmm4 tmm5   A: tokens 0-15, 16-31
 *     tmm2 tmm3    tokens 16-31    rows 0-15, 16-31        tmm6 tmm7   B: rows 0-15, 16-31
 *
 * Of 16 tokens and fewer tmm2 and tmm3 take every other 64 columns of the same tokens, so that four sums are still under way.
 *
 * K goes in chunks of 1,024 columns: 32 KB of B for 32 rows stay in the first-level cache while all tokens pass, and sums go
 * through memory once a chunk, 8 KB for 64 tdp. What must be unpacked goes to one of two buffers in turn: the next chunk, or the
 * next panel's first, is unpacked between the tdp of the first tokens, since a tile load cannot be served by a store that is under
 * way, and vector units are idle then. Its lines are prefetched a page ahead and more, where the hardware's prefetcher stops.
 *
 * Predicted, not measured (16.3 cycles a full tdp, 8 a tile load that overlaps with it; a spill of four tiles 130): 16 vectors of 32
 * weights x 32 tokens are a tdp, so 0.032 a vector and token within a chunk, 0.034 with its spill; 16 tokens 0.064 at worst.
 *
 * A kernel states, before it includes this,
 *
 *   ROWS            of a panel, in its format's layout.h, a multiple of 32; STEP_BYTES, STEP_COLUMNS
 *   WEIGHTS_ARE_TILES   weights are B as they lie in memory: rows of 16 x 4 bytes, ROWS * 4 apart; else it defines
 *   unpack_step(step, chunk, row)   the ROWS of a step into lines at tile_line(chunk, row, tile), …
 *
 * and in either case
 *
 *   finish_sums(tile, sums)   sums of rows 16 * tile … as integers before the correction
 */
#ifndef MICRO_KERNELS_AMX_GEMM_H
#define MICRO_KERNELS_AMX_GEMM_H

#include <stdbool.h>

#include "micro/kernel.h"
#include "micro/kernels/amx_tiles.h"

#define AMX_INLINE static inline __attribute__((always_inline))

enum {
    AMX_STEP = 64,                 /* columns of a tdp */
    AMX_STEP_LINES = AMX_STEP / 4, /* rows of a tile of B */
    AMX_CHUNK_STEPS = 16,          /* of 64 columns */
    AMX_CHUNK_LINES = AMX_CHUNK_STEPS * AMX_STEP_LINES,
    AMX_PAIRS = ROWS / 32, /* of tiles side by side */
    AMX_PAIR_BYTES = AMX_CHUNK_STEPS * 2 * TILE_BYTES,
    AMX_CHUNK_BYTES = AMX_PAIRS * AMX_PAIR_BYTES,
    AMX_TOKENS = 32,                   /* at once */
    AMX_UNIT_LINES = STEP_COLUMNS / 4, /* of a step of the format */
};
_Static_assert(ROWS % 32 == 0 && AMX_STEP_LINES % AMX_UNIT_LINES == 0, "tiles of whole steps");

/** Where line `line` (4 columns) of 16 rows lies in an unpacked chunk: [pair][64 columns][tile of 2][line][64 bytes]. */
AMX_INLINE uint8_t *tile_line(uint8_t *chunk, size_t line, size_t tile)
{
    return chunk + tile / 2 * AMX_PAIR_BYTES + line / AMX_STEP_LINES * 2 * TILE_BYTES + tile % 2 * TILE_BYTES +
           line % AMX_STEP_LINES * TILE_ROW_BYTES;
}

#ifndef WEIGHTS_ARE_TILES
AMX_INLINE void unpack_step(const uint8_t *step, uint8_t *chunk, size_t line);
enum { AMX_BUFFERS = 2 };
#else
enum { AMX_BUFFERS = 1 }; /* the columns of K past the last 64 */
#endif
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums);

/** A call on its way through pieces: the chunks of the panels one after the other. */
struct amx_walk {
    const struct gemm_slice *slice;
    size_t lines;  /* of 4 columns, of a panel */
    size_t chunks; /* of a panel */
    uint8_t *buffers;
    int32_t *sums;     /* [tokens in whole blocks][ROWS], of one block where a panel has one chunk */
    size_t configured; /* tokens of the blocks that the tiles are configured for */
};

AMX_INLINE size_t amx_lines_of(const struct amx_walk *walk, size_t piece)
{
    size_t first = piece % walk->chunks * AMX_CHUNK_LINES, left = walk->lines - first;
    return left < AMX_CHUNK_LINES ? left : AMX_CHUNK_LINES;
}

AMX_INLINE size_t amx_steps_of(const struct amx_walk *walk, size_t piece)
{
    return (amx_lines_of(walk, piece) + AMX_STEP_LINES - 1) / AMX_STEP_LINES;
}

AMX_INLINE const uint8_t *amx_weights_of(const struct amx_walk *walk, size_t piece)
{
    return walk->slice->weights + piece / walk->chunks * walk->slice->panel_bytes +
           piece % walk->chunks * (AMX_CHUNK_LINES / AMX_UNIT_LINES) * STEP_BYTES;
}

AMX_INLINE uint8_t *amx_buffer_of(const struct amx_walk *walk, size_t piece)
{
    return walk->buffers + piece % AMX_BUFFERS * AMX_CHUNK_BYTES;
}

AMX_INLINE void amx_prefetch(const uint8_t *from, size_t bytes, size_t distance)
{
    for (size_t i = 0; distance && i < bytes; i += 64)
        _mm_prefetch((const char *)((uintptr_t)from + distance + i), _MM_HINT_T0);
}

/* ---- what is done between the tdp of the first tokens ---- */

/** A piece that is being unpacked (or, where weights are tiles, prefetched), from its first line on. */
struct amx_filling {
    const uint8_t *weights;
    uint8_t *chunk;
    size_t next, there, end; /* lines: done, of the panel, with zeros to whole steps of 64 columns */
    size_t share;            /* lines of a slot; 0: nothing to do */
    size_t prefetch_bytes;
};

/** In so many slots. */
AMX_INLINE struct amx_filling amx_fill_begin(const struct amx_walk *walk, size_t piece, size_t slots)
{
    struct amx_filling filling = {.weights = amx_weights_of(walk, piece),
                                  .chunk = amx_buffer_of(walk, piece),
                                  .there = amx_lines_of(walk, piece),
                                  .end = amx_steps_of(walk, piece) * AMX_STEP_LINES,
                                  .prefetch_bytes = walk->slice->prefetch_bytes};
    size_t units = filling.end / AMX_UNIT_LINES;
    filling.share = (units + slots - 1) / slots * AMX_UNIT_LINES;
    return filling;
}

AMX_INLINE void amx_fill_lines(struct amx_filling *filling, size_t lines)
{
    size_t end = filling->next + lines < filling->end ? filling->next + lines : filling->end;
    for (; filling->next < end; filling->next += AMX_UNIT_LINES) {
        const uint8_t *step = filling->weights + filling->next / AMX_UNIT_LINES * STEP_BYTES;
        amx_prefetch(step, STEP_BYTES, filling->prefetch_bytes);
#ifndef WEIGHTS_ARE_TILES
        if (filling->next < filling->there) {
            unpack_step(step, filling->chunk, filling->next);
            continue;
        }
        for (size_t i = 0; i < AMX_UNIT_LINES * ROWS / 16; i++)
            _mm512_store_si512(tile_line(filling->chunk, filling->next + i / (ROWS / 16), i % (ROWS / 16)),
                               _mm512_setzero_si512());
#endif
    }
}

/* ---- one block: up to 32 tokens x 32 rows ---- */

/* Where B lies: bytes between its rows, to its second tile, to the next 64 columns. */
#ifdef WEIGHTS_ARE_TILES
#define AMX_ROW_STRIDE                       128
#define tile_load_second(tile, from, stride) tile_load_at(tile, from, 64, stride)
_Static_assert(ROWS * 4 == AMX_ROW_STRIDE && STEP_BYTES * (4 / STEP_COLUMNS) == AMX_ROW_STRIDE,
               "two tiles side by side");
#else
#define AMX_ROW_STRIDE                       64
#define tile_load_second(tile, from, stride) tile_load_at(tile, from, 1024, stride)
#endif
enum { AMX_STEP_STRIDE = 2 * TILE_BYTES };

struct amx_block {
    const int8_t *activations;
    size_t activations_stride, tokens;
    const uint8_t *weights; /* B of the first 64 columns */
    int32_t *sums;          /* [32][ROWS] */
};

static void amx_configure(struct amx_walk *walk, size_t tokens)
{
    struct tile_configuration configuration = {.palette = 1};
    size_t upper = tokens < TILE_ROWS ? tokens : TILE_ROWS, lower = tokens > TILE_ROWS ? tokens - TILE_ROWS : upper;
    if (walk->configured == tokens)
        return;
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = TILE_ROW_BYTES;
        configuration.rows[tile] = (uint8_t)(tile >= 6                             ? TILE_ROWS
                                             : tile == 2 || tile == 3 || tile == 5 ? lower
                                                                                   : upper);
    }
    tiles_configure(&configuration);
    walk->configured = tokens;
}

AMX_INLINE void amx_begin(const struct amx_block *block, bool first)
{
    enum { STRIDE = ROWS * 4, LOWER = TILE_ROWS * ROWS };
    if (first) {
        tile_zero(0);
        tile_zero(1);
        tile_zero(2);
        tile_zero(3);
        return;
    }
    tile_load(0, block->sums, STRIDE);
    tile_load(1, block->sums + 16, STRIDE);
    tile_load(2, block->sums + LOWER, STRIDE);
    tile_load(3, block->sums + LOWER + 16, STRIDE);
}

AMX_INLINE void amx_end(const struct amx_block *block)
{
    enum { STRIDE = ROWS * 4, LOWER = TILE_ROWS * ROWS };
    tile_store(0, block->sums, STRIDE);
    tile_store(1, block->sums + 16, STRIDE);
    tile_store(2, block->sums + LOWER, STRIDE);
    tile_store(3, block->sums + LOWER + 16, STRIDE);
}

/** More than 16 tokens. */
AMX_INLINE void amx_steps_of_32(const struct amx_block *block, size_t steps, struct amx_filling *filling)
{
    const size_t stride = block->activations_stride;
    const int8_t *upper = block->activations, *lower = upper + TILE_ROWS * stride;
    const uint8_t *weights = block->weights;
    for (size_t step = 0; step < steps; step++) {
        tile_load(6, weights, AMX_ROW_STRIDE);
        tile_load(4, upper, stride);
        tile_multiply(tdpbsud, 0, 4, 6);
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        tile_multiply(tdpbsud, 1, 4, 7);
        tile_load(5, lower, stride);
        tile_multiply(tdpbsud, 2, 5, 6);
        if (filling)
            amx_fill_lines(filling, filling->share);
        tile_multiply(tdpbsud, 3, 5, 7);
        weights += AMX_STEP_STRIDE;
        upper += AMX_STEP;
        lower += AMX_STEP;
    }
}

/** Up to 16 tokens: columns in turn to two sets of sums. */
AMX_INLINE void amx_steps_of_16(const struct amx_block *block, size_t steps, struct amx_filling *filling)
{
    const size_t stride = block->activations_stride;
    const int8_t *activations = block->activations;
    const uint8_t *weights = block->weights;
    for (size_t step = 0;; step += 2) {
        if (step == steps)
            break;
        tile_load(6, weights, AMX_ROW_STRIDE);
        tile_load(4, activations, stride);
        tile_multiply(tdpbsud, 0, 4, 6);
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        tile_multiply(tdpbsud, 1, 4, 7);
        weights += AMX_STEP_STRIDE;
        if (step + 1 == steps)
            break;
        tile_load(6, weights, AMX_ROW_STRIDE);
        tile_load_at(5, activations, 64, stride);
        tile_multiply(tdpbsud, 2, 5, 6);
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        tile_multiply(tdpbsud, 3, 5, 7);
        if (filling)
            amx_fill_lines(filling, 2 * filling->share);
        weights += AMX_STEP_STRIDE;
        activations += 2 * AMX_STEP;
    }
}

/** filling: NULL, or what to unpack meanwhile. */
AMX_INLINE void amx_steps(const struct amx_block *block, size_t steps, struct amx_filling *filling)
{
    if (block->tokens > TILE_ROWS)
        amx_steps_of_32(block, steps, filling);
    else
        amx_steps_of_16(block, steps, filling);
}

/** scale * (sum + correction) of each token, 32 rows. */
AMX_INLINE void amx_finish(const struct gemm_slice *slice, const struct amx_block *block, size_t token, size_t row)
{
    for (size_t i = 0; i < block->tokens; i++) {
        const __m512i correction = _mm512_set1_epi32(slice->corrections[token + i]);
        const __m512 scale = _mm512_set1_ps(slice->scales[token + i]);
        const int32_t *sums = block->sums + i * ROWS;
        float *out = slice->out + (token + i) * slice->out_stride + row;
        for (size_t tile = 0; tile < 2; tile++) {
            __m512i sum = _mm512_load_si512(sums + 16 * tile);
            if (block->tokens <= TILE_ROWS)
                sum = _mm512_add_epi32(sum, _mm512_load_si512(sums + TILE_ROWS * ROWS + 16 * tile));
            sum = _mm512_add_epi32(finish_sums(row % ROWS / 16 + tile, sum), correction);
            _mm512_storeu_ps(out + 16 * tile, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale));
        }
    }
}

/* ---- a piece ---- */

/** The columns of a piece; B of those past whole steps of 64 is unpacked even where the others need it not. */
AMX_INLINE void amx_multiply(const struct amx_walk *walk, const struct amx_block *block, size_t piece,
                             struct amx_filling *filling)
{
    size_t steps = amx_steps_of(walk, piece);
#ifdef WEIGHTS_ARE_TILES
    size_t whole = amx_lines_of(walk, piece) / AMX_STEP_LINES;
    struct amx_block rest = *block;
    amx_steps(block, whole, filling);
    if (whole == steps)
        return;
    rest.activations += whole * AMX_STEP;
    rest.weights = walk->buffers;
    amx_steps(&rest, 1, NULL);
#else
    amx_steps(block, steps, filling);
#endif
}

AMX_INLINE struct amx_block amx_block_of(const struct amx_walk *walk, size_t piece, size_t pair, size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    size_t left = slice->tokens - token;
    struct amx_block block = {
        .activations =
            slice->activations + token * slice->activations_stride + piece % walk->chunks * (4 * AMX_CHUNK_LINES),
        .activations_stride = slice->activations_stride,
        .tokens = left < AMX_TOKENS ? left : AMX_TOKENS,
        .sums = walk->sums + (walk->chunks > 1 ? token : 0) * ROWS + pair * 32,
#ifdef WEIGHTS_ARE_TILES
        .weights = amx_weights_of(walk, piece) + pair * 2 * TILE_ROW_BYTES,
#else
        .weights = amx_buffer_of(walk, piece) + pair * AMX_PAIR_BYTES,
#endif
    };
    return block;
}

#ifdef WEIGHTS_ARE_TILES
/** The lines of the panel past whole steps of 64 columns, and zeros behind them. */
static void amx_unpack_rest(const struct amx_walk *walk, size_t piece)
{
    size_t lines = amx_lines_of(walk, piece), rest = lines % AMX_STEP_LINES;
    memset(walk->buffers, 0, AMX_STEP_STRIDE);
    memcpy(walk->buffers, amx_weights_of(walk, piece) + (lines - rest) * AMX_ROW_STRIDE, rest * AMX_ROW_STRIDE);
}
#endif

/** All tokens with one pair of tiles of a piece. filling: done beside the first of them; NULL: nothing. */
AMX_INLINE void amx_pair(struct amx_walk *walk, size_t piece, size_t pair, struct amx_filling *filling)
{
    size_t chunk = piece % walk->chunks, row = piece / walk->chunks * ROWS + pair * 32;
    for (size_t token = 0; token < walk->slice->tokens; token += AMX_TOKENS) {
        struct amx_block block = amx_block_of(walk, piece, pair, token);
        amx_configure(walk, block.tokens);
        amx_begin(&block, chunk == 0);
        if (token == 0 && filling)
            amx_multiply(walk, &block, piece, filling);
        else
            amx_multiply(walk, &block, piece, NULL);
        amx_end(&block);
        if (chunk + 1 == walk->chunks)
            amx_finish(walk->slice, &block, token, row);
    }
}

static void amx_piece(struct amx_walk *walk, size_t piece, size_t pieces)
{
    struct amx_filling filling, *fills = NULL;
#ifdef WEIGHTS_ARE_TILES
    size_t filled = piece;
    if (amx_lines_of(walk, piece) % AMX_STEP_LINES)
        amx_unpack_rest(walk, piece);
#else
    size_t filled = piece + 1;
#endif
    if (filled < pieces) {
        filling = amx_fill_begin(walk, filled, AMX_PAIRS * amx_steps_of(walk, piece));
        fills = &filling;
    }
    for (size_t pair = 0; pair < AMX_PAIRS; pair++)
        amx_pair(walk, piece, pair, fills);
    if (fills)
        amx_fill_lines(fills, fills->end);
}

static size_t amx_chunks(size_t k)
{
    return (k + 4 * AMX_CHUNK_LINES - 1) / (4 * AMX_CHUNK_LINES);
}

static size_t amx_buffer_bytes(void)
{
#ifdef WEIGHTS_ARE_TILES
    return AMX_STEP_STRIDE;
#else
    return (size_t)AMX_BUFFERS * AMX_CHUNK_BYTES;
#endif
}

static size_t amx_scratch_bytes(size_t k, size_t tokens)
{
    size_t blocks = amx_chunks(k) > 1 ? (tokens + AMX_TOKENS - 1) / AMX_TOKENS : 1;
    return amx_buffer_bytes() + blocks * AMX_TOKENS * ROWS * sizeof(int32_t);
}

static void amx_gemm(const struct gemm_slice *slice)
{
    struct amx_walk walk = {
        .slice = slice,
        .lines = slice->k / 4,
        .chunks = amx_chunks(slice->k),
        .buffers = slice->scratch,
        .sums = (int32_t *)(void *)((uint8_t *)slice->scratch + amx_buffer_bytes()),
    };
    size_t pieces = slice->panels * walk.chunks;
#ifndef WEIGHTS_ARE_TILES
    struct amx_filling first = amx_fill_begin(&walk, 0, 1);
    amx_fill_lines(&first, first.end);
#endif
    for (size_t piece = 0; piece < pieces; piece++)
        amx_piece(&walk, piece, pieces);
    tiles_release();
}

#endif
