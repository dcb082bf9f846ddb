/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles by pieces of 32 rows of W x 64 bytes x 8 along K: 16 KB of weights stay in the first-level cache, beside as much of the
 * operand, while all tokens pass, and sums go through memory once a piece, 8 KB for 32 tdp. Two formats of it: weights interleaved
 * by 4 columns (amx_gemm.h), and row by row (amx_rows.h). 32 tokens x 32 rows are four tiles of sums, which two tiles of tokens and two of weights feed:
 * four tdp for four loads, and never is a tile of sums without three others between its turns. A tile is loaded for
 * the next 64 bytes as soon as its last tdp is under way.
 *
 *     tmm0 tmm1    tokens 0-15     rows 0-15, 16-31        tmm4 tmm5   tokens 0-15, 16-31
 *     tmm2 tmm3    tokens 16-31    rows 0-15, 16-31        tmm6 tmm7   rows 0-15, 16-31
 *
 * Of 16 tokens and fewer tmm2 and tmm3 take every other 64 bytes of the same tokens, so that four sums are still under way.
 *
 * What must be unpacked goes to one of two buffers in turn: the next piece is unpacked between the tdp of the first tokens, since a tile
 * load cannot be served by a store that is under way, and vector units are idle then.
 *
 * Budget, predicted and not measured. Four full tdp, 65 cycles: 32 cycles of the two load ports for their tiles, 2 KB of the operand
 * from the second-level cache (31 bytes a cycle), and of the piece that is unpacked meanwhile 32 stores, one a cycle, with at most 32
 * loads and 56 operations on two ports beside them. Sums: 4 tile loads and 4 stores, 96 cycles of their ports for 522 of tdp, hidden in
 * part. So a vector of 32 bytes takes 0.5 cycles to unpack, and 0.032 a token to 0.038 with all sums in the open; below 16 tokens
 * unpacking is the longer part.
 *
 * Who includes this has defined
 *
 *   AMX_PAIRS                  tiles of 32 rows side by side in a panel: pieces of the same columns
 *   AMX_PRODUCT(c, t, w)       the tdp of tiles t of tokens and w of weights
 *   AMX_FILL                   units of a piece, of what the next one is unpacked in, between two tdp
 *   struct amx_filling         a piece that is being unpacked (or, where weights are tiles, prefetched): next and there, units done
 *                              and there, and its own
 *
 * and defines amx_fill_units(filling, units) and amx_finish(walk, block, piece, token), scale and store.
 */
#ifndef MICRO_KERNELS_AMX_PIECES_H
#define MICRO_KERNELS_AMX_PIECES_H

#include <stdbool.h>

#include "micro/kernel.h"
#include "micro/kernels/amx_tiles.h"

#define AMX_INLINE static inline __attribute__((always_inline))

enum {
    AMX_CHUNK_STEPS = 8, /* of 64 bytes along K, of a piece */
    AMX_STEP_STRIDE = 2 * TILE_BYTES,
    AMX_PIECE_BYTES = AMX_CHUNK_STEPS * AMX_STEP_STRIDE,
    AMX_TOKENS = 32,                /* at once */
    AMX_SUMS = AMX_TOKENS * 2 * 16, /* of a block: two rows of two tiles */
    AMX_SUMS_STRIDE = 2 * 16 * (int)sizeof(int32_t),
};

/** A call on its way through pieces: of each panel, of one chunk of K after the other, the pairs of tiles. */
struct amx_walk {
    const struct gemm_slice *slice;
    size_t steps;       /* of a panel */
    size_t chunks;      /* of AMX_CHUNK_STEPS, of a panel */
    size_t group_bytes; /* of the operand of 16 tokens */
    uint8_t *buffers;
    int32_t *sums; /* [blocks][AMX_PAIRS][AMX_SUMS]; of one where a panel has one chunk */
};

AMX_INLINE size_t amx_chunk_of(const struct amx_walk *walk, size_t piece)
{
    return piece / AMX_PAIRS % walk->chunks;
}

AMX_INLINE size_t amx_panel_of(const struct amx_walk *walk, size_t piece)
{
    return piece / AMX_PAIRS / walk->chunks;
}

AMX_INLINE size_t amx_steps_of(const struct amx_walk *walk, size_t piece)
{
    size_t left = walk->steps - amx_chunk_of(walk, piece) * AMX_CHUNK_STEPS;
    return left < AMX_CHUNK_STEPS ? left : AMX_CHUNK_STEPS;
}

