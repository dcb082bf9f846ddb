/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() and gemm.prepare_many() on aarch64 of weights that take more to unpack than a few tokens pay for: a tile of
 * gemm_tiles_aarch64.h is unpacked to signed bytes in scratch, once for all tokens. One text for neon, neon_dotprod, neon_i8mm and sve256,
 * which differ in what multiplies; unpacking is Neon's in all of them, by quads of rows (quads_aarch64.h).
 *
 * The including .c defines, before it,
 *
 *   BLOCK_ROWS, BLOCK_BYTES, GEMM_COLUMNS   as gemm_tiles_aarch64.h has them; a multiple of 32 columns
 *   GEMM_INTEGERS   1: activations are integers and so are results, which wait in out; 0: a block has a scale of each row, d
 *   GEMM_GROUPS     1: each 16 columns have an integer scale of their own, which no byte holds together with a weight; 2: they have a
 *                   float, and the block has none
 *   GEMM_MINIMA     1: of each 16 columns a minimum of 0 … 15 times dmin is taken off every weight
 *
 *   ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
 *                   a block of four rows, by gemm_put() and its like; columns: that are there, a multiple of what the format pads to
 *
 * and where activations are not blocks of q8.h GEMM_TOKEN_BLOCK, a struct with int8_t q[GEMM_COLUMNS] and a float scale,
 * GEMM_TOKEN_MAKE(x, GEMM_COLUMNS, block), and GEMM_NUMBERS, what its kernel says of operand and results.
 *
 * Sums of a block are integers. Minima meet the sums of the activations of their columns, in two bytes as 128 high + low. Port budget of
 * 4 rows by 16 tokens by 32 columns: 64 smmla, 32 loads of activations and 8 of weights; or 128 sdot and 40 loads; with scales of groups
 * 32 multiply-adds more. Nothing of this has been timed.
 */
#ifndef MICRO_FAMILIES_BLOCKS_GEMM_UNPACKED_AARCH64_H
#define MICRO_FAMILIES_BLOCKS_GEMM_UNPACKED_AARCH64_H

#define GEMM_COLUMNS_MOST 3072 /* 48 KiB of 16 tokens */
#define GEMM_UNPACKS      1
#include "micro/families/blocks/blocks_neon.h"
#include "micro/frames/gemm_tiles_aarch64.h"

enum {
    GEMM_QUADS = TILE_ROWS / 4,
    GEMM_UNITS = GEMM_COLUMNS / TILE_COLUMNS,
    GEMM_SIXTEENS = GEMM_COLUMNS / 16, /* groups of columns */
};

/** A block of a tile, unpacked. */
struct gemm_block {
    uint8_t w[GEMM_COLUMNS / 8][GEMM_QUADS][32]; /* two of the four registers of a quad */
#if GEMM_GROUPS == 1
    int32_t scale[GEMM_SIXTEENS][TILE_ROWS];
#elif GEMM_GROUPS == 2
    float scale[GEMM_SIXTEENS][TILE_ROWS];
#endif
#if GEMM_MINIMA
    uint8_t minima[2][GEMM_QUADS][32]; /* their columns are the groups */
    float dmin[TILE_ROWS];
#endif
#if !GEMM_INTEGERS && GEMM_GROUPS != 2
    float d[TILE_ROWS];
#endif
} __attribute__((aligned(32)));

/** A block of 16 tokens. */
struct gemm_operand {
    int8_t q[GEMM_UNITS][TILE_PAIRS][TILE_PAIR_BYTES];
#if GEMM_MINIMA
    int8_t sums[TILE_PAIRS][TILE_PAIR_BYTES]; /* [high of 16 groups, low of 16 groups] */
#endif
#if !GEMM_INTEGERS
    float scale[TILE_TOKENS];
#endif
};

/* ---- unpacking ---- */

/** Four rows of a tile at a block, and which of the tile's quads they are. */
struct gemm_quad {
#if BLOCK_ROWS == 1
    const uint8_t *const *row;
#else
    const uint8_t *panel;
    size_t row; /* of the panel */
#endif
    size_t number;
};

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to);

ROWS_INLINE void gemm_put_quad(uint8_t (*to)[GEMM_QUADS][32], size_t number, const uint8x16_t *q)
{
    vst1q_u8(to[0][number], q[0]);
    vst1q_u8(to[0][number] + 16, q[1]);
    vst1q_u8(to[1][number], q[2]);
    vst1q_u8(to[1][number] + 16, q[3]);
}

/** Weights of columns 16 `sixteen` … */
ROWS_INLINE void gemm_put(struct gemm_block *to, struct gemm_quad from, size_t sixteen, const uint8x16_t *q)
{
    gemm_put_quad(&to->w[2 * sixteen], from.number, q);
}

