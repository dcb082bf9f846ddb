/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() and gemm.prepare_many() of block formats: rows in the lanes, blocks of sixteen rows interleaved so that 64 bytes
 * hold four columns of each. The integer sums of a block, a token and as many rows as lanes are converted and scaled at
 * once, rows' scales as they lie and a token's broadcast; with columns in the lanes, each row and token would take the
 * conversion and the scales for itself.
 *
 * Formats that are stored so are read as they are. Rows that are stored one by one, or interleaved otherwise, are brought into this order
 * in scratch, 32 or more at a time and still packed, and unpacked in registers for all tokens of a tile. The including .c defines,
 * before it,
 *
 *   GEMM_TOKENS         tokens of a tile, and of a group of prepare_many(): 3, 4 or 6
 *   GEMM_VECTORS        registers of rows of a tile: 2 or 1
 *   gemm_floats         a register of floats: __m512 or __m256
 *   GEMM_COLUMNS        of a block
 *   GEMM_BLOCK_BYTES    of a block of a panel as it is stored; 0: panels have these 16 rows
 *   GEMM_STORED_ROWS    of such a panel, a divisor of 16; default 1
 *   GEMM_PANEL_BYTES    of an interleaved block of 16 rows, to the next one
 *   GEMM_PANEL_LEAD     bytes before the first one in scratch, so that its codes are aligned
 *   GEMM_PANELS_DIFFER  1: tiles are told GEMM_PANEL_BYTES, since kernels share them whose panels have other blocks between the same rows; default 0
 *   struct gemm_operand a block of the activations of GEMM_TOKENS tokens
 *
 *   ROWS_INLINE void gemm_block(gemm_floats (*sum)[GEMM_VECTORS], const uint8_t *const *panel, size_t half, const struct
 *                               gemm_operand *x, int vectors, int tokens)   adds one block; `half`: rows 8 … 15 of a panel
 *   static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
 *                               one block of 16 rows, of panels `stride` apart, of which there are `count` rows; others are 0
 *   static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)   quantizes GEMM_COLUMNS of a token
 *
 * of which tiles, that is gemm_block() and the numbers but for GEMM_BLOCK_BYTES and GEMM_STORED_ROWS, may be those of another kernel: tiles= in a row of
 * kernels.def has the kernel linked with these, where compiling them again would give the same code.
 *
 * It may define GEMM_AFTER_BLOCKS, and with it gemm_after_blocks(slice, row, rows), which adds to these rows what is no block; it may use
 * the scratch.
 *
 * K is cut so that the operand of a group stays in the first-level cache and the panels in the second.
 */
#ifndef MICRO_FRAMES_GEMM_BLOCKS_H
#define MICRO_FRAMES_GEMM_BLOCKS_H

#include <immintrin.h>
#include <stdbool.h>

#include "micro/frames/rows.h"

#ifndef GEMM_STORED_ROWS
#define GEMM_STORED_ROWS (GEMM_BLOCK_BYTES ? 1 : 16)
#endif

#ifndef GEMM_PANELS_DIFFER
#define GEMM_PANELS_DIFFER 0
#endif

#ifndef GEMM_COLUMNS_MOST
#define GEMM_COLUMNS_MOST 4096
#endif

enum {
    GEMM_PANEL_ROWS = 16,
    GEMM_LANES = sizeof(gemm_floats) / sizeof(float),
    GEMM_TILE_ROWS = GEMM_LANES * GEMM_VECTORS,
    /* Rows that meet a group before the next group's turn. Many tokens come from the third level: the more rows to a visit,
       the better; of few, the weights are what is read, and short blocks are fetched ahead without pushing others out. */
    GEMM_BLOCK_ROWS = 2 * GEMM_PANEL_ROWS,
    GEMM_BLOCK_ROWS_OF_MANY = (GEMM_PANEL_BYTES < 16 * GEMM_COLUMNS ? 8 : 4) * GEMM_PANEL_ROWS,
    GEMM_MANY = 64,
    GEMM_BLOCKS_MOST = GEMM_COLUMNS_MOST / GEMM_COLUMNS,
    /* bytes of a block of a panel of slice->panels */
    GEMM_STORED_BYTES = GEMM_BLOCK_BYTES ? GEMM_BLOCK_BYTES : GEMM_PANEL_BYTES
};

