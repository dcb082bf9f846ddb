/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() and gemm.prepare_many() on aarch64 of blocks of 32 columns with a scale, of rows one by one or interleaved: a tile of
 * TILE_ROWS rows by 16 tokens whose sums stay in registers (gemm_registers_aarch64.h). The weights of a block are unpacked once
 * for 16 tokens: with i8mm, of four bits, 4 rows take 8 instructions to unpack, 64 smmla and 48 for the sums' scales
 * [arm-kernels-codebooks, 4.2]. Nothing is interleaved in memory first: of rows stored one by one registers are zipped.
 *
 * The including .c defines, before it,
 *
 *   BLOCK_ROWS, BLOCK_BYTES, BLOCK_CODES, BLOCK_CHUNK
 *                   by its kernels.def: the byte at which codes begin, and how many of a row lie side by side, 4 or 8 of interleaved rows
 *   CODE_BYTES      of a row: 16, or 32 of whole bytes
 *   CODE_BITS       by which the sums of what decode gives are too large
 *   CODE_TURNED     bits that are stored the other way round, of whole bytes
 *   ROWS_INLINE void decode(tile_bytes codes, tile_bytes *low, tile_bytes *high)
 *                   signed bytes of columns m and m + 16, of codes of 16 bytes: <format>/codes_aarch64.h
 *
 * The next tile's weights are prefetched with the first tokens. Nothing of this has been timed.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_AARCH64_H
#define MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_AARCH64_H

#define GEMM_COLUMNS      32
#define GEMM_COLUMNS_MOST 3072 /* 54 KiB of 16 tokens */
#define GEMM_UNPACKS      0
#include "micro/families/blocks/blocks_neon.h"
#include "micro/frames/gemm_tiles_aarch64.h"

/** A block of 16 tokens. */
struct gemm_operand {
    int8_t q[TILE_PAIRS][TILE_PAIR_BYTES];
    float scale[TILE_TOKENS];
};

/* ---- weights ---- */

#if BLOCK_ROWS == 1
ROWS_INLINE tile_floats gemm_scales(const struct gemm_weights *at)
{
    return tile_halves_of_rows(at->row, 0);
}

ROWS_INLINE void gemm_codes(const struct gemm_weights *at, size_t half, tile_bytes *to)
{
    tile_of_rows(at->row, BLOCK_CODES + 16 * half, to);
}
#elif GEMM_PANELS > 1 /* two panels of four rows in registers of eight */
ROWS_INLINE tile_floats gemm_scales(const struct gemm_weights *at)
{
    uint8_t halves[2 * TILE_ROWS];
    memcpy(halves, at->panels[0], TILE_ROWS);
    memcpy(halves + TILE_ROWS, at->panels[1], TILE_ROWS);
    return tile_halves(halves);
}

/** A register is of one panel: of rows interleaved by four bytes its words of a row are brought together. */
ROWS_INLINE void gemm_codes(const struct gemm_weights *at, size_t half, tile_bytes *to)
{
    const svuint32_t low = svindex_u32(0, 1), places = svzip1_u32(low, svadd_n_u32_x(TILE_ALL, low, 4));
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        to[i] = tile_load(at->panels[i % 2] + BLOCK_CODES + 16 * BLOCK_ROWS * half + TILE_BYTES * (i / 2));
        if (BLOCK_CHUNK == 4)
            to[i] = svreinterpret_u8_u32(svtbl_u32(svreinterpret_u32_u8(to[i]), places));
    }
}
#else
ROWS_INLINE tile_floats gemm_scales(const struct gemm_weights *at)
{
    return tile_halves(at->panel + 2 * at->in_panel);
}

ROWS_INLINE void gemm_codes(const struct gemm_weights *at, size_t half, tile_bytes *to)
{
    const uint8_t *codes = at->panel + BLOCK_CODES + BLOCK_CHUNK * at->in_panel + 16 * BLOCK_ROWS * half;
    if (BLOCK_CHUNK == 8)
        tile_of_eights(codes, BLOCK_ROWS, to);
    else
        tile_of_fours(codes, BLOCK_ROWS, to);
}
#endif