AMX_INLINE uint8_t *amx_buffer_of(const struct amx_walk *walk, size_t piece)
{
    return walk->buffers + piece % 2 * AMX_PIECE_BYTES;
}

AMX_INLINE void amx_fill_units(struct amx_filling *filling, size_t units);

AMX_INLINE void amx_fill(struct amx_filling *filling)
{
    if (filling && filling->next + AMX_FILL <= filling->there)
        amx_fill_units(filling, AMX_FILL);
}

AMX_INLINE void amx_fill_rest(struct amx_filling *filling)
{
    while (filling->next + AMX_FILL <= filling->there)
        amx_fill_units(filling, AMX_FILL);
    while (filling->next < filling->there)
        amx_fill_units(filling, 1);
}

/* ---- one block: up to 32 tokens x 32 rows ---- */

/* Where weights lie: bytes between the rows of a tile, and to the second tile. */
#ifdef WEIGHTS_ARE_TILES
#define AMX_ROW_STRIDE                       128
#define tile_load_second(tile, from, stride) tile_load_at(tile, from, 64, stride)
#else
#define AMX_ROW_STRIDE                       64
#define tile_load_second(tile, from, stride) tile_load_at(tile, from, 1024, stride)
#endif

struct amx_block {
    const uint8_t *activations; /* tile of the first 16 tokens' first columns */
    size_t group_bytes, tokens;
    const uint8_t *weights; /* tile of the first 64 bytes */
    int32_t *sums;
};

/** Once a call: of tokens that are rows of tiles, of these as many as there are; of more than 32 tokens 16. */
static void amx_configure(size_t upper, size_t lower)
{
    struct tile_configuration configuration = {.palette = 1};
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = TILE_ROW_BYTES;
        configuration.rows[tile] = (uint8_t)(tile >= 6                             ? TILE_ROWS
                                             : tile == 2 || tile == 3 || tile == 5 ? lower
                                                                                   : upper);
    }
    tiles_configure(&configuration);
}

AMX_INLINE void amx_begin(const struct amx_block *block, bool first)
{
    if (first) {
        tile_zero(0);
        tile_zero(1);
        tile_zero(2);
        tile_zero(3);
        return;
    }
    tile_load(0, block->sums, AMX_SUMS_STRIDE);
    tile_load(1, block->sums + 16, AMX_SUMS_STRIDE);
    tile_load(2, block->sums + AMX_SUMS / 2, AMX_SUMS_STRIDE);
    tile_load(3, block->sums + AMX_SUMS / 2 + 16, AMX_SUMS_STRIDE);
}

AMX_INLINE void amx_end(const struct amx_block *block)
{
    tile_store(0, block->sums, AMX_SUMS_STRIDE);
    tile_store(1, block->sums + 16, AMX_SUMS_STRIDE);
    tile_store(2, block->sums + AMX_SUMS / 2, AMX_SUMS_STRIDE);
    tile_store(3, block->sums + AMX_SUMS / 2 + 16, AMX_SUMS_STRIDE);
}

/** More than 16 tokens. */
AMX_INLINE void amx_steps_of_32(const struct amx_block *block, size_t steps, struct amx_filling *filling)
{
    const uint8_t *upper = block->activations, *lower = upper + block->group_bytes, *weights = block->weights;
    tile_load(6, weights, AMX_ROW_STRIDE);
    tile_load(4, upper, TILE_ROW_BYTES);
    tile_load_second(7, weights, AMX_ROW_STRIDE);
    tile_load(5, lower, TILE_ROW_BYTES);
    while (--steps) {
        weights += AMX_STEP_STRIDE;
        upper += TILE_BYTES;
        lower += TILE_BYTES;
        AMX_PRODUCT(0, 4, 6);
        amx_fill(filling);
        AMX_PRODUCT(1, 4, 7);
        tile_load(4, upper, TILE_ROW_BYTES);
        amx_fill(filling);
        AMX_PRODUCT(2, 5, 6);
        tile_load(6, weights, AMX_ROW_STRIDE);
        amx_fill(filling);
        AMX_PRODUCT(3, 5, 7);
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        tile_load(5, lower, TILE_ROW_BYTES);
        amx_fill(filling);
    }
    AMX_PRODUCT(0, 4, 6);
    amx_fill(filling);
    AMX_PRODUCT(1, 4, 7);
    amx_fill(filling);
    AMX_PRODUCT(2, 5, 6);
    amx_fill(filling);
    AMX_PRODUCT(3, 5, 7);
    amx_fill(filling);
}