static void gemm_unpack_tile(const struct gemm_slice *slice, const struct gemm_part *part)
{
    struct gemm_weights at = gemm_weights_at(slice, part);
    struct gemm_block *to = (struct gemm_block *)slice->scratch + (part->row - part->begin) / TILE_ROWS * part->count;
    size_t columns = slice->k - part->first * GEMM_COLUMNS;
    for (size_t block = 0; block < part->count; block++, to++, columns -= GEMM_COLUMNS) {
        for (size_t quad = 0; quad < GEMM_QUADS; quad++) {
#if BLOCK_ROWS == 1
            struct gemm_quad from = {at.row + 4 * quad, quad};
#else
            struct gemm_quad from = {at.panel, at.in_panel + 4 * quad, quad};
#endif
            gemm_unpack(from, columns < GEMM_COLUMNS ? columns : GEMM_COLUMNS, to);
        }
        gemm_next(&at);
    }
}

static size_t gemm_scratch_bytes(size_t k, size_t tokens)
{
    (void)tokens;
    size_t blocks = gemm_blocks(k) < GEMM_BLOCKS_MOST ? gemm_blocks(k) : GEMM_BLOCKS_MOST;
    return blocks * (GEMM_ROWS_MOST / TILE_ROWS) * sizeof(struct gemm_block);
}

/* ---- the operand ---- */

static size_t gemm_prepared_bytes(size_t k)
{
    return gemm_blocks(k) * sizeof(struct gemm_operand);
}

ROWS_INLINE void gemm_put_columns(const int8_t *from, size_t count, size_t token, struct gemm_operand *to)
{
    for (size_t unit = 0; unit < count / TILE_COLUMNS; unit++)
        tile_put(from + unit * TILE_COLUMNS, token, to->q[unit][0]);
}

#if GEMM_INTEGERS
/** Columns past k are zeros already, and readable to a multiple of 64. */
static void gemm_put_token(const int8_t *x, struct gemm_operand *to, size_t token)
{
    gemm_put_columns(x, GEMM_COLUMNS, token, to);
}
#define gemm_activation int8_t
#else
#ifndef GEMM_TOKEN_BLOCK
#define GEMM_TOKEN_BLOCK struct q8_256
#define GEMM_TOKEN_MAKE  q8_256_make
#endif
static void gemm_put_token(const float *x, struct gemm_operand *to, size_t token)
{
    GEMM_TOKEN_BLOCK q8;
    GEMM_TOKEN_MAKE(x, GEMM_COLUMNS, &q8);
    gemm_put_columns(q8.q, GEMM_COLUMNS, token, to);
    to->scale[token] = q8.scale;
#if GEMM_MINIMA
    int8_t sums[TILE_COLUMNS];
    for (size_t group = 0; group < 16; group++) {
        int high = (q8.sums[group] + 64) >> 7;
        sums[group] = (int8_t)high;
        sums[16 + group] = (int8_t)(q8.sums[group] - 128 * high);
    }
    tile_put(sums, token, to->sums[0]);
#endif
}
#define gemm_activation float
#endif

/** Tokens that a last group lacks are zeros. */
static void gemm_prepare(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct gemm_operand *operand = prepared;
    memset(prepared, 0, gemm_prepared_bytes(k));
    for (size_t token = 0; token < tokens; token++) {
        const gemm_activation *x = (const gemm_activation *)activations + token * stride;
        for (size_t block = 0; block < gemm_blocks(k); block++)
            gemm_put_token(x + block * GEMM_COLUMNS, &operand[block], token);
    }
}

/* ---- multiplying ---- */

/** Registers first … first + count of 32 columns. */
ROWS_INLINE void gemm_load(const uint8_t *from, size_t first, size_t count, tile_bytes *w)
{
#pragma GCC unroll 8
    for (size_t i = first; i < first + count; i++)
        w[i] = tile_load(from + TILE_BYTES * i);
}