#if CODE_BYTES == 16
ROWS_INLINE void gemm_unpack(const struct gemm_weights *at, tile_bytes *w)
{
    tile_bytes codes[4];
    gemm_codes(at, 0, codes);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        decode(codes[i], &w[i], &w[i + 4]);
}
#else
ROWS_INLINE void gemm_unpack(const struct gemm_weights *at, tile_bytes *w)
{
    gemm_codes(at, 0, w);
    gemm_codes(at, 1, w + 4);
#pragma GCC unroll 8
    for (int i = 0; CODE_TURNED && i < TILE_WEIGHTS; i++)
        w[i] = tile_turn_over(w[i], CODE_TURNED);
}
#endif

/* ---- the operand ---- */

static size_t gemm_prepared_bytes(size_t k)
{
    return gemm_blocks(k) * sizeof(struct gemm_operand);
}

/** Tokens that a last group lacks are zeros. */
static void gemm_prepare(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct gemm_operand *operand = prepared;
    memset(prepared, 0, gemm_prepared_bytes(k));
    for (size_t token = 0; token < tokens; token++) {
        const float *x = (const float *)activations + token * stride;
        for (size_t block = 0; block < gemm_blocks(k); block++) {
            struct q8_32 q8;
            q8_32_make(x + block * TILE_COLUMNS, TILE_COLUMNS, &q8);
            tile_put(q8.q, token, operand[block].q[0]);
            operand[block].scale[token] = q8.scale;
        }
    }
}

/* ---- multiplying ---- */

/** pairs is a constant where it is inlined. */
ROWS_INLINE void gemm_tile(const struct gemm_slice *slice, const struct gemm_part *part, size_t token, int pairs)
{
    const struct gemm_operand *x =
        (const struct gemm_operand *)slice->prepared + token / TILE_TOKENS * gemm_blocks(slice->k) + part->first;
    struct gemm_weights weights = gemm_weights_at(slice, part);
    tile_floats sum[2 * TILE_PAIRS];
#pragma GCC unroll 16
    for (int i = 0; i < 2 * pairs; i++)
        sum[i] = tile_zero_floats();
    for (size_t block = 0; block < part->count; block++, x++) {
        tile_bytes w[TILE_WEIGHTS];
        struct tile_scales rows = tile_rows_scales(gemm_scales(&weights), CODE_BITS);
        gemm_unpack(&weights, w);
        if (part->fetch)
            gemm_fetch(&weights, slice->panel_bytes);
        gemm_next(&weights);
#pragma GCC unroll 8
        for (int pair = 0; pair < pairs; pair++) {
            TILE_IN_TURN();
            struct tile_sums whole = {{tile_zero(), tile_zero()}};
            struct tile_scales scales = tile_token_scales(&x->scale[2 * pair]);
            whole = tile_multiply(whole, w, x->q[pair], 0, TILE_WEIGHTS);
#pragma GCC unroll 2
            for (int i = 0; i < 2; i++)
                sum[2 * pair + i] =
                    TILE_ADD(sum[2 * pair + i], whole.of[i], CODE_BITS, tile_scale(rows.of[i], scales.of[i]));
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < 2 * pairs; i++) {
        if (token + (size_t)i >= slice->tokens)
            return;
        tile_store(slice->out + (token + (size_t)i) * slice->out_stride + part->row,
                   tile_of_token(&sum[i / 2 * 2], i % 2), part->rows, part->first == 0);
    }
}

#include "micro/families/blocks/gemm_q8.h"

/* ---- the kernel ---- */

/** SELF_MODEL: the sequence whose gamma is that of one token. */
#define GEMM_BLOCK32_KERNEL                                                                                            \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,             \
        .float_sums = 32, .error_bound = Q8_ERROR_BOUND, .prepared_bytes_per_step = sizeof(gemm_q8),                   \
        .prepare = prepare, .row = block_row,                                                                          \
        .gemm = {                                                                                                      \
            .run = gemm_run,                                                                                           \
            .prepare_many = gemm_prepare,                                                                              \
            .tokens_per_group = TILE_TOKENS,                                                                           \
            .prepared_bytes = gemm_prepared_bytes,                                                                     \
            .multiply = TILE_MULTIPLY,                                                                                 \
        },                                                                                                             \
    }

#endif
