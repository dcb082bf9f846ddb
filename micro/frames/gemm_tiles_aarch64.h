/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() on aarch64 in tiles of TILE_ROWS rows by 16 tokens (gemm_registers_aarch64.h): how rows, columns and tokens are cut, and where
 * the weights of a tile are. The including file defines, before it,
 *
 *   BLOCK_ROWS, BLOCK_BYTES   of a stored block, by the kernels.def of the format: one row, or the rows of a panel
 *   GEMM_COLUMNS              of such a block
 *   GEMM_COLUMNS_MOST         of a part of K
 *   GEMM_UNPACKS              1: gemm_unpack_tile() is called before a tile's first tokens, and with none; 0: none
 *
 *   static void gemm_unpack_tile(const struct gemm_slice *slice, const struct gemm_part *part)
 *   ROWS_INLINE void gemm_tile(const struct gemm_slice *slice, const struct gemm_part *part, size_t token, int pairs)
 *                             16 tokens at most, from `token` on; pairs of them, 1, 2, 4 or 8, is a constant where it is inlined
 *
 * K is cut so that the operand of 16 tokens stays in the first level, rows so that their weights stay in the second while all tokens
 * meet them.
 */
#ifndef MICRO_FRAMES_GEMM_TILES_AARCH64_H
#define MICRO_FRAMES_GEMM_TILES_AARCH64_H

#include "micro/frames/rows.h"
#include "micro/isa/gemm_registers_aarch64.h"

enum {
    GEMM_BLOCKS_MOST = GEMM_COLUMNS_MOST / GEMM_COLUMNS, /* of a part of K */
    GEMM_ROWS_MOST = 64,                                 /* that meet a group before the next one's turn */
};
#if BLOCK_ROWS > 1 && defined __ARM_FEATURE_SVE && BLOCK_ROWS < 8
#define GEMM_PANELS (8 / BLOCK_ROWS) /* of a tile, whose rows are eight */
#else
#define GEMM_PANELS 1
#endif
_Static_assert(BLOCK_ROWS == 1 || GEMM_PANELS > 1 || (BLOCK_ROWS % TILE_ROWS == 0 && GEMM_ROWS_MOST % BLOCK_ROWS == 0),
               "a tile is rows of one panel, or whole panels");

/** Blocks first … first + count of a tile. */
struct gemm_part {
    size_t first, count;
    size_t row, rows; /* of the slice; rows that are there, TILE_ROWS at most */
    size_t begin;     /* first of the rows that meet a group together */
    bool fetch;       /* the next tile */
};

/** The weights of a tile at a block: of rows one by one each row's block, else that of the panel, or of each of its panels. */
struct gemm_weights {
#if BLOCK_ROWS == 1
    const uint8_t *row[TILE_ROWS];
#elif GEMM_PANELS > 1
    const uint8_t *panels[GEMM_PANELS];
#else
    const uint8_t *panel;
    size_t in_panel; /* first row of the tile */
#endif
};

/* ---- weights ---- */

#if BLOCK_ROWS == 1
/** Rows that are not there are the last one again. */
ROWS_INLINE struct gemm_weights gemm_weights_at(const struct gemm_slice *slice, const struct gemm_part *part)
{
    struct gemm_weights at;
    for (size_t i = 0; i < TILE_ROWS; i++) {
        size_t row = part->row + (i < part->rows ? i : part->rows - 1);
        at.row[i] = slice->weights + row * slice->panel_bytes + part->first * BLOCK_BYTES;
    }
    return at;
}

ROWS_INLINE void gemm_next(struct gemm_weights *at)
{
#pragma GCC unroll 8
    for (int i = 0; i < TILE_ROWS; i++)
        at->row[i] += BLOCK_BYTES;
}

/** The block of the next tile. */
ROWS_INLINE void gemm_fetch(const struct gemm_weights *at, size_t panel_bytes)
{
#pragma GCC unroll 8
    for (int i = 0; i < TILE_ROWS; i++) {
#pragma GCC unroll 2
        for (size_t line = 0; line < BLOCK_BYTES; line += 64)
            __builtin_prefetch((const void *)((uintptr_t)at->row[i] + TILE_ROWS * panel_bytes + line), 0, 3);
    }
}
#elif GEMM_PANELS > 1
/** A panel that is not there is the one before again. */
ROWS_INLINE struct gemm_weights gemm_weights_at(const struct gemm_slice *slice, const struct gemm_part *part)
{
    struct gemm_weights at;
    for (size_t i = 0; i < GEMM_PANELS; i++) {
        size_t panel = part->row / BLOCK_ROWS + (i * BLOCK_ROWS < part->rows ? i : part->rows / BLOCK_ROWS - 1);
        at.panels[i] = slice->weights + panel * slice->panel_bytes + part->first * BLOCK_BYTES;
    }
    return at;
}

