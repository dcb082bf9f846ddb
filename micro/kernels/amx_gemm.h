/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of integer weights by tdpbsud: activations are A, 16 tokens x 64 columns a tile, which prepare_many() lays out one behind
 * the other, since rows a power of two apart would all fall into one set of a cache; weights, offset-binary and interleaved by 4
 * columns, are B, a column a row of W. 32 tokens x 32 rows of W are four tiles of sums, which two tiles of A and two of B feed: four
 * tdp for four loads, and never is a tile of sums without three others between its turns. A tile is loaded for the next
 * 64 columns as soon as its last tdp is under way.
 *
 *     tmm0 tmm1    tokens 0-15     rows 0-15, 16-31        tmm4 tmm5   A: tokens 0-15, 16-31
 *     tmm2 tmm3    tokens 16-31    rows 0-15, 16-31        tmm6 tmm7   B: rows 0-15, 16-31
 *
 * Of 16 tokens and fewer tmm2 and tmm3 take every other 64 columns of the same tokens, so that four sums are still under way.
 * Tiles have as many rows as there are tokens; of more than 32 tokens all have 16, zeros for those that are not there, since to
 * configure them anew costs as much as a dozen tdp.
 *
 * Work goes by pieces of 32 rows x 512 columns: 16 KB of B stay in the first-level cache, beside as much of A, while all tokens
 * pass, and sums go through memory once a piece, 8 KB for 32 tdp. What must be unpacked goes to one of two buffers in turn: the next
 * piece is unpacked between the tdp of the first tokens, since a tile load cannot be served by a store that is under way, and vector
 * units are idle then. Lines are prefetched a page ahead and more, where the hardware's prefetcher stops. A panel of more
 * than 32 rows is read once for each 32 of them, from memory the first time.
 *
 * Budget, predicted and not measured. Four full tdp, 65 cycles: 32 cycles of the two load ports for their tiles, 2 KB of A from the
 * second-level cache (31 bytes a cycle), and of the piece that is unpacked meanwhile 16 loads, 32 vpandd on two ports and 32 stores,
 * one a cycle: 32 cycles beside them. Sums: 4 tile loads and 4 stores, 96 cycles of their ports for 522 of tdp, hidden in part. So a
 * vector of 32 weights takes 0.5 cycles to unpack, and 0.032 a token to 0.038 with all sums in the open; below 16 tokens
 * unpacking is the longer part.
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

#include <stdbool.h>

#include "micro/kernel.h"
#include "micro/kernels/amx_tiles.h"

#define AMX_INLINE static inline __attribute__((always_inline))

enum {
    AMX_STEP = 64,                 /* columns of a tdp */
    AMX_STEP_LINES = AMX_STEP / 4, /* rows of a tile of B */
    AMX_CHUNK_STEPS = 8,           /* of 64 columns, of a piece */
    AMX_CHUNK_LINES = AMX_CHUNK_STEPS * AMX_STEP_LINES,
    AMX_PAIRS = ROWS / 32, /* of tiles side by side: pieces of the same columns */
    AMX_PIECE_BYTES = AMX_CHUNK_STEPS * 2 * TILE_BYTES,
    AMX_TOKENS = 32,                /* at once */
    AMX_SUMS = AMX_TOKENS * 2 * 16, /* of a block: [32 tokens][32 rows] */
    AMX_SUMS_STRIDE = 2 * 16 * (int)sizeof(int32_t),
    AMX_LINE_BYTES = STEP_BYTES * 4 / STEP_COLUMNS, /* packed, of 4 columns */
};
_Static_assert(ROWS % 32 == 0 && STEP_COLUMNS % 4 == 0, "tiles of whole lines");

#ifndef WEIGHTS_ARE_TILES
AMX_INLINE __m512i line_at(const uint8_t *from);
AMX_INLINE __m512i line_mask(size_t tile);
enum { AMX_BUFFER_BYTES = 2 * AMX_PIECE_BYTES };
#else
enum { AMX_BUFFER_BYTES = 2 * TILE_BYTES }; /* the columns of K past the last 64 */
#endif
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums);