/** Up to 16 tokens: columns in turn to two sets of sums. */
AMX_INLINE void amx_steps_of_16(const struct amx_block *block, size_t steps, struct amx_filling *filling)
{
    const uint8_t *activations = block->activations, *weights = block->weights;
    tile_load(6, weights, AMX_ROW_STRIDE);
    tile_load(4, activations, TILE_ROW_BYTES);
    tile_load_second(7, weights, AMX_ROW_STRIDE);
    for (size_t left = steps;; left -= 2) {
        if (left > 1)
            tile_load_at(5, activations, 1024, TILE_ROW_BYTES);
        AMX_PRODUCT(0, 4, 6);
        if (left == 1) {
            AMX_PRODUCT(1, 4, 7);
            break;
        }
        tile_load_at(6, weights, 2048, AMX_ROW_STRIDE);
        amx_fill(filling);
        amx_fill(filling);
        AMX_PRODUCT(1, 4, 7);
        weights += AMX_STEP_STRIDE;
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        activations += 2 * TILE_BYTES;
        amx_fill(filling);
        amx_fill(filling);
        if (left > 2)
            tile_load(4, activations, TILE_ROW_BYTES);
        AMX_PRODUCT(2, 5, 6);
        if (left == 2) {
            AMX_PRODUCT(3, 5, 7);
            break;
        }
        tile_load_at(6, weights, 2048, AMX_ROW_STRIDE);
        amx_fill(filling);
        amx_fill(filling);
        AMX_PRODUCT(3, 5, 7);
        weights += AMX_STEP_STRIDE;
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        amx_fill(filling);
        amx_fill(filling);
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

AMX_INLINE void amx_finish(const struct amx_walk *walk, const struct amx_block *block, size_t piece, size_t token);

/* ---- a piece ---- */

AMX_INLINE struct amx_block amx_block_of(const struct amx_walk *walk, size_t piece, const uint8_t *weights,
                                         size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    size_t left = slice->tokens - token, at = walk->chunks > 1 ? token / AMX_TOKENS * AMX_PAIRS + piece % AMX_PAIRS : 0;
    return (struct amx_block){
        .activations = (const uint8_t *)slice->prepared + token / TILE_ROWS * walk->group_bytes +
                       amx_chunk_of(walk, piece) * AMX_CHUNK_STEPS * TILE_BYTES,
        .group_bytes = walk->group_bytes,
        .tokens = left < AMX_TOKENS ? left : AMX_TOKENS,
        .weights = weights,
        .sums = walk->sums + at * AMX_SUMS,
    };
}

/** Whole steps of 64 bytes at `weights`, and where rest is not NULL one more there. */
AMX_INLINE void amx_multiply(const struct amx_block *block, size_t steps, const uint8_t *rest,
                             struct amx_filling *filling)
{
    struct amx_block last = *block;
    if (steps)
        amx_steps(block, steps, filling);
    if (!rest)
        return;
    last.activations += steps * TILE_BYTES;
    last.weights = rest;
    amx_steps(&last, 1, NULL);
}

/** All tokens with a piece; beside the first of them `filling`, unless that is NULL. */
AMX_INLINE void amx_piece(const struct amx_walk *walk, size_t piece, const uint8_t *weights, const uint8_t *rest,
                          struct amx_filling *filling)
{
    size_t chunk = amx_chunk_of(walk, piece), steps = amx_steps_of(walk, piece) - (rest != NULL);
    for (size_t token = 0; token < walk->slice->tokens; token += AMX_TOKENS) {
        struct amx_block block = amx_block_of(walk, piece, weights, token);
        amx_begin(&block, chunk == 0);
        if (token == 0 && filling)
            amx_multiply(&block, steps, rest, filling);
        else
            amx_multiply(&block, steps, rest, NULL);
        amx_end(&block);
        if (chunk + 1 == walk->chunks)
            amx_finish(walk, &block, piece, token);
    }
}

static size_t amx_chunks(size_t steps)
{
    return (steps + AMX_CHUNK_STEPS - 1) / AMX_CHUNK_STEPS;
}

static size_t amx_sums_bytes(size_t steps, size_t tokens)
{
    size_t blocks = amx_chunks(steps) > 1 ? (tokens + AMX_TOKENS - 1) / AMX_TOKENS * AMX_PAIRS : 1;
    return blocks * AMX_SUMS * sizeof(int32_t);
}

#endif
