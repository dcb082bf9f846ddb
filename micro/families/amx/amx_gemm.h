/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of integer weights by tdpbsud, in the blocks of amx_blocks.h: activations are A, 16 tokens x 64 columns a tile, which
 * prepare_many() lays out one after the other, since rows a power of two apart would all fall into one set of a cache;
 * weights, offset-binary and interleaved by 4 columns, are B, a column a row of W. Fields of a byte are rows of other tiles, masked
 * where they are: a load, a vpandd and a store for 64 weights of each tile, and sums that are so much larger.
 *
 * Tiles have as many rows as there are tokens; of more than 32 tokens all have 16, zeros for those that are not there, since to
 * configure them anew costs as much as a dozen tdp. A panel of more than 32 rows is read once for each 32 of them, from memory the
 * first time.
 *
 * A kernel states, before it includes this,
 *
 *   ROWS            of a panel, in its format's kernels.def, a multiple of 32; STEP_BYTES, STEP_COLUMNS
 *   WEIGHTS_ARE_TILES   weights are B as they lie in memory: rows of 16 x 4 bytes, ROWS * 4 apart; else it defines
 *   line_at(from), line_mask(tile)   the bytes of 4 columns in a register, and which of its bits are rows 16 * tile …
 *
 * and in either case
 *
 *   finish_sums(tile, sums)   sums of rows 16 * tile … as integers before the correction
 */
#ifndef MICRO_FAMILIES_AMX_AMX_GEMM_H
#define MICRO_FAMILIES_AMX_AMX_GEMM_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AMX_STEP = 64,                 /* columns of a tdp */
    AMX_STEP_LINES = AMX_STEP / 4, /* rows of a tile of B */
    AMX_PAIRS = ROWS / 32,
    AMX_LINE_BYTES = STEP_BYTES * 4 / STEP_COLUMNS, /* packed, of 4 columns */
    AMX_AHEAD = 3,
#ifdef WEIGHTS_ARE_TILES
    AMX_RING = 0,
#else
    AMX_RING = 4,
#endif
};
_Static_assert(ROWS % 32 == 0 && STEP_COLUMNS % 4 == 0, "tiles of whole lines");

#define AMX_PRODUCT(c, t, w) tile_multiply(tdpbsud, c, t, w)

struct amx_source {
    const uint8_t *weights;
    uint8_t *ring;
    size_t lines; /* of the panel: 4 columns each */
#ifndef WEIGHTS_ARE_TILES
    __m512i mask[2];
#endif
};

#include "micro/families/amx/amx_blocks.h"

AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums);

/* ---- unpacking ---- */

#ifndef WEIGHTS_ARE_TILES
AMX_INLINE __m512i line_at(const uint8_t *from);
AMX_INLINE __m512i line_mask(size_t tile);

AMX_INLINE void amx_put_line(const struct amx_source *source, uint8_t *to, size_t line)
{
    const __m512i bytes = line_at(source->weights + line * AMX_LINE_BYTES);
    _mm512_store_si512(to, _mm512_and_si512(bytes, source->mask[0]));
    _mm512_store_si512(to + TILE_BYTES, _mm512_and_si512(bytes, source->mask[1]));
}

/** A step that the panel ends in: zeros after it. */
static __attribute__((noinline)) void amx_fill_last(const struct amx_source *source, uint8_t *to, size_t line)
{
    for (size_t i = line; i < line + 4; i++, to += TILE_ROW_BYTES) {
        if (i < source->lines) {
            amx_put_line(source, to, i);
        } else {
            _mm512_store_si512(to, _mm512_setzero_si512());
            _mm512_store_si512(to + TILE_BYTES, _mm512_setzero_si512());
        }
    }
}

AMX_INLINE void amx_fill(const struct amx_source *source, size_t step, size_t quarter)
{
    const size_t line = step * AMX_STEP_LINES + quarter * 4;
    uint8_t *to = source->ring + step % AMX_RING * AMX_STEP_STRIDE + quarter * 4 * TILE_ROW_BYTES;
    if (__builtin_expect(line + 4 > source->lines, 0)) {
        const struct amx_source copy = *source; /* whose address is not known elsewhere stays in registers */
        amx_fill_last(&copy, to, line);
        return;
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        amx_put_line(source, to + i * TILE_ROW_BYTES, line + i);
}
#else
AMX_INLINE void amx_fill(const struct amx_source *source, size_t step, size_t quarter)
{
    (void)source, (void)step, (void)quarter;
}
#endif

/* ---- sums ---- */

/** A token is a part: scale * (sum + correction), 32 rows. */
AMX_INLINE size_t amx_parts(const struct amx_block *block)
{
    return block->tokens;
}

AMX_INLINE void amx_finish(const struct amx_walk *walk, const struct amx_block *block, size_t part)
{
    const struct gemm_slice *slice = walk->slice;
    const size_t first_tile = block->pair % AMX_PAIRS * 2, token = block->token + part;
    const __m512i correction = _mm512_set1_epi32(slice->corrections[token]);
    const __m512 scale = _mm512_set1_ps(slice->scales[token]);
    const int32_t *sums = block->sums + part * 32;
    float *out = slice->out + token * slice->out_stride + block->pair * 32;
    for (size_t tile = 0; tile < 2; tile++) {
        __m512i sum = finish_sums(first_tile + tile, _mm512_load_si512(sums + 16 * tile));
        sum = _mm512_add_epi32(sum, correction);
        tiles_put(out + 16 * tile, 0xffff, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale), slice->tokens);
    }
}