/** A call on its way through pieces: of each panel, of 512 columns after the other, the pairs of tiles. */
struct amx_walk {
    const struct gemm_slice *slice;
    size_t lines;       /* of 4 columns, of a panel */
    size_t chunks;      /* of 512 columns, of a panel */
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

AMX_INLINE size_t amx_lines_of(const struct amx_walk *walk, size_t piece)
{
    size_t left = walk->lines - amx_chunk_of(walk, piece) * AMX_CHUNK_LINES;
    return left < AMX_CHUNK_LINES ? left : AMX_CHUNK_LINES;
}

AMX_INLINE size_t amx_steps_of(const struct amx_walk *walk, size_t piece)
{
    return (amx_lines_of(walk, piece) + AMX_STEP_LINES - 1) / AMX_STEP_LINES;
}

AMX_INLINE const uint8_t *amx_weights_of(const struct amx_walk *walk, size_t piece)
{
    return walk->slice->weights + amx_panel_of(walk, piece) * walk->slice->panel_bytes +
           amx_chunk_of(walk, piece) * AMX_CHUNK_LINES * AMX_LINE_BYTES;
}

AMX_INLINE uint8_t *amx_buffer_of(const struct amx_walk *walk, size_t piece)
{
    return walk->buffers + piece % 2 * AMX_PIECE_BYTES;
}

/* ---- what is done between the tdp of the first tokens ---- */

/** A piece that is being unpacked (or, where weights are tiles, prefetched), from its first line on. */
struct amx_filling {
    const uint8_t *weights;
    uint8_t *buffer;
    size_t next, there, end; /* lines: done, of the panel, with zeros to whole steps of 64 columns */
    size_t prefetch_bytes;   /* 0 but of a panel's first pair of tiles */
#ifndef WEIGHTS_ARE_TILES
    __m512i mask[2];
#endif
};

/** Lines after a tdp: of four, or of the two that 16 tokens have for 64 columns, a step's at least. */
enum { AMX_FILL = 4 };

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
    uint8_t *to = buffer + line / AMX_STEP_LINES * 2 * TILE_BYTES + line % AMX_STEP_LINES * TILE_ROW_BYTES;
    _mm512_store_si512(to, first);
    _mm512_store_si512(to + TILE_BYTES, second);
}

/** So many lines that are there, a divisor of a step's. */
AMX_INLINE void amx_fill_lines(struct amx_filling *filling, size_t lines)
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

AMX_INLINE void amx_fill(struct amx_filling *filling)
{
    if (filling && filling->next + AMX_FILL <= filling->there)
        amx_fill_lines(filling, AMX_FILL);
}

static void amx_fill_rest(struct amx_filling *filling)
{
    while (filling->next + AMX_FILL <= filling->there)
        amx_fill_lines(filling, AMX_FILL);
    while (filling->next < filling->there)
        amx_fill_lines(filling, 1);
#ifndef WEIGHTS_ARE_TILES
    for (; filling->next < filling->end; filling->next++)
        amx_put_line(filling->buffer, filling->next, _mm512_setzero_si512(), _mm512_setzero_si512());
#endif
}

/* ---- one block: up to 32 tokens x 32 rows ---- */

/* Where B lies: bytes between its rows, to its second tile, to the next 64 columns. */
#ifdef WEIGHTS_ARE_TILES
#define AMX_ROW_STRIDE                       128
#define tile_load_second(tile, from, stride) tile_load_at(tile, from, 64, stride)
_Static_assert(ROWS * 4 == AMX_ROW_STRIDE && AMX_LINE_BYTES == AMX_ROW_STRIDE, "two tiles side by side");
#else
#define AMX_ROW_STRIDE                       64
#define tile_load_second(tile, from, stride) tile_load_at(tile, from, 1024, stride)
#endif
enum { AMX_STEP_STRIDE = 2 * TILE_BYTES };

struct amx_block {
    const uint8_t *activations; /* A of the first 16 tokens' first columns */
    size_t group_bytes, tokens;
    const uint8_t *weights; /* B of the first 64 columns */
    int32_t *sums;          /* [32][32] */
};

