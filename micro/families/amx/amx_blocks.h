/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles by blocks of 32 rows of W x 32 tokens over all of K, so that sums never leave their tiles: weights interleaved
 * by 4 columns (amx_gemm.h), and row by row (amx_rows.h). Four tiles of sums are fed by two tiles of tokens and two of weights, four tdp for four
 * loads:
 *
 *     tmm0 tmm1    tokens 0-15     rows 0-15, 16-31        tmm4 tmm5   tokens 0-15, 16-31
 *     tmm2 tmm3    tokens 16-31    rows 0-15, 16-31        tmm6        rows 0-15, then 16-31
 *
 * Weights take one tile in turns, so that one of eight holds nothing. A load needs a free physical tile; beside a busy sibling thread there are few,
 * and it waits the longer, the more tiles hold something.
 *
 * Weights are unpacked again for each block, a few steps of 64 bytes ahead of their tdp and between others, to a ring of 8 or 16 KB
 * that stays in the first-level cache. Unpacked once for all tokens, they are written to the second level and read from there, which takes longer.
 * A tile load is not served by a store that is under way, so the ring is a step or more ahead. A tile is loaded for the next step once its last tdp
 * of this one is issued.
 *
 * A tile that is stored when none was for some 2,300 cycles takes 850, in which nothing is multiplied (a Granite-Rapids class guest; of 128
 * tdp between two stores none, of 192 all): a row that nobody reads is stored every four steps, so that the sums of a block are not.
 * The operand of tokens does not stay in the first level between two blocks: it is loaded as a stream.
 *
 * What a block has summed is scaled and stored beside the steps of the next one, part by part, so that tdp do not wait for it.
 *
 * Tokens go by as many as have 1 MB of operand, which stay in the second-level cache while all rows pass: four tdp would else
 * wait three times as long for theirs from the third. A block prefetches its share of the next rows into the second level, where a prefetch
 * is asked for, at whatever distance.
 *
 * Budget, of 16 cycles a tdp with its loads from the first level, and of 42 bytes a cycle from the second. Four tdp take 64; their 2 KB
 * of operand 49, and 1 KB of packed weights 24, of the second level; 32 stores of unpacking are one a cycle. So the second level binds, at
 * 73: 0.036 cycles a vector and token, 1,800 operations a cycle, predicted. Of 16 tokens and fewer, whose tdp are half as many,
 * unpacking takes as long as multiplying. A busy sibling thread multiplies the time of a tdp with its load, not that of either alone.
 *
 * The including file has defined
 *
 *   AMX_PAIRS                  tiles of 32 rows side by side in a panel
 *   AMX_PRODUCT(c, t, w)       the tdp of tiles t of tokens and w of weights
 *   AMX_AHEAD, AMX_RING        steps by which unpacking is ahead, at least 2, and that the ring holds, more than that; AMX_RING 0: weights are tiles as they are
 *   struct amx_source          packed weights of a block: what amx_fill() needs
 *
 * and defines amx_fill(source, step, quarter): unpack a quarter of step's share to the ring; amx_finish(walk, block, part): scale and store
 * a part of a block, of amx_parts(block).
 */
#ifndef MICRO_FAMILIES_AMX_AMX_BLOCKS_H
#define MICRO_FAMILIES_AMX_AMX_BLOCKS_H

#include <stdbool.h>

#include "micro/isa/amx_tiles.h"
#include "micro/kernel.h"

#define AMX_INLINE static inline __attribute__((always_inline))

enum {
    AMX_STEP_STRIDE = 2 * TILE_BYTES,
    AMX_RING_BYTES = AMX_RING * AMX_STEP_STRIDE,
    AMX_TOKENS = 32,                /* at once */
    AMX_AWAKE = 4,                  /* steps from one store of a tile to the next */
    AMX_SUMS = AMX_TOKENS * 2 * 16, /* of a block: two rows of two tiles */
    AMX_SUMS_BYTES =
        2 * AMX_SUMS * (int)sizeof(int32_t) + TILE_ROW_BYTES, /* of blocks in turn, and a line never read */
    AMX_SUMS_STRIDE = 2 * 16 * (int)sizeof(int32_t),
};

struct amx_walk {
    const struct gemm_slice *slice;
    size_t steps;       /* of 64 bytes along K */
    size_t group_bytes; /* of the operand of 16 tokens */
    uint8_t *ring;
    int32_t *sums; /* [2][AMX_SUMS], then the line that is never read */
};

/** 32 rows and up to 32 tokens. */
struct amx_block {
    size_t pair, token, tokens;
    const uint8_t *activations; /* tile of the first 16 tokens' first columns */
    size_t group_bytes;
    size_t steps;
    int32_t *sums;
    const uint8_t *ahead; /* prefetched, this many lines a step; 0 of them: nothing */
    size_t ahead_lines;
};

/** A block whose sums are stored, and how many of its parts are finished. */
struct amx_former {
    struct amx_block block;
    size_t part, parts;
};