/** Blocks first … first + count of some rows. */
struct gemm_part {
    size_t first, count;
    size_t row, rows;
    size_t tile;                /* first row of the tile, counted from row */
    const uint8_t *interleaved; /* of block `first` */
    size_t stride;              /* from panel to panel */
#if GEMM_PANELS_DIFFER
    size_t bytes; /* GEMM_PANEL_BYTES of the kernel that multiplies */
#endif
};

#if GEMM_PANELS_DIFFER
#define GEMM_PANEL_STEP(part) ((part)->bytes)
#else
#define GEMM_PANEL_STEP(part) GEMM_PANEL_BYTES
#endif

/** Goes through the lines of what comes next, some with each block. In integers, since there may be no memory after the end. */
struct gemm_fetch {
    uintptr_t at;
    size_t done, width, stride; /* of a row: bytes gone, bytes wanted, bytes to the next */
    size_t lines;               /* with each block */
};

typedef gemm_floats gemm_floats_anywhere __attribute__((aligned(4), may_alias));

static inline size_t gemm_blocks(size_t k)
{
    return k / GEMM_COLUMNS;
}

/** Whole lines, so that each group's operand begins with one. */
static size_t gemm_prepared_bytes(size_t k)
{
    return (gemm_blocks(k) * sizeof(struct gemm_operand) + 63) / 64 * 64;
}

ROWS_INLINE void gemm_fetch(struct gemm_fetch *fetch)
{
    for (size_t line = 0; line < fetch->lines; line++) {
        __builtin_prefetch((const void *)(fetch->at + fetch->done), 0, 2);
        fetch->done += 64;
        if (fetch->done >= fetch->width) {
            fetch->at += fetch->stride;
            fetch->done = 0;
        }
    }
}

/** Sums of as many rows as there are lanes, of which fewer may be there, or none. */
ROWS_INLINE void gemm_store(const struct gemm_slice *slice, const struct gemm_part *part, int vector, size_t token,
                            gemm_floats sum)
{
    size_t row = part->tile + (size_t)vector * GEMM_LANES, rows = !vector || row < part->rows ? part->rows - row : 0;
    float *out = slice->out + token * slice->out_stride + part->row + row;
    if (rows >= GEMM_LANES) {
        if (part->first)
            sum += *(gemm_floats_anywhere *)(void *)out;
        *(gemm_floats_anywhere *)(void *)out = sum;
        return;
    }
    for (size_t i = 0; i < rows; i++)
        out[i] = sum[i] + (part->first ? out[i] : 0);
}

/**
 * Tokens are a constant where it is inlined. Where rows end in the middle of a tile, which is at most once a slice, its second register repeats the
 * rows of the first.
 */
ROWS_INLINE void gemm_tile(const struct gemm_slice *slice, const struct gemm_part *part, struct gemm_fetch *ahead,
                           size_t token, int tokens)
{
    const struct gemm_operand *x =
        (const struct gemm_operand *)(const void *)((const uint8_t *)slice->prepared +
                                                    token / GEMM_TOKENS * gemm_prepared_bytes(slice->k));
    const uint8_t *panel[GEMM_VECTORS];
    const size_t half = part->tile % GEMM_PANEL_ROWS / 8;
    struct gemm_fetch fetch = *ahead;
    gemm_floats sum[GEMM_TOKENS][GEMM_VECTORS];
    x += part->first;
#pragma GCC unroll 2
    for (int v = 0; v < GEMM_VECTORS; v++) {
        size_t row = part->tile + (size_t)v * GEMM_LANES;
        panel[v] = part->interleaved + (!v || row < part->rows ? row : part->tile) / GEMM_PANEL_ROWS * part->stride;
    }
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < GEMM_VECTORS; v++)
            sum[t][v] = (gemm_floats){0};
    }
    for (size_t block = 0; block < part->count; block++, x++) {
        gemm_block(sum, panel, half, x, GEMM_VECTORS, tokens);
#pragma GCC unroll 2
        for (int v = 0; v < GEMM_VECTORS; v++)
            panel[v] += GEMM_PANEL_STEP(part);
        gemm_fetch(&fetch);
    }
    *ahead = fetch;
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < GEMM_VECTORS; v++)
            gemm_store(slice, part, v, token + (size_t)t, sum[t][v]);
    }
}

