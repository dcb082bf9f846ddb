/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of bfloat16 on aarch64 by bfmmla, which multiplies four columns of two rows with those of two tokens: tiles of 4 rows, of SVE with 256 bits 8,
 * by 16 tokens (gemm_tiles_aarch64.h). Activations are rounded to bfloat16; rows are zipped in registers, or on SVE gathered, and nothing is
 * widened. Sums of 16 columns begin anew, so that a term is rounded 8 times in them and K / 16 times after.
 *
 * Port budget of 4 rows by 16 tokens by 16 columns: 8 zips, 64 bfmmla, 16 additions and 40 loads. Nothing of this has been timed.
 */
#define BLOCK_ROWS        1
#define BLOCK_BYTES       STEP_BYTES
#define GEMM_COLUMNS      STEP_COLUMNS
#define GEMM_COLUMNS_MOST 1024 /* 32 KiB of 16 tokens */
#define GEMM_UNPACKS      0
#include "micro/frames/gemm_tiles_aarch64.h"

static float half_factor(float most)
{
    (void)most; /* their range is that of floats */
    return 1;
}

#define half_round bfloat_from_float
#define half_value bfloat_to_float
#include "micro/families/floats/half_operand_aarch64.h"

/** 32 columns of 16 tokens: four columns of a pair of tokens are what one instruction takes. */
struct gemm_operand {
    uint16_t x[GEMM_COLUMNS / 4][TILE_PAIRS][2][4];
};

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
        for (size_t column = 0; column < k; column++)
            operand[column / GEMM_COLUMNS].x[column % GEMM_COLUMNS / 4][token / 2][token % 2][column % 4] =
                half_round(x[column]);
    }
}

ROWS_INLINE tile_floats multiply_add(tile_floats sum, tile_bytes w, const uint16_t *x)
{
#ifdef __ARM_FEATURE_SVE
    svbfloat16_t a = svreinterpret_bf16_u16(svld1rq_u16(TILE_ALL, x));
    return svbfmmla_f32(sum, svreinterpret_bf16_u8(w), a);
#else
    return vbfmmlaq_f32(sum, vreinterpretq_bf16_u8(w), vreinterpretq_bf16_u16(vld1q_u16(x)));
#endif
}

/** Columns 16 half … 16 half + 15 of a tile's rows with pairs of tokens. */
ROWS_INLINE void gemm_half(const struct gemm_weights *weights, const struct gemm_operand *x, size_t half,
                           tile_floats *sum, int pairs)
{
    tile_bytes w[8];
    tile_of_rows(weights->row, 32 * half, w);
    tile_of_rows(weights->row, 32 * half + 16, w + 4);
#pragma GCC unroll 8
    for (int pair = 0; pair < pairs; pair++) {
        TILE_IN_TURN();
        tile_floats whole[2] = {tile_zero_floats(), tile_zero_floats()};
#pragma GCC unroll 4
        for (size_t o = 0; o < 4; o++) {
            const uint16_t *four = x->x[4 * half + o][pair][0];
            whole[0] = multiply_add(whole[0], w[2 * o], four);
            whole[1] = multiply_add(whole[1], w[2 * o + 1], four);
        }
        sum[2 * pair] = tile_add_floats(sum[2 * pair], whole[0]);
        sum[2 * pair + 1] = tile_add_floats(sum[2 * pair + 1], whole[1]);
    }
}

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
        if (part->fetch)
            gemm_fetch(&weights, slice->panel_bytes);
        gemm_half(&weights, x, 0, sum, pairs);
        gemm_half(&weights, x, 1, sum, pairs);
        gemm_next(&weights);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 2 * pairs; i++) {
        if (token + (size_t)i >= slice->tokens)
            return;
        tile_store(slice->out + (token + (size_t)i) * slice->out_stride + part->row,
                   tile_of_token(&sum[i / 2 * 2], i % 2), part->rows, part->first == 0);
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_MODEL,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 16,
    .error_bound = 0x1p-8,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
    .gemm = {.run = gemm_run,
             .prepare_many = gemm_prepare,
             .tokens_per_group = TILE_TOKENS,
             .prepared_bytes = gemm_prepared_bytes},
};