#if GEMM_GROUPS != 2
/** Products of a block with pairs of tokens, added to whole[pairs]. */
ROWS_INLINE void gemm_products(const struct gemm_block *block, const struct gemm_operand *x, struct tile_sums *whole,
                               int pairs)
{
    for (size_t unit = 0; unit < GEMM_UNITS; unit++) {
        tile_bytes w[TILE_WEIGHTS];
#if GEMM_GROUPS == 1
#pragma GCC unroll 2
        for (int half = 0; half < 2; half++) {
            struct tile_factors scale = tile_rows_factors(block->scale[2 * unit + (size_t)half]);
            gemm_load(block->w[4 * unit][0], 4 * (size_t)half, 4, w);
#pragma GCC unroll 8
            for (int pair = 0; pair < pairs; pair++) {
                TILE_IN_TURN();
                struct tile_sums group = {{tile_zero(), tile_zero()}};
                group = tile_multiply(group, w, x->q[unit][pair], 4 * half, 4);
                whole[pair].of[0] = tile_multiply_add(whole[pair].of[0], group.of[0], scale.of[0]);
                whole[pair].of[1] = tile_multiply_add(whole[pair].of[1], group.of[1], scale.of[1]);
            }
        }
#else
        gemm_load(block->w[4 * unit][0], 0, TILE_WEIGHTS, w);
#pragma GCC unroll 8
        for (int pair = 0; pair < pairs; pair++) {
            TILE_IN_TURN();
            whole[pair] = tile_multiply(whole[pair], w, x->q[unit][pair], 0, TILE_WEIGHTS);
        }
#endif
    }
}
#endif

#if GEMM_INTEGERS
/** Four rows of a token: joined with the parts of K before, and at the end what the GEMM gives. */
ROWS_INLINE int32x4_t gemm_finish(const struct gemm_slice *slice, size_t token, int32x4_t sum, int32x4_t before,
                                  bool last)
{
    sum = vaddq_s32(sum, before);
    if (!last)
        return sum;
    sum = vaddq_s32(sum, vdupq_n_s32(slice->corrections[token]));
    return vreinterpretq_s32_f32(vmulq_n_f32(vcvtq_f32_s32(sum), slice->scales[token]));
}

/** Of the tile's rows those that are there. */
static void gemm_store(const struct gemm_slice *slice, const struct gemm_part *part, size_t token, tile_ints sums)
{
    bool first = part->first == 0, last = part->first + part->count == gemm_blocks(slice->k);
    int32_t *out = (int32_t *)(void *)(slice->out + token * slice->out_stride + part->row), of[TILE_ROWS];
    tile_put_ints(of, sums);
    for (size_t row = 0; row < part->rows; row += 4, out += 4) {
        size_t bytes = part->rows - row < 4 ? (part->rows - row) * sizeof *out : sizeof(int32x4_t);
        int32x4_t before = vdupq_n_s32(0), four;
        if (!first)
            memcpy(&before, out, bytes);
        four = gemm_finish(slice, token, vld1q_s32(of + row), before, last);
        memcpy(out, &four, bytes);
    }
}
#else
/** Sums of a block, scaled, added to those before. */
ROWS_INLINE void gemm_scale(tile_floats *sum, struct tile_sums whole, const struct tile_scales *rows,
                            const float *token_scales)
{
    struct tile_scales scales = tile_token_scales(token_scales);
    sum[0] = TILE_ADD(sum[0], whole.of[0], 0, tile_scale(rows->of[0], scales.of[0]));
    sum[1] = TILE_ADD(sum[1], whole.of[1], 0, tile_scale(rows->of[1], scales.of[1]));
}

#if GEMM_GROUPS == 2
/** Products of a block with pairs of tokens, scaled by groups and added to sum[2 pairs]. */
ROWS_INLINE void gemm_scaled_products(const struct gemm_block *block, const struct gemm_operand *x, tile_floats *sum,
                                      int pairs)
{
    for (size_t unit = 0; unit < GEMM_UNITS; unit++) {
        tile_bytes w[TILE_WEIGHTS];
#pragma GCC unroll 2
        for (int half = 0; half < 2; half++) {
            struct tile_scales rows = tile_rows_scales(tile_load_floats(block->scale[2 * unit + (size_t)half]), 0);
            gemm_load(block->w[4 * unit][0], 4 * (size_t)half, 4, w);
#pragma GCC unroll 8
            for (int pair = 0; pair < pairs; pair++) {
                TILE_IN_TURN();
                struct tile_sums whole = {{tile_zero(), tile_zero()}};
                whole = tile_multiply(whole, w, x->q[unit][pair], 4 * half, 4);
                gemm_scale(&sum[2 * pair], whole, &rows, &x->scale[2 * pair]);
            }
        }
    }
}
#endif

