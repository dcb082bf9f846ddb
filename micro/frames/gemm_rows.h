/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() and gemm.prepare_many() of a kernel whose panel is one row: a register tile of dot products, GEMM_ROWS rows
 * by at most GEMM_TOKENS tokens, with columns in the lanes. Rows and tokens both lie with their columns side by side, so
 * nothing is transposed; the lanes of a sum are added once a tile. What unpacks a vector of weights is done once for all
 * tokens of the tile, and on most cores beside the multiplications and not before them.
 *
 * The including .c defines, before it,
 *
 *   GEMM_TOKENS      tokens of a tile, and of a group of prepare_many(): GEMM_ROWS * GEMM_TOKENS sums and GEMM_TOKENS
 *                    vectors of activations are in registers, beside one of weights
 *   GEMM_COLUMNS     columns that one vector of activations holds
 *   GEMM_VECTORS     vectors of activations of a unit, the least along K
 *   GEMM_UNIT_BYTES  weights of a unit
 *   gemm_vector      type of activations, and of weights when they meet them
 *   gemm_sums        type of sums
 *
 *   ROWS_INLINE gemm_sums gemm_zero(void)
 *   ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)       vector `number` of a unit
 *   ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
 *   ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)   of a token, as it was given
 *   ROWS_INLINE void gemm_put(const struct gemm_slice *, const gemm_sums *sum, size_t row, int rows, size_t token, bool
 *                             first, bool last)
 *
 * of which the last adds the lanes of sum[rows], rows GEMM_ROWS or 1, onto out; `first` where out has nothing yet, `last`
 * where nothing follows. gemm_rows_f32.h and gemm_rows_int32.h have it, on aarch64 gemm_rows_f32_aarch64.h and gemm_rows_int32_neon.h.
 *
 *     operand = [groups] [units] [GEMM_VECTORS] [GEMM_TOKENS] vectors: one stream for a tile
 *     kept    = [tiles of rows] [units] [GEMM_VECTORS] [GEMM_ROWS] vectors: another
 *
 * K is cut so that a group's part stays in the first-level cache while a block of rows meets it. The first group
 * keeps the weights that it unpacks in scratch, in the second level, for all others: rows lie a power of two apart where
 * models have them, in few sets of the caches, and unpacking is done once. What comes next is fetched meanwhile, evenly.
 * With one group there is nothing to keep, and rows are read from front to back.
 */
#ifndef MICRO_FRAMES_GEMM_ROWS_H
#define MICRO_FRAMES_GEMM_ROWS_H

#ifdef __aarch64__
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif
#include <stdbool.h>

#include "micro/frames/rows.h"

enum {
    GEMM_ROWS = 4,
    GEMM_MANY = 64,
    GEMM_OPERAND_BYTES = GEMM_VECTORS * GEMM_TOKENS * (int)sizeof(gemm_vector), /* of a unit */
    GEMM_OPERAND_MOST = 24 << 10,                                               /* of a group that meets a block */
    GEMM_UNITS_MOST = GEMM_OPERAND_MOST / GEMM_OPERAND_BYTES,
    GEMM_FETCH_MOST = 128 << 10, /* a tile of longer rows is not fetched whole before its turn */
    /* Rows that stay in the second level. With many tokens the operand comes from the third, so as many rows to a visit as what
       is kept of them has room; with few the weights come from memory, and what is fetched ahead must not push out what is in
       use, nor fill the few sets of the caches that rows a power of two apart share. */
    GEMM_KEPT_MOST = 384 << 10,
    GEMM_AHEAD_MOST = 64 << 10,
    GEMM_BLOCK_ROWS_OF_MANY = GEMM_KEPT_MOST / (GEMM_UNITS_MOST * GEMM_VECTORS * (int)sizeof(gemm_vector)),
    GEMM_BLOCK_ROWS_AHEAD = GEMM_AHEAD_MOST / (GEMM_UNITS_MOST * GEMM_UNIT_BYTES) / GEMM_ROWS * GEMM_ROWS,
    GEMM_BLOCK_ROWS = GEMM_BLOCK_ROWS_AHEAD < 32 ? GEMM_BLOCK_ROWS_AHEAD : 32
};
_Static_assert(GEMM_BLOCK_ROWS >= GEMM_ROWS && GEMM_BLOCK_ROWS <= GEMM_BLOCK_ROWS_OF_MANY,
               "scratch has room for a block");

/** Where a tile has its weights from: rows as they are packed; the same, and kept; what was kept. */
enum gemm_source { GEMM_PACKED, GEMM_KEEP, GEMM_KEPT };