/** Once a call: see above. */
static void amx_configure(size_t tokens)
{
    struct tile_configuration configuration = {.palette = 1};
    size_t upper = tokens < TILE_ROWS ? tokens : TILE_ROWS;
    size_t lower = tokens > AMX_TOKENS ? TILE_ROWS : tokens > TILE_ROWS ? tokens - TILE_ROWS : upper;
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
        tile_multiply(tdpbsud, 0, 4, 6);
        amx_fill(filling);
        tile_multiply(tdpbsud, 1, 4, 7);
        tile_load(4, upper, TILE_ROW_BYTES);
        amx_fill(filling);
        tile_multiply(tdpbsud, 2, 5, 6);
        tile_load(6, weights, AMX_ROW_STRIDE);
        amx_fill(filling);
        tile_multiply(tdpbsud, 3, 5, 7);
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        tile_load(5, lower, TILE_ROW_BYTES);
        amx_fill(filling);
    }
    tile_multiply(tdpbsud, 0, 4, 6);
    amx_fill(filling);
    tile_multiply(tdpbsud, 1, 4, 7);
    amx_fill(filling);
    tile_multiply(tdpbsud, 2, 5, 6);
    amx_fill(filling);
    tile_multiply(tdpbsud, 3, 5, 7);
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
        tile_multiply(tdpbsud, 0, 4, 6);
        if (left == 1) {
            tile_multiply(tdpbsud, 1, 4, 7);
            break;
        }
        tile_load_at(6, weights, 2048, AMX_ROW_STRIDE);
        amx_fill(filling);
        amx_fill(filling);
        tile_multiply(tdpbsud, 1, 4, 7);
        weights += AMX_STEP_STRIDE;
        tile_load_second(7, weights, AMX_ROW_STRIDE);
        activations += 2 * TILE_BYTES;
        amx_fill(filling);
        amx_fill(filling);
        if (left > 2)
            tile_load(4, activations, TILE_ROW_BYTES);
        tile_multiply(tdpbsud, 2, 5, 6);
        if (left == 2) {
            tile_multiply(tdpbsud, 3, 5, 7);
            break;
        }
        tile_load_at(6, weights, 2048, AMX_ROW_STRIDE);
        amx_fill(filling);
        amx_fill(filling);
        tile_multiply(tdpbsud, 3, 5, 7);
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

/** scale * (sum + correction) of each token, 32 rows. */
AMX_INLINE void amx_finish(const struct gemm_slice *slice, const struct amx_block *block, size_t token, size_t row)
{
    for (size_t i = 0; i < block->tokens; i++) {
        const __m512i correction = _mm512_set1_epi32(slice->corrections[token + i]);
        const __m512 scale = _mm512_set1_ps(slice->scales[token + i]);
        const int32_t *sums = block->sums + i * 32;
        float *out = slice->out + (token + i) * slice->out_stride + row;
        for (size_t tile = 0; tile < 2; tile++) {
            __m512i sum = _mm512_load_si512(sums + 16 * tile);
            if (block->tokens <= TILE_ROWS)
                sum = _mm512_add_epi32(sum, _mm512_load_si512(sums + AMX_SUMS / 2 + 16 * tile));
            sum = _mm512_add_epi32(finish_sums(row % ROWS / 16 + tile, sum), correction);
            _mm512_storeu_ps(out + 16 * tile, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale));
        }
    }
}

/* ---- a piece ---- */

AMX_INLINE void amx_multiply(const struct amx_walk *walk, const struct amx_block *block, size_t piece,
                             struct amx_filling *filling)
{
    size_t steps = amx_steps_of(walk, piece);
#ifdef WEIGHTS_ARE_TILES
    size_t whole = amx_lines_of(walk, piece) / AMX_STEP_LINES;
    struct amx_block rest = *block;
    if (whole)
        amx_steps(block, whole, filling);
    if (whole == steps)
        return;
    rest.activations += whole * TILE_BYTES;
    rest.weights = walk->buffers;
    amx_steps(&rest, 1, NULL);
#else
    amx_steps(block, steps, filling);
#endif
}