/* Apart from each other, so that each has the registers for itself. */
typedef void gemm_tile_function(const struct gemm_slice *slice, const struct gemm_part *part, struct gemm_fetch *ahead,
                                size_t token);

#ifdef GEMM_TILES_BORROWED
#define gemm_tiles GEMM_TILES_BORROWED
extern gemm_tile_function *const gemm_tiles[GEMM_TOKENS];
#else
#define GEMM_TILE(tokens)                                                                                              \
    static __attribute__((noinline)) void gemm_tile_##tokens(                                                          \
        const struct gemm_slice *slice, const struct gemm_part *part, struct gemm_fetch *ahead, size_t token)          \
    {                                                                                                                  \
        gemm_tile(slice, part, ahead, token, tokens);                                                                  \
    }
GEMM_TILE(1)
GEMM_TILE(2)
GEMM_TILE(3)
#if GEMM_TOKENS > 3
GEMM_TILE(4)
#endif
#if GEMM_TOKENS == 6
GEMM_TILE(5)
GEMM_TILE(6)
#endif
#ifdef GEMM_TILES_LENT
#define gemm_tiles       GEMM_TILES_LENT
#define GEMM_TILES_SCOPE /* others have them too */
extern gemm_tile_function *const gemm_tiles[GEMM_TOKENS];
#else
#define GEMM_TILES_SCOPE static
#endif
GEMM_TILES_SCOPE gemm_tile_function *const gemm_tiles[GEMM_TOKENS] = {
    gemm_tile_1, gemm_tile_2, gemm_tile_3,
#if GEMM_TOKENS > 3
    gemm_tile_4,
#endif
#if GEMM_TOKENS == 6
    gemm_tile_5, gemm_tile_6,
#endif
};
#endif

#if GEMM_BLOCK_BYTES
/** Panels of another order, into scratch. */
static void gemm_gather(const struct gemm_slice *slice, struct gemm_part *part, struct gemm_fetch *fetch)
{
    uint8_t *scratch = (uint8_t *)slice->scratch + GEMM_PANEL_LEAD;
    part->interleaved = scratch;
    part->stride = part->count * GEMM_PANEL_BYTES;
    for (size_t row = 0; row < part->rows; row += GEMM_PANEL_ROWS) {
        size_t panel = (part->row + row) / GEMM_STORED_ROWS;
        const uint8_t *panels = slice->weights + panel * slice->panel_bytes + part->first * GEMM_BLOCK_BYTES;
        uint8_t *to = scratch + row / GEMM_PANEL_ROWS * part->stride;
        for (size_t block = 0; block < part->count; block++) {
            gemm_interleave(panels, slice->panel_bytes, part->rows - row, block, to + block * GEMM_PANEL_BYTES);
            gemm_fetch(fetch);
        }
    }
}

#endif