/** Units first … first + count of a block of rows, and where the weights lie that come after them. */
struct gemm_part {
    size_t first, count;
    size_t block;      /* its first row */
    size_t ahead;      /* bytes from a unit to what is fetched with it, the first of a tile */
    size_t fetch_step; /* bytes that this moves from unit to unit, */
    size_t fetched;    /* and has moved before the tile */
};

static inline size_t gemm_units(size_t k)
{
    return k / (GEMM_COLUMNS * GEMM_VECTORS);
}

/** source, rows and tokens are constants where it is inlined. */
ROWS_INLINE void gemm_tile(const struct gemm_slice *slice, const struct gemm_part *part, size_t row, size_t token,
                           enum gemm_source source, int rows, int tokens)
{
    const size_t stride = slice->panel_bytes;
    const uint8_t *weights = slice->weights + row * stride + part->first * GEMM_UNIT_BYTES;
    gemm_vector *kept = (gemm_vector *)slice->scratch + (row - part->block) * part->count * GEMM_VECTORS;
    const gemm_vector *x = (const gemm_vector *)slice->prepared + token * GEMM_VECTORS * gemm_units(slice->k) +
                           part->first * GEMM_VECTORS * GEMM_TOKENS;
    uintptr_t fetched = (uintptr_t)weights + part->ahead + part->fetched;
    gemm_sums sum[GEMM_TOKENS][GEMM_ROWS];
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++)
            sum[t][r] = gemm_zero();
    }
    for (size_t unit = 0; unit < part->count; unit++) {
#pragma GCC unroll 8
        for (int number = 0; number < GEMM_VECTORS; number++) {
            gemm_vector a[GEMM_TOKENS];
#pragma GCC unroll 8
            for (int t = 0; t < tokens; t++) {
                a[t] = x[number * GEMM_TOKENS + t];
                ROWS_IN_REGISTER(a[t]);
            }
#pragma GCC unroll 4
            for (int r = 0; r < rows; r++) {
                gemm_vector w = source == GEMM_KEPT ? kept[r] : gemm_weights(weights + (size_t)r * stride, number);
                ROWS_IN_REGISTER(w);
                if (source == GEMM_KEEP)
                    kept[r] = w;
#pragma GCC unroll 8
                for (int t = 0; t < tokens; t++)
                    sum[t][r] = gemm_dot(sum[t][r], w, a[t]);
            }
            kept += rows;
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++)
            __builtin_prefetch((const void *)(fetched + (size_t)r * stride), 0, 3);
        fetched += part->fetch_step;
        weights += GEMM_UNIT_BYTES;
        x += GEMM_VECTORS * GEMM_TOKENS;
    }
    bool last = part->first + part->count == gemm_units(slice->k);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++)
        gemm_put(slice, sum[t], row, rows, token + (size_t)t, part->first == 0, last);
}

/* Apart from each other, so that each has the registers for itself. */
typedef void gemm_tile_function(const struct gemm_slice *slice, const struct gemm_part *part, size_t row, size_t token);

#define GEMM_TILE(name, source, rows, tokens)                                                                          \
    static __attribute__((noinline)) void name(const struct gemm_slice *slice, const struct gemm_part *part,           \
                                               size_t row, size_t token)                                               \
    {                                                                                                                  \
        gemm_tile(slice, part, row, token, source, rows, tokens);                                                      \
    }
