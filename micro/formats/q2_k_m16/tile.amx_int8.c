/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns has two scales a row, d and dmin, so that a tile of sums lasts four tdp of 64 columns, exactly: a code times the
 * scale of its group of 16 columns is at most 45, a byte, and is unpacked so once a panel. The minima of the 16 groups meet the sums of the
 * activations in one tdp of 32 bytes more, with sums of their own: a sum of 16 activations is split in two digits, 16 high + low, as
 * micro/formats/q2_k/blocks4.c has them, and 16 times a minimum is its byte as it is stored.
 *
 *     tmm0 tmm1    tokens 0-15, 16-31, codes        tmm4 tmm5    tokens, codes: 64 columns
 *     tmm2 tmm3                        minima       tmm6 tmm7    digits, minima
 *
 * What is stored is scaled while the next block is multiplied, in two buffers in turn. Tokens go by as many as have 1 MB of operand, for each of
 * which panels are unpacked again.
 *
 * Predicted, not measured: a block of 16 rows x 32 tokens is ten tdp, 160 cycles, beside 32 x 5 vector uops of scaling on two ports, 80: 1,640
 * operations a cycle at most. Unpacking takes some 210 vector uops a block once for all tokens.
 */
#include <immintrin.h>

#include "micro/formats/q2_k/unpack_512.h"
#include "micro/isa/amx_tiles.h"

#define GEMM_COLUMNS BLOCK_COLUMNS
#include "micro/families/blocks/gemm_q8.h"

#include "micro/formats/q2_k/row.h"

enum {
    TOKENS = 32,
    STEPS = BLOCK_COLUMNS / 64,
    GROUPS = 16,     /* of a block's columns */
    GROUP_LINES = 4, /* of four groups' bytes, 64 bytes */
    GROUPS_AT = 64,  /* of a block */
    CODES_AT = 320,
    DIGITS = 2 * GROUPS, /* bytes of a token that meet minima */
};

/** 256 columns of 32 tokens. */
struct operand {
    int8_t q[STEPS][TOKENS][64];
    int8_t digits[TOKENS][DIGITS]; /* high of each group, then low */
    float scale[TOKENS];
} __attribute__((aligned(64)));

/** A block of a panel, unpacked: two operands of tdp, and scales. */
struct unpacked {
    uint8_t codes[STEPS * TILE_BYTES];        /* [64 lines of 4 columns][16 rows][4] */
    uint8_t minima[2 * GROUP_LINES * 16 * 4]; /* 16 times, then once */
    float d[BLOCK_ROWS], dmin[BLOCK_ROWS];
} __attribute__((aligned(64)));

struct scratch {
    int32_t codes[2][TOKENS][BLOCK_ROWS], minima[2][TOKENS][BLOCK_ROWS]; /* sums of a block, of the next one */
    float results[TOKENS][BLOCK_ROWS];
    struct unpacked blocks[];
};

static void unpack_block(const uint8_t *from, struct unpacked *to)
{
    const __m512i upper = _mm512_set1_epi8((char)0xf0), nibble = _mm512_set1_epi8(15);
    __m512i groups[GROUP_LINES];
#pragma GCC unroll 4
    for (int line = 0; line < GROUP_LINES; line++) {
        groups[line] = _mm512_loadu_si512(from + GROUPS_AT + 64 * line);
        _mm512_store_si512(to->minima + 64 * line, _mm512_and_si512(groups[line], upper));
        _mm512_store_si512(to->minima + 64 * (GROUP_LINES + line),
                           _mm512_and_si512(_mm512_srli_epi16(groups[line], 4), nibble));
    }
#pragma GCC unroll 4
    for (int sixteen = 0; sixteen < 4; sixteen++) {
        __m512i codes[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            codes[i] = _mm512_loadu_si512(from + CODES_AT + 64 * (4 * sixteen + i));
        q2_k_unpack_sixteen(groups, codes, sixteen, to->codes);
    }
    _mm512_store_ps(to->d, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)from)));
    _mm512_store_ps(to->dmin, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(from + 32))));
}

static void unpack(const struct gemm_slice *slice, const uint8_t *panel, struct unpacked *to)
{
    for (size_t block = 0; block < slice->k / BLOCK_COLUMNS; block++, panel += BLOCK_BYTES) {
        for (size_t line = 0; slice->prefetch_bytes && line < BLOCK_BYTES; line += 64)
            _mm_prefetch((const char *)((uintptr_t)panel + slice->prefetch_bytes + line), _MM_HINT_T0);
        unpack_block(panel, &to[block]);
    }
}

/** A block with up to 32 tokens to a buffer of sums. */
static void multiply(const struct unpacked *weights, const struct operand *x, size_t tokens, struct scratch *scratch,
                     size_t buffer)
{
    const bool both = tokens > TILE_ROWS;
    tile_zero(0);
    tile_zero(1);
    tile_zero(2);
    tile_zero(3);
    for (size_t step = 0; step < STEPS; step++) {
        tile_load(5, weights->codes + step * TILE_BYTES, 64);
        tile_load(4, x->q[step][0], 64);
        tile_multiply(tdpbsud, 0, 4, 5);
        if (both) {
            tile_load(4, x->q[step][TILE_ROWS], 64);
            tile_multiply(tdpbsud, 1, 4, 5);
        }
    }
    tile_load(7, weights->minima, 64);
    tile_load(6, x->digits[0], DIGITS);
    tile_multiply(tdpbsud, 2, 6, 7);
    if (both) {
        tile_load(6, x->digits[TILE_ROWS], DIGITS);
        tile_multiply(tdpbsud, 3, 6, 7);
    }
    tile_store(0, scratch->codes[buffer][0], 64);
    tile_store(2, scratch->minima[buffer][0], 64);
    if (both) {
        tile_store(1, scratch->codes[buffer][TILE_ROWS], 64);
        tile_store(3, scratch->minima[buffer][TILE_ROWS], 64);
    }
}