AMX_INLINE void amx_fill(const struct amx_source *source, size_t step, size_t quarter);
AMX_INLINE size_t amx_parts(const struct amx_block *block);
AMX_INLINE void amx_finish(const struct amx_walk *walk, const struct amx_block *block, size_t part);

AMX_INLINE void amx_finish_next(const struct amx_walk *walk, struct amx_former *former)
{
    if (former->part < former->parts)
        amx_finish(walk, &former->block, former->part++);
}

AMX_INLINE void amx_finish_rest(const struct amx_walk *walk, struct amx_former *former)
{
    while (former->part < former->parts)
        amx_finish(walk, &former->block, former->part++);
}

/* Where weights lie: bytes between the rows of a tile, and the tile of the second 16 rows. */
#ifdef WEIGHTS_ARE_TILES
#define AMX_ROW_STRIDE           128
#define amx_load_second(weights) tile_load_at(6, weights, 64, AMX_ROW_STRIDE)
#else
#define AMX_ROW_STRIDE           64
#define amx_load_second(weights) tile_load_at(6, weights, 1024, AMX_ROW_STRIDE)
#endif

/** Tile of weights of a step: in the ring, or at `weights`. */
AMX_INLINE const uint8_t *amx_step_at(const uint8_t *weights, size_t step)
{
    return weights + (AMX_RING ? step % (AMX_RING + !AMX_RING) : step) * AMX_STEP_STRIDE;
}

AMX_INLINE void amx_ahead(const struct amx_block *block, size_t step)
{
    const uintptr_t from = (uintptr_t)block->ahead + step * block->ahead_lines * 64;
    for (size_t i = 0; i < block->ahead_lines; i++)
        _mm_prefetch((const char *)(from + i * 64), _MM_HINT_T1);
}

/** What the tiles of a step hold: columns of up to 16 and of up to 32 tokens, and its weights. */
struct amx_tiles {
    const uint8_t *upper, *lower, *weights;
};

AMX_INLINE struct amx_tiles amx_tiles_of(const struct amx_block *block, const uint8_t *weights, size_t step)
{
    const uint8_t *upper = block->activations + step * TILE_BYTES;
    return (struct amx_tiles){upper, upper + block->group_bytes, amx_step_at(weights, step)};
}

/** More than 16 tokens. more: load the next step's tiles; fills: unpack a later step meanwhile. */
AMX_INLINE void amx_step_of_32(const struct amx_block *block, const struct amx_tiles *now, const struct amx_tiles *next,
                               size_t step, const struct amx_source *source, bool more, bool fills)
{
    AMX_PRODUCT(0, 4, 6);
    if (fills)
        amx_fill(source, step + AMX_AHEAD, 0);
    AMX_PRODUCT(2, 5, 6);
    amx_load_second(now->weights);
    if (fills)
        amx_fill(source, step + AMX_AHEAD, 1);
    AMX_PRODUCT(1, 4, 6);
    if (more)
        tile_load_streaming(4, next->upper, TILE_ROW_BYTES);
    if (fills)
        amx_fill(source, step + AMX_AHEAD, 2);
    AMX_PRODUCT(3, 5, 6);
    if (more) {
        tile_load(6, next->weights, AMX_ROW_STRIDE);
        tile_load_streaming(5, next->lower, TILE_ROW_BYTES);
    }
    if (fills)
        amx_fill(source, step + AMX_AHEAD, 3);
    amx_ahead(block, step);
}

/** Up to 16 tokens. */
AMX_INLINE void amx_step_of_16(const struct amx_block *block, const struct amx_tiles *now, const struct amx_tiles *next,
                               size_t step, const struct amx_source *source, bool more, bool fills)
{
    AMX_PRODUCT(0, 4, 6);
    amx_load_second(now->weights);
    if (fills) {
        amx_fill(source, step + AMX_AHEAD, 0);
        amx_fill(source, step + AMX_AHEAD, 1);
    }
    AMX_PRODUCT(1, 4, 6);
    if (more) {
        tile_load_streaming(4, next->upper, TILE_ROW_BYTES);
        tile_load(6, next->weights, AMX_ROW_STRIDE);
    }
    if (fills) {
        amx_fill(source, step + AMX_AHEAD, 2);
        amx_fill(source, step + AMX_AHEAD, 3);
    }
    amx_ahead(block, step);
}

AMX_INLINE void amx_step(const struct amx_walk *walk, const struct amx_block *block, const uint8_t *weights,
                         size_t step, const struct amx_source *source, bool both, bool more, bool fills)
{
    const struct amx_tiles now = amx_tiles_of(block, weights, step), next = amx_tiles_of(block, weights, step + 1);
    if (both)
        amx_step_of_32(block, &now, &next, step, source, more, fills);
    else
        amx_step_of_16(block, &now, &next, step, source, more, fills);
    if (step % AMX_AWAKE == 0)
        tile_store(7, walk->sums + 2 * AMX_SUMS, TILE_ROW_BYTES);
}