#define GEMM_TILES(tokens)                                                                                             \
    GEMM_TILE(gemm_packed_1x##tokens, GEMM_PACKED, 1, tokens)                                                          \
    GEMM_TILE(gemm_packed_4x##tokens, GEMM_PACKED, 4, tokens)                                                          \
    GEMM_TILE(gemm_kept_1x##tokens, GEMM_KEPT, 1, tokens)                                                              \
    GEMM_TILE(gemm_kept_4x##tokens, GEMM_KEPT, 4, tokens)
#define GEMM_TILES_OF(tokens)                                                                                          \
    {                                                                                                                  \
        {gemm_packed_1x##tokens, gemm_packed_4x##tokens},                                                              \
        {                                                                                                              \
            gemm_kept_1x##tokens, gemm_kept_4x##tokens                                                                 \
        }                                                                                                              \
    }

GEMM_TILES(1)
GEMM_TILES(2)
GEMM_TILES(3)
#if GEMM_TOKENS == 6
GEMM_TILES(4)
GEMM_TILES(5)
GEMM_TILES(6)
#endif
GEMM_TILE(gemm_keep_1, GEMM_KEEP, 1, GEMM_TOKENS)
GEMM_TILE(gemm_keep_4, GEMM_KEEP, 4, GEMM_TOKENS)

/* [tokens - 1][kept][four rows] */
static gemm_tile_function *const gemm_tiles[GEMM_TOKENS][2][2] = {
    GEMM_TILES_OF(1), GEMM_TILES_OF(2), GEMM_TILES_OF(3),
#if GEMM_TOKENS == 6
    GEMM_TILES_OF(4), GEMM_TILES_OF(5), GEMM_TILES_OF(6),
#endif
};
static gemm_tile_function *const gemm_keeping[2] = {gemm_keep_1, gemm_keep_4};

/** Rows block … end with one group of tokens, token its first. */
static void gemm_group(const struct gemm_slice *slice, const struct gemm_part *part, size_t end, size_t token,
                       enum gemm_source source)
{
    size_t tokens = slice->tokens - token < GEMM_TOKENS ? slice->tokens - token : GEMM_TOKENS, row = part->block;
    gemm_tile_function *const *tile = source == GEMM_KEEP ? gemm_keeping : gemm_tiles[tokens - 1][source == GEMM_KEPT];
    for (; row + GEMM_ROWS <= end; row += GEMM_ROWS)
        tile[1](slice, part, row, token);
    for (; row < end; row++)
        tile[0](slice, part, row, token);
}

/** One group: a tile fetches what the next one reads, or of rows too long for that what comes prefetch_bytes later. */
static void gemm_stream(const struct gemm_slice *slice)
{
    size_t read_bytes = GEMM_ROWS * slice->panel_bytes;
    struct gemm_part part = {.count = gemm_units(slice->k), .fetch_step = GEMM_UNIT_BYTES};
    if (slice->prefetch_bytes)
        part.ahead = read_bytes <= GEMM_FETCH_MOST ? read_bytes : slice->prefetch_bytes;
    gemm_group(slice, &part, slice->panels, 0, GEMM_PACKED);
}

/** Some units of a block of rows with all groups, of which each fetches its share of what lies `ahead`. */
static void gemm_block(const struct gemm_slice *slice, struct gemm_part *part, size_t end)
{
    size_t groups = (slice->tokens + GEMM_TOKENS - 1) / GEMM_TOKENS;
    part->ahead = slice->prefetch_bytes ? (end - part->block) * slice->panel_bytes : 0;
    part->fetch_step = GEMM_UNIT_BYTES / groups;
    part->fetched = 0;
    for (size_t group = 0; group < groups; group++) {
        gemm_group(slice, part, end, group * GEMM_TOKENS, group ? GEMM_KEPT : GEMM_KEEP);
        part->fetched += part->fetch_step * part->count;
    }
}

static void gemm_run(const struct gemm_slice *slice)
{
    if (slice->tokens <= GEMM_TOKENS) {
        gemm_stream(slice);
        return;
    }
    size_t units = gemm_units(slice->k), parts = (units + GEMM_UNITS_MOST - 1) / GEMM_UNITS_MOST;
    size_t each = (units + parts - 1) / parts;
    size_t block = slice->tokens > GEMM_MANY ? GEMM_BLOCK_ROWS_OF_MANY : GEMM_BLOCK_ROWS;
    for (size_t first = 0; first < units; first += each) {
        struct gemm_part part = {.first = first, .count = units - first < each ? units - first : each};
        for (size_t row = 0; row < slice->panels; row += block) {
            part.block = row;
            gemm_block(slice, &part, slice->panels - row < block ? slice->panels : row + block);
        }
    }
}

static size_t gemm_scratch_bytes(size_t k, size_t tokens)
{
    size_t units = gemm_units(k) < GEMM_UNITS_MOST ? gemm_units(k) : GEMM_UNITS_MOST;
    return tokens > GEMM_TOKENS ? units * GEMM_VECTORS * GEMM_BLOCK_ROWS_OF_MANY * sizeof(gemm_vector) : 0;
}

static size_t gemm_prepared_bytes(size_t k)
{
    return gemm_units(k) * GEMM_OPERAND_BYTES;
}

static void gemm_prepare(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    gemm_vector *to = prepared;
    size_t vectors = gemm_units(k) * GEMM_VECTORS;
    for (size_t i = 0; i < vectors; i++) {
        for (size_t t = 0; t < tokens; t++)
            to[i * GEMM_TOKENS + t] = gemm_activations(activations, t * stride + i * GEMM_COLUMNS);
    }
}

#define GEMM                                                                                                           \
    {                                                                                                                  \
        .run = gemm_run, .prepare_many = gemm_prepare, .tokens_per_group = GEMM_TOKENS,                                \
        .prepared_bytes = gemm_prepared_bytes, .scratch_bytes = gemm_scratch_bytes                                     \
    }

#endif