/** Some blocks of some rows with all groups, a share of the next ones fetched with each. */
static void gemm_rows(const struct gemm_slice *slice, struct gemm_part *part)
{
    size_t groups = (slice->tokens + GEMM_TOKENS - 1) / GEMM_TOKENS, stored = part->rows / GEMM_STORED_ROWS;
    size_t first = part->row / GEMM_STORED_ROWS;
    const uint8_t *weights = slice->weights + first * slice->panel_bytes + part->first * GEMM_STORED_BYTES;
    size_t lines = stored * (part->count * GEMM_STORED_BYTES / 64 + 1),
           tiles = (part->rows + GEMM_TILE_ROWS - 1) / GEMM_TILE_ROWS;
    size_t steps = part->count * tiles * (groups + (GEMM_BLOCK_BYTES ? GEMM_TILE_ROWS / 16 : 0));
    size_t to_next = part->first + part->count < gemm_blocks(slice->k)
                         ? part->count * GEMM_STORED_BYTES
                         : stored * slice->panel_bytes - part->first * GEMM_STORED_BYTES;
    struct gemm_fetch fetch = {.at = (uintptr_t)weights + to_next,
                               .width = part->count * GEMM_STORED_BYTES,
                               .stride = slice->panel_bytes,
                               .lines = slice->prefetch_bytes ? (lines + steps - 1) / steps : 0};
    part->interleaved = weights;
    part->stride = slice->panel_bytes;
#if GEMM_PANELS_DIFFER
    part->bytes = GEMM_PANEL_BYTES;
#endif
#if GEMM_BLOCK_BYTES
    gemm_gather(slice, part, &fetch);
#endif
    for (size_t token = 0; token < slice->tokens; token += GEMM_TOKENS) {
        size_t tokens = slice->tokens - token < GEMM_TOKENS ? slice->tokens - token : GEMM_TOKENS;
        for (part->tile = 0; part->tile < part->rows; part->tile += GEMM_TILE_ROWS)
            gemm_tiles[tokens - 1](slice, part, &fetch, token);
    }
}

#ifdef GEMM_AFTER_BLOCKS
static void gemm_after_blocks(const struct gemm_slice *slice, size_t row, size_t rows);
#endif

static void gemm_run(const struct gemm_slice *slice)
{
    size_t blocks = gemm_blocks(slice->k), rows = slice->panels * GEMM_STORED_ROWS;
    size_t parts = (blocks + GEMM_BLOCKS_MOST - 1) / GEMM_BLOCKS_MOST, each = (blocks + parts - 1) / parts;
    size_t together = slice->tokens > GEMM_MANY ? GEMM_BLOCK_ROWS_OF_MANY : GEMM_BLOCK_ROWS;
    for (size_t row = 0; row < rows; row += together) {
        for (size_t first = 0; first < blocks; first += each) {
            struct gemm_part part = {.first = first,
                                     .count = blocks - first < each ? blocks - first : each,
                                     .row = row,
                                     .rows = rows - row < together ? rows - row : together};
            gemm_rows(slice, &part);
        }
#ifdef GEMM_AFTER_BLOCKS
        gemm_after_blocks(slice, row, rows - row < together ? rows - row : together);
#endif
    }
}

#if GEMM_BLOCK_BYTES
static size_t gemm_scratch_bytes(size_t k, size_t tokens)
{
    size_t blocks = gemm_blocks(k) < GEMM_BLOCKS_MOST ? gemm_blocks(k) : GEMM_BLOCKS_MOST;
    size_t rows = tokens > GEMM_MANY ? GEMM_BLOCK_ROWS_OF_MANY : GEMM_BLOCK_ROWS;
    return blocks * rows / GEMM_PANEL_ROWS * GEMM_PANEL_BYTES + 64;
}
#define GEMM_SCRATCH gemm_scratch_bytes
#else
#define GEMM_SCRATCH NULL
#endif

static void gemm_prepare(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct gemm_operand *operand = prepared;
    for (size_t t = 0; t < tokens; t++) {
        const float *x = (const float *)activations + t * stride;
        for (size_t block = 0; block < gemm_blocks(k); block++)
            gemm_put_operand(x + block * GEMM_COLUMNS, &operand[block], t);
    }
}

#define GEMM_FIELDS                                                                                                    \
    .run = gemm_run, .prepare_many = gemm_prepare, .tokens_per_group = GEMM_TOKENS,                                    \
    .prepared_bytes = gemm_prepared_bytes, .scratch_bytes = GEMM_SCRATCH
#define GEMM                                                                                                           \
    {                                                                                                                  \
        GEMM_FIELDS                                                                                                    \
    }

#endif