ROWS_INLINE void gemm_next(struct gemm_weights *at)
{
    for (int i = 0; i < GEMM_PANELS; i++)
        at->panels[i] += BLOCK_BYTES;
}

/** The block of each panel of the next tile. */
ROWS_INLINE void gemm_fetch(const struct gemm_weights *at, size_t panel_bytes)
{
    for (int i = 0; i < GEMM_PANELS; i++) {
        for (size_t line = 0; line < BLOCK_BYTES; line += 64)
            __builtin_prefetch((const void *)((uintptr_t)at->panels[i] + GEMM_PANELS * panel_bytes + line), 0, 3);
    }
}
#else
ROWS_INLINE struct gemm_weights gemm_weights_at(const struct gemm_slice *slice, const struct gemm_part *part)
{
    return (struct gemm_weights){slice->weights + part->row / BLOCK_ROWS * slice->panel_bytes +
                                     part->first * BLOCK_BYTES,
                                 part->row % BLOCK_ROWS};
}

ROWS_INLINE void gemm_next(struct gemm_weights *at)
{
    at->panel += BLOCK_BYTES;
}

/** The block of the next panel, each tile of a panel its share. */
ROWS_INLINE void gemm_fetch(const struct gemm_weights *at, size_t panel_bytes)
{
#pragma GCC unroll 8
    for (size_t line = 64 * (at->in_panel / TILE_ROWS); line < BLOCK_BYTES; line += 64 * (BLOCK_ROWS / TILE_ROWS))
        __builtin_prefetch((const void *)((uintptr_t)at->panel + panel_bytes + line), 0, 3);
}
#endif

/* ---- cutting ---- */

static inline size_t gemm_blocks(size_t k)
{
    return (k + GEMM_COLUMNS - 1) / GEMM_COLUMNS;
}

ROWS_INLINE void gemm_tile(const struct gemm_slice *slice, const struct gemm_part *part, size_t token, int pairs);

/* Apart from each other, so that each has the registers for itself. */
typedef void gemm_tile_function(const struct gemm_slice *slice, const struct gemm_part *part, size_t token);

#define GEMM_TILE(pairs)                                                                                               \
    static __attribute__((noinline)) void gemm_tile_##pairs(const struct gemm_slice *slice,                            \
                                                            const struct gemm_part *part, size_t token)                \
    {                                                                                                                  \
        gemm_tile(slice, part, token, pairs);                                                                          \
    }
GEMM_TILE(1)
GEMM_TILE(2)
GEMM_TILE(4)
GEMM_TILE(8)

/** For this many tokens. */
static gemm_tile_function *gemm_tile_of(size_t tokens)
{
    return tokens > 8 ? gemm_tile_8 : tokens > 4 ? gemm_tile_4 : tokens > 2 ? gemm_tile_2 : gemm_tile_1;
}

#if GEMM_UNPACKS
static void gemm_unpack_tile(const struct gemm_slice *slice, const struct gemm_part *part);
#endif

/** A part of K of some rows with all tokens. */
static void gemm_rows(const struct gemm_slice *slice, struct gemm_part part, size_t end)
{
    size_t token = 0;
    do {
        gemm_tile_function *tile = gemm_tile_of(slice->tokens - token);
        part.fetch = token == 0 && slice->prefetch_bytes;
        for (part.row = part.begin; part.row < end; part.row += TILE_ROWS) {
            part.rows = end - part.row < TILE_ROWS ? end - part.row : TILE_ROWS;
#if GEMM_UNPACKS
            if (token == 0)
                gemm_unpack_tile(slice, &part);
            if (slice->tokens == 0)
                continue;
#endif
            tile(slice, &part, token);
        }
        token += TILE_TOKENS;
    } while (token < slice->tokens);
}

static void gemm_run(const struct gemm_slice *slice)
{
    size_t blocks = gemm_blocks(slice->k), parts = (blocks + GEMM_BLOCKS_MOST - 1) / GEMM_BLOCKS_MOST;
    size_t each = (blocks + parts - 1) / parts, rows = slice->panels * BLOCK_ROWS;
    for (size_t first = 0; first < blocks; first += each) {
        struct gemm_part part = {.first = first, .count = blocks - first < each ? blocks - first : each};
        for (part.begin = 0; part.begin < rows; part.begin += GEMM_ROWS_MOST)
            gemm_rows(slice, part, rows - part.begin < GEMM_ROWS_MOST ? rows : part.begin + GEMM_ROWS_MOST);
    }
}

#endif