/* ---- the kernel's functions ---- */

static size_t amx_k_steps(size_t k)
{
    return (k + AMX_STEP - 1) / AMX_STEP;
}

/** The ring, or where weights are tiles a step for the columns of K past the last 64. */
enum { AMX_BUFFER_BYTES = AMX_RING ? AMX_RING_BYTES : AMX_STEP_STRIDE };

static size_t amx_scratch_bytes(size_t k, size_t tokens)
{
    (void)k, (void)tokens;
    return AMX_BUFFER_BYTES + AMX_SUMS_BYTES;
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

AMX_INLINE struct amx_source amx_source_of(const struct amx_walk *walk, size_t pair)
{
    struct amx_source source = {.weights = walk->slice->weights + pair / AMX_PAIRS * walk->slice->panel_bytes,
                                .ring = walk->ring,
                                .lines = walk->slice->k / 4};
#ifndef WEIGHTS_ARE_TILES
    source.mask[0] = line_mask(pair % AMX_PAIRS * 2);
    source.mask[1] = line_mask(pair % AMX_PAIRS * 2 + 1);
#endif
    return source;
}

#ifdef WEIGHTS_ARE_TILES
/** The lines past whole steps of 64 columns, and zeros after them, as one more step. */
AMX_INLINE void amx_multiply(const struct amx_walk *walk, const struct amx_block *block,
                             const struct amx_source *source, struct amx_former *former)
{
    size_t rest = source->lines % AMX_STEP_LINES;
    struct amx_block whole = *block, last = *block;
    whole.steps = source->lines / AMX_STEP_LINES;
    amx_steps(walk, &whole, source->weights, source, former);
    if (!rest)
        return;
    memset(source->ring, 0, AMX_STEP_STRIDE);
    memcpy(source->ring, source->weights + (source->lines - rest) * AMX_ROW_STRIDE, rest * AMX_ROW_STRIDE);
    last.steps = 1;
    last.ahead_lines = 0;
    last.activations += whole.steps * TILE_BYTES;
    amx_steps(walk, &last, source->ring, source, former);
}
#else
AMX_INLINE void amx_multiply(const struct amx_walk *walk, const struct amx_block *block,
                             const struct amx_source *source, struct amx_former *former)
{
    amx_steps(walk, block, source->ring, source, former);
}
#endif

/** 32 rows with some tokens, and their share of the next panel. */
static void amx_pair(const struct amx_walk *walk, size_t pair, size_t first, size_t end, struct amx_former *former)
{
    const struct gemm_slice *slice = walk->slice;
    const struct amx_source source = amx_source_of(walk, pair);
    size_t blocks = (end - first + AMX_TOKENS - 1) / AMX_TOKENS, number = pair % AMX_PAIRS * blocks;
    bool is_last = pair / AMX_PAIRS + 1 == slice->panels;
    for (size_t token = first; token < end; token += AMX_TOKENS, number++) {
        struct amx_block block = amx_block_of(walk, former, pair, token);
        if (slice->prefetch_bytes && !is_last)
            amx_share_ahead(&block, slice->weights + (pair / AMX_PAIRS + 1) * slice->panel_bytes, slice->panel_bytes,
                            number, AMX_PAIRS * blocks);
        amx_begin();
        amx_multiply(walk, &block, &source, former);
        amx_end(walk, &block, former);
    }
}

/** As before a multiplication, through the ring. */
static void amx_unpack(const struct amx_walk *walk)
{
    for (size_t pair = 0; AMX_RING && pair < walk->slice->panels * AMX_PAIRS; pair++) {
        const struct amx_source source = amx_source_of(walk, pair);
        for (size_t step = 0; step < walk->steps; step++)
            amx_fill_step(&source, step);
    }
}

static void amx_gemm(const struct gemm_slice *slice)
{
    const size_t tokens = slice->tokens;
    const struct amx_walk walk = {
        .slice = slice,
        .steps = amx_k_steps(slice->k),
        .group_bytes = amx_group_bytes(slice->k),
        .ring = slice->scratch,
        .sums = (int32_t *)(void *)((uint8_t *)slice->scratch + AMX_BUFFER_BYTES),
    };
    size_t upper = tokens < TILE_ROWS ? tokens : TILE_ROWS, at_once = amx_tokens_at_once(&walk);
    size_t lower = tokens > AMX_TOKENS ? TILE_ROWS : tokens > TILE_ROWS ? tokens - TILE_ROWS : upper;
    if (!tokens) {
        amx_unpack(&walk);
        return;
    }
    struct amx_former former = {.parts = 0};
    amx_configure(upper, lower);
    for (size_t first = 0; first < tokens; first += at_once) {
        size_t end = tokens - first < at_once ? tokens : first + at_once;
        for (size_t pair = 0; pair < slice->panels * AMX_PAIRS; pair++)
            amx_pair(&walk, pair, first, end, &former);
    }
    amx_finish_rest(&walk, &former);
    tiles_stored();
    tiles_release();
}

/** Of struct kernel_gemm: all but unpacks_alone. The roof has both operands in tiles. */
#define AMX_GEMM                                                                                                       \
    .run = amx_gemm, .prepare_many = amx_prepare_many, .tokens_per_group = TILE_ROWS,                                  \
    .prepared_bytes = amx_group_bytes, .scratch_bytes = amx_scratch_bytes,                                             \
    .multiply = "int8_tiles.rows16_k64.amx_int8"

#endif