/** A buffer's sums onto the results. */
static void scale(const struct unpacked *weights, const struct operand *x, size_t tokens, struct scratch *scratch,
                  size_t buffer)
{
    const __m512 d = _mm512_load_ps(weights->d), dmin = _mm512_load_ps(weights->dmin);
    for (size_t token = 0; token < tokens; token++) {
        __m512 codes = _mm512_cvtepi32_ps(_mm512_load_si512(scratch->codes[buffer][token]));
        __m512 minima = _mm512_cvtepi32_ps(_mm512_load_si512(scratch->minima[buffer][token]));
        __m512 sum = _mm512_fmsub_ps(codes, d, _mm512_mul_ps(minima, dmin));
        __m512 result = _mm512_load_ps(scratch->results[token]);
        result = _mm512_fmadd_ps(sum, _mm512_set1_ps(x->scale[token]), result);
        _mm512_store_ps(scratch->results[token], result);
    }
}

/** A panel with up to 32 tokens: what is scaled was stored a block ago. */
static void run_group(const struct gemm_slice *slice, const struct operand *x, size_t tokens, float *out)
{
    const size_t blocks = slice->k / BLOCK_COLUMNS;
    struct scratch *scratch = slice->scratch;
    memset(scratch->results, 0, sizeof scratch->results);
    multiply(&scratch->blocks[0], x, tokens, scratch, 0);
    for (size_t block = 0; block < blocks; block++) {
        if (block + 1 < blocks)
            multiply(&scratch->blocks[block + 1], x + block + 1, tokens, scratch, (block + 1) % 2);
        scale(&scratch->blocks[block], x + block, tokens, scratch, block % 2);
    }
    for (size_t token = 0; token < tokens; token++)
        tiles_put(out + token * slice->out_stride, 0xffff, _mm512_load_ps(scratch->results[token]), slice->tokens);
}

static size_t group_bytes(size_t k)
{
    return k / BLOCK_COLUMNS * sizeof(struct operand);
}

static void configure(void)
{
    struct tile_configuration configuration = {.palette = 1};
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = tile == 6 ? DIGITS : TILE_ROW_BYTES;
        configuration.rows[tile] = tile == 7 ? DIGITS / 4 : TILE_ROWS;
    }
    tiles_configure(&configuration);
}

static void run_panel(const struct gemm_slice *slice, size_t panel, size_t first, size_t end)
{
    size_t blocks = slice->k / BLOCK_COLUMNS;
    struct scratch *scratch = slice->scratch;
    unpack(slice, slice->weights + panel * slice->panel_bytes, scratch->blocks);
    for (size_t token = first; token < end; token += TOKENS)
        run_group(slice, (const struct operand *)slice->prepared + token / TOKENS * blocks,
                  at_most(slice->tokens - token, TOKENS), slice->out + token * slice->out_stride + panel * BLOCK_ROWS);
}

static void run(const struct gemm_slice *slice)
{
    const size_t at_once = tiles_tokens_at_once(slice->tokens, TOKENS, group_bytes(slice->k));
    configure();
    tiles_run_panels(slice, slice->panels, slice->tokens, at_once, run_panel);
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)tokens;
    return sizeof(struct scratch) + k / BLOCK_COLUMNS * sizeof(struct unpacked);
}

static void put_token(const struct q8_256 *q8, struct operand *to, size_t token)
{
    for (size_t step = 0; step < STEPS; step++)
        memcpy(to->q[step][token], q8->q + 64 * step, 64);
    for (size_t group = 0; group < GROUPS; group++) {
        int high = (q8->sums[group] + 2048 + 8) / 16 - 128; /* rounded: low is -8 … 7 */
        to->digits[token][group] = (int8_t)high;
        to->digits[token][GROUPS + group] = (int8_t)(q8->sums[group] - 16 * high);
    }
    to->scale[token] = q8->scale;
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct operand *to = prepared;
    memset(prepared, 0, group_bytes(k));
    for (size_t column = 0; column < k; column += BLOCK_COLUMNS, to++) {
        for (size_t token = 0; token < tokens; token++) {
            struct q8_256 q8;
            q8_256_make((const float *)activations + token * stride + column, BLOCK_COLUMNS, &q8);
            put_token(&q8, to, token);
        }
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int8_tiles.rows16_k64_loads.amx_int8",
    .prefetch_bytes = 4096,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .prepared_bytes_per_step = sizeof(gemm_q8),
    .prepare = prepare,
    .row = minima_row,
    .gemm = {.run = run,
             .prepare_many = prepare_many,
             .tokens_per_group = TOKENS,
             .unpacks_alone = true,
             .prepared_bytes = group_bytes,
             .scratch_bytes = scratch_bytes,
             .multiply = "int8_tiles.rows16_k64.amx_int8"},
};