#if GEMM_MINIMA
ROWS_INLINE void gemm_take_minima(tile_floats *sum, const struct gemm_block *block, const struct gemm_operand *x,
                                  int pairs)
{
    struct tile_scales rows = tile_rows_scales(tile_times(tile_load_floats(block->dmin), -1), 0);
    tile_bytes w[TILE_WEIGHTS];
    gemm_load(block->minima[0][0], 0, 4, w);
    for (int i = 0; i < 4; i++)
        w[i + 4] = w[i];
#pragma GCC unroll 8
    for (int pair = 0; pair < pairs; pair++) {
        TILE_IN_TURN();
        struct tile_sums whole = {{tile_zero(), tile_zero()}};
        whole = tile_multiply(whole, w, x->sums[pair], 0, 4);
        whole.of[0] = TILE_SHIFT_WORDS_UP(whole.of[0], 7);
        whole.of[1] = TILE_SHIFT_WORDS_UP(whole.of[1], 7);
        whole = tile_multiply(whole, w, x->sums[pair], 4, 4);
        gemm_scale(&sum[2 * pair], whole, &rows, &x->scale[2 * pair]);
    }
}
#endif
#endif

#if GEMM_GROUPS != 2
ROWS_INLINE void gemm_zero(struct tile_sums *whole, int pairs)
{
#pragma GCC unroll 8
    for (int pair = 0; pair < pairs; pair++)
        whole[pair] = (struct tile_sums){{tile_zero(), tile_zero()}};
}
#endif

/** pairs is a constant where it is inlined. */
ROWS_INLINE void gemm_tile(const struct gemm_slice *slice, const struct gemm_part *part, size_t token, int pairs)
{
    const struct gemm_operand *x =
        (const struct gemm_operand *)slice->prepared + token / TILE_TOKENS * gemm_blocks(slice->k) + part->first;
    const struct gemm_block *block =
        (const struct gemm_block *)slice->scratch + (part->row - part->begin) / TILE_ROWS * part->count;
    struct gemm_weights packed = gemm_weights_at(slice, part);
#if GEMM_GROUPS != 2
    struct tile_sums whole[TILE_PAIRS];
    gemm_zero(whole, pairs);
#endif
#if !GEMM_INTEGERS
    tile_floats sum[2 * TILE_PAIRS]; /* in memory: a block is long enough */
#pragma GCC unroll 16
    for (int i = 0; i < 2 * pairs; i++)
        sum[i] = tile_zero_floats();
#endif
    for (size_t i = 0; i < part->count; i++, x++, block++) {
        if (part->fetch)
            gemm_fetch(&packed, slice->panel_bytes);
        gemm_next(&packed);
#if GEMM_GROUPS == 2
        gemm_scaled_products(block, x, sum, pairs);
#else
        gemm_products(block, x, whole, pairs);
#if !GEMM_INTEGERS
        struct tile_scales rows = tile_rows_scales(tile_load_floats(block->d), 0);
#pragma GCC unroll 8
        for (int pair = 0; pair < pairs; pair++)
            gemm_scale(&sum[2 * pair], whole[pair], &rows, &x->scale[2 * pair]);
#if GEMM_MINIMA
        gemm_take_minima(sum, block, x, pairs);
#endif
        gemm_zero(whole, pairs);
#endif
#endif
    }
#pragma GCC unroll 16
    for (int i = 0; i < 2 * pairs; i++) {
        if (token + (size_t)i >= slice->tokens)
            return;
#if GEMM_INTEGERS
        gemm_store(slice, part, token + (size_t)i, tile_ints_of_token(whole[i / 2].of, i % 2));
#else
        tile_store(slice->out + (token + (size_t)i) * slice->out_stride + part->row,
                   tile_of_token(&sum[i / 2 * 2], i % 2), part->rows, part->first == 0);
#endif
    }
}

/* ---- the kernel ---- */

#if GEMM_INTEGERS
extern const struct format SELF_FORMAT;
#define GEMM_NUMBERS .lossless = true
#elif !defined GEMM_NUMBERS
#include "micro/families/blocks/gemm_q8.h"
#ifndef GEMM_ROW
#define GEMM_ROW block_row
#endif
#define GEMM_NUMBERS                                                                                                   \
    .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = GEMM_MINIMA ? 128 : 256,                       \
    .error_bound = Q8_ERROR_BOUND, .prepared_bytes_per_step = sizeof(gemm_q8), .prepare = prepare, .row = GEMM_ROW
#endif

/** SELF_MODEL: the sequence whose gamma is that of one token. */
#define GEMM_UNPACKED_KERNEL                                                                                           \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024 /* predicted: no core of aarch64 has been timed */, GEMM_NUMBERS,  \
        .gemm = {                                                                                                      \
            .run = gemm_run,                                                                                           \
            .prepare_many = gemm_prepare,                                                                              \
            .tokens_per_group = TILE_TOKENS,                                                                           \
            .unpacks_alone = true,                                                                                     \
            .prepared_bytes = gemm_prepared_bytes,                                                                     \
            .scratch_bytes = gemm_scratch_bytes,                                                                       \
            .multiply = TILE_MULTIPLY,                                                                                 \
        },                                                                                                             \
    }

#endif