AMX_INLINE struct amx_block amx_block_of(const struct amx_walk *walk, size_t piece, size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    size_t left = slice->tokens - token, at = walk->chunks > 1 ? token / AMX_TOKENS * AMX_PAIRS + piece % AMX_PAIRS : 0;
    struct amx_block block = {
        .activations = (const uint8_t *)slice->prepared + token / TILE_ROWS * walk->group_bytes +
                       amx_chunk_of(walk, piece) * AMX_CHUNK_STEPS * TILE_BYTES,
        .group_bytes = walk->group_bytes,
        .tokens = left < AMX_TOKENS ? left : AMX_TOKENS,
        .sums = walk->sums + at * AMX_SUMS,
#ifdef WEIGHTS_ARE_TILES
        .weights = amx_weights_of(walk, piece),
#else
        .weights = amx_buffer_of(walk, piece),
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

/** All tokens with a piece; beside the first of them `filling`, unless that is NULL. */
static void amx_piece(const struct amx_walk *walk, size_t piece, struct amx_filling *filling)
{
    size_t chunk = amx_chunk_of(walk, piece), row = amx_panel_of(walk, piece) * ROWS + piece % AMX_PAIRS * 32;
#ifdef WEIGHTS_ARE_TILES
    if (amx_lines_of(walk, piece) % AMX_STEP_LINES)
        amx_unpack_rest(walk, piece);
#endif
    for (size_t token = 0; token < walk->slice->tokens; token += AMX_TOKENS) {
        struct amx_block block = amx_block_of(walk, piece, token);
        amx_begin(&block, chunk == 0);
        if (token == 0 && filling)
            amx_multiply(walk, &block, piece, filling);
        else
            amx_multiply(walk, &block, piece, NULL);
        amx_end(&block);
        if (chunk + 1 == walk->chunks)
            amx_finish(walk->slice, &block, token, row);
    }
    if (filling)
        amx_fill_rest(filling);
}

/* ---- the kernel's functions ---- */

static size_t amx_chunks(size_t k)
{
    return (k + 4 * AMX_CHUNK_LINES - 1) / (4 * AMX_CHUNK_LINES);
}

static size_t amx_scratch_bytes(size_t k, size_t tokens)
{
    size_t blocks = amx_chunks(k) > 1 ? (tokens + AMX_TOKENS - 1) / AMX_TOKENS * AMX_PAIRS : 1;
    return AMX_BUFFER_BYTES + blocks * AMX_SUMS * sizeof(int32_t);
}

/** Bytes of 16 tokens: a tile for each 64 columns. */
static size_t amx_group_bytes(size_t k)
{
    return (k + AMX_STEP - 1) / AMX_STEP * TILE_BYTES;
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

static void amx_gemm(const struct gemm_slice *slice)
{
    const struct amx_walk walk = {
        .slice = slice,
        .lines = slice->k / 4,
        .chunks = amx_chunks(slice->k),
        .group_bytes = amx_group_bytes(slice->k),
        .buffers = slice->scratch,
        .sums = (int32_t *)(void *)((uint8_t *)slice->scratch + AMX_BUFFER_BYTES),
    };
    size_t pieces = slice->panels * walk.chunks * AMX_PAIRS;
    struct amx_filling filling = amx_fill_begin(&walk, 0);
    if (slice->tokens)
        amx_configure(slice->tokens);
#ifndef WEIGHTS_ARE_TILES
    amx_fill_rest(&filling);
#endif
    for (size_t piece = 0; piece < pieces; piece++) {
#ifdef WEIGHTS_ARE_TILES
        filling = amx_fill_begin(&walk, piece);
        amx_piece(&walk, piece, &filling);
#else
        if (piece + 1 < pieces)
            filling = amx_fill_begin(&walk, piece + 1);
        amx_piece(&walk, piece, piece + 1 < pieces ? &filling : NULL);
#endif
    }
    tiles_release();
}

/** Of struct kernel_gemm: all but unpacks_alone. The roof has both operands in tiles. */
#define AMX_GEMM                                                                                                       \
    .run = amx_gemm, .prepare_many = amx_prepare_many, .tokens_per_group = TILE_ROWS,                                  \
    .prepared_bytes = amx_group_bytes, .scratch_bytes = amx_scratch_bytes,                                             \
    .multiply = "int8_tiles.rows16_k64.amx_int8"

#endif