AMX_INLINE void amx_fill_step(const struct amx_source *source, size_t step)
{
    amx_fill(source, step, 0);
    amx_fill(source, step, 1);
    amx_fill(source, step, 2);
    amx_fill(source, step, 3);
}

/** Of up to 16 tokens, or of both tiles of them: steps > 0. */
AMX_INLINE void amx_steps_of(const struct amx_walk *walk, const struct amx_block *block, const uint8_t *weights,
                             const struct amx_source *source, struct amx_former *former, bool both)
{
    const size_t filling = AMX_RING && block->steps > AMX_AHEAD ? block->steps - AMX_AHEAD : 0;
    const struct amx_tiles first = amx_tiles_of(block, weights, 0);
    size_t step = 0;
    tile_load_streaming(4, first.upper, TILE_ROW_BYTES);
    tile_load(6, first.weights, AMX_ROW_STRIDE);
    if (both)
        tile_load_streaming(5, first.lower, TILE_ROW_BYTES);
    for (; step < filling; step++) {
        amx_step(walk, block, weights, step, source, both, true, true);
        amx_finish_next(walk, former);
    }
    for (; step + 1 < block->steps; step++) {
        amx_step(walk, block, weights, step, source, both, true, false);
        amx_finish_next(walk, former);
    }
    amx_step(walk, block, weights, step, source, both, false, false);
}

/** All steps of a block whose sums are in tiles; parts of the former one beside them. */
AMX_INLINE void amx_steps(const struct amx_walk *walk, const struct amx_block *block, const uint8_t *weights,
                          const struct amx_source *source, struct amx_former *former)
{
    if (!block->steps)
        return;
    for (size_t i = 0; AMX_RING && i < AMX_AHEAD && i < block->steps; i++)
        amx_fill_step(source, i);
    if (block->tokens > TILE_ROWS)
        amx_steps_of(walk, block, weights, source, former, true);
    else
        amx_steps_of(walk, block, weights, source, former, false);
}

AMX_INLINE void amx_begin(void)
{
    tile_zero(0);
    tile_zero(1);
    tile_zero(2);
    tile_zero(3);
}

/** Sums to memory, and the block becomes the former one, whose parts are all finished by now. */
AMX_INLINE void amx_end(const struct amx_walk *walk, const struct amx_block *block, struct amx_former *former)
{
    amx_finish_rest(walk, former);
    tile_store(0, block->sums, AMX_SUMS_STRIDE);
    tile_store(1, block->sums + 16, AMX_SUMS_STRIDE);
    if (block->tokens > TILE_ROWS) {
        tile_store(2, block->sums + AMX_SUMS / 2, AMX_SUMS_STRIDE);
        tile_store(3, block->sums + AMX_SUMS / 2 + 16, AMX_SUMS_STRIDE);
    }
    *former = (struct amx_former){.block = *block, .parts = amx_parts(block)};
}

/**
 * Once a call: of tokens that are rows of tiles, of these as many as there are; of more than 32 tokens 16. tmm7 is the row that is
 * stored to keep stores awake.
 */
static void amx_configure(size_t upper, size_t lower)
{
    struct tile_configuration configuration = {.palette = 1};
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = TILE_ROW_BYTES;
        configuration.rows[tile] = (uint8_t)(tile == 7                             ? 1
                                             : tile == 6                           ? TILE_ROWS
                                             : tile == 2 || tile == 3 || tile == 5 ? lower
                                                                                   : upper);
    }
    tiles_configure(&configuration);
}

AMX_INLINE struct amx_block amx_block_of(const struct amx_walk *walk, const struct amx_former *former, size_t pair,
                                         size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    size_t left = slice->tokens - token;
    return (struct amx_block){
        .pair = pair,
        .token = token,
        .tokens = left < AMX_TOKENS ? left : AMX_TOKENS,
        .activations = (const uint8_t *)slice->prepared + token / TILE_ROWS * walk->group_bytes,
        .group_bytes = walk->group_bytes,
        .steps = walk->steps,
        .sums = former->block.sums == walk->sums ? walk->sums + AMX_SUMS : walk->sums,
    };
}

AMX_INLINE size_t amx_tokens_at_once(const struct amx_walk *walk)
{
    return tiles_tokens_at_once(walk->slice->tokens, AMX_TOKENS, 2 * walk->group_bytes);
}

/** A block's share of what is read after the panel: bytes from `next` on, of `blocks` blocks the number-th. */
AMX_INLINE void amx_share_ahead(struct amx_block *block, const uint8_t *next, size_t bytes, size_t number,
                                size_t blocks)
{
    size_t lines = (bytes / 64 + blocks * block->steps - 1) / (blocks * block->steps);
    block->ahead_lines = block->steps ? lines : 0;
    block->ahead = (const uint8_t *)((uintptr_t)next + number * block->steps * lines * 64);
}

#endif
