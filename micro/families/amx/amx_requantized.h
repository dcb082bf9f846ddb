/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles, for many tokens, of formats with scales of few columns: the weights of a row are requantized to int8 with
 * one scale for 256 columns, and so are the activations, so that a tile of sums lasts four tdp of 64 columns before it is scaled; with a scale
 * for every 32 columns (micro/families/amx/amx_block32_m16.h) it lasts half of one.
 *
 *     s = max|w| of the row's 256 columns / 127     q = round(w / s) in [-127, 127]     |w - q s| <= max|w| / 254
 *
 * Two such runs of columns of 16 rows, 8 KB, stay in the first-level cache while tokens pass, as many as have 1 MB of operand, which stays in the
 * second level while all panels pass; what comes next is requantized into the other of two buffers, a run beside each of the first blocks of
 * 32 tokens. Results of a panel lie side by side until its last run: where they go is often a power of two apart, in few sets of a cache. Both runs are multiplied in turns, so that four tiles
 * of sums are under way, and scaled while the next tokens are multiplied.
 *
 *     tmm0 tmm1    a run, tokens 0-15, 16-31      tmm6    weights          tmm4, 5    tokens 0-15, 16-31, of one run, then of the other
 *     tmm2 tmm3    the other
 *
 * Predicted, not measured: 8 cycles of tdp for 16 tokens and 32 columns, and 4 to 6 of scaling beside them, where a scale for every
 * 32 columns takes 32; requantizing comes once for all tokens, 80 cycles of Q4_0 for as many columns. It pays above 48 to 64 tokens.
 *
 * Panels have 16 rows. The including file defines requantize(slice, panel, first, columns, q, scale), which writes
 * this many columns (256, the last of K fewer) from the first on of panel number `panel`; scale_of(panel, row, column) and
 * code_value(panel, row, column), whose product, exact in a float, is the weight. A q is rint((scale * factor) * value), factor being
 * 127 / max|w|; factor and both products are rounded to floats. Of codes of 4 bits the q of a row are looked up in 16 bytes, a table for each row: below.
 */
#ifndef MICRO_FAMILIES_AMX_AMX_REQUANTIZED_H
#define MICRO_FAMILIES_AMX_AMX_REQUANTIZED_H

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "micro/families/amx/amx_runs.h"
#include "micro/isa/half.h"

enum {
    TOKENS = 32,
    RUN_ROWS = 16,
    RUN_BYTES = RUN_COLUMNS * RUN_ROWS,
    PIECE_RUNS = 2,
};

/** A run of columns of 32 tokens. */
struct operand {
    int8_t q[RUN_STEPS][TOKENS][64];
    float scale[TOKENS];
} __attribute__((aligned(64)));

/** Some runs of a panel, requantized. */
struct piece {
    int8_t q[PIECE_RUNS][RUN_BYTES]; /* [64 columns][16 lines][16 rows][4] */
    float scale[PIECE_RUNS][RUN_ROWS];
} __attribute__((aligned(64)));

struct scratch {
    int32_t sums[2][PIECE_RUNS][TOKENS][RUN_ROWS]; /* of blocks of tokens in turn */
    struct piece pieces[2];
    float results[][RUN_ROWS]; /* of a panel and the tokens at once, until its last piece */
};

static void requantize(const struct gemm_slice *slice, size_t panel, size_t first, size_t columns, int8_t *q,
                       float *scale);
static float scale_of(const uint8_t *panel, uint32_t row, size_t column);
static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column);

/* ---- the parts of requantizing ---- */

/** The largest of the four bytes of each row. */
static inline __m512 largest_byte(__m512i bytes)
{
    bytes = _mm512_max_epu8(bytes, _mm512_srli_epi32(bytes, 16));
    bytes = _mm512_max_epu8(bytes, _mm512_srli_epi32(bytes, 8));
    return _mm512_cvtepi32_ps(_mm512_and_si512(bytes, _mm512_set1_epi32(255)));
}

/** Of max|w| of the rows the scales of the run; the factor that makes q of weights. */
static inline __m512 factor_of(__m512 most, float *scale)
{
    const __m512 steps = _mm512_set1_ps(127);
    __mmask16 any = _mm512_cmp_ps_mask(most, _mm512_setzero_ps(), _CMP_GT_OQ);
    _mm512_store_ps(scale, _mm512_div_ps(most, steps));
    return _mm512_maskz_div_ps(any, steps, most);
}

/** Four words of 32 bits of 16 rows to [row][4] bytes. */
static inline __m512i bytes_of(__m512i first, __m512i second, __m512i third, __m512i fourth)
{
    const __m512i rows_first =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m512i bytes = _mm512_packs_epi16(_mm512_packs_epi32(first, second), _mm512_packs_epi32(third, fourth));
    return _mm512_shuffle_epi8(bytes, rows_first);
}

/** Tables of 16 codes, of codes 4 i … 4 i + 3 and 16 rows in bytes[i] (bytes_of()): 128 bits number i of table j are of row 4 i + j. */
static inline void tables_of(const __m512i *bytes, __m512i *table)
{
    __m512i low = _mm512_unpacklo_epi32(bytes[0], bytes[1]), high = _mm512_unpackhi_epi32(bytes[0], bytes[1]);
    __m512i low_8 = _mm512_unpacklo_epi32(bytes[2], bytes[3]), high_8 = _mm512_unpackhi_epi32(bytes[2], bytes[3]);
    table[0] = _mm512_unpacklo_epi64(low, low_8);
    table[1] = _mm512_unpackhi_epi64(low, low_8);
    table[2] = _mm512_unpacklo_epi64(high, high_8);
    table[3] = _mm512_unpackhi_epi64(high, high_8);
}

/** q of codes 0 … 15 of 16 rows, [row][4]: four vpshufb, each for the rows that have its table in their 128 bits. */
static inline __m512i look_up(const __m512i *table, __m512i codes)
{
    const uint64_t row = 0x000f000f000f000f; /* bytes of the first row of each 128 bits */
    __m512i q = _mm512_shuffle_epi8(table[0], codes);
    q = _mm512_mask_shuffle_epi8(q, row << 4, table[1], codes);
    q = _mm512_mask_shuffle_epi8(q, row << 8, table[2], codes);
    return _mm512_mask_shuffle_epi8(q, row << 12, table[3], codes);
}

/* ---- multiplying ---- */

/** Some tokens on their way through pieces: the runs of each panel, PIECE_RUNS at a time. */
struct walk {
    const struct gemm_slice *slice;
    size_t first, end;   /* tokens */
    size_t runs, pieces; /* of a panel */
    struct scratch *scratch;
};

static size_t runs_of_piece(const struct walk *walk, size_t piece)
{
    return at_most(walk->runs - piece % walk->pieces * PIECE_RUNS, PIECE_RUNS);
}

static struct piece *piece_at(const struct walk *walk, size_t piece)
{
    return &walk->scratch->pieces[piece % 2];
}

static void requantize_run(const struct walk *walk, size_t piece, size_t run)
{
    const struct gemm_slice *slice = walk->slice;
    size_t first = (piece % walk->pieces * PIECE_RUNS + run) * RUN_COLUMNS;
    requantize(slice, piece / walk->pieces, first, at_most(slice->k - first, RUN_COLUMNS),
               piece_at(walk, piece)->q[run], piece_at(walk, piece)->scale[run]);
}

/** Of a piece, runs first …: one, or those that are left. */
static void requantize_runs(const struct walk *walk, size_t piece, size_t first, bool all)
{
    for (size_t run = first; run < runs_of_piece(walk, piece) && (all || run == first); run++)
        requantize_run(walk, piece, run);
}

/* 64 columns of 16 rows meet those of up to 16 tokens, or of up to 32 */
#define MULTIPLY_STEP(run, step, upper, lower)                                                                         \
    do {                                                                                                               \
        tile_load(6, weights->q[run] + (step)*TILE_BYTES, 64);                                                         \
        tile_load_streaming(4, operand[run].q[step][0], 64);                                                           \
        tile_multiply(tdpbssd, upper, 4, 6);                                                                           \
        if (tokens > TILE_ROWS) {                                                                                      \
            tile_load_streaming(5, operand[run].q[step][TILE_ROWS], 64);                                               \
            tile_multiply(tdpbssd, lower, 5, 6);                                                                       \
        }                                                                                                              \
    } while (0)

/** A piece with a block of tokens to its buffer of sums. */
static void multiply(const struct piece *weights, const struct operand *operand, size_t runs, size_t tokens,
                     int32_t (*sums)[TOKENS][RUN_ROWS])
{
    tile_zero(0);
    tile_zero(1);
    tile_zero(2);
    tile_zero(3);
    for (size_t step = 0; step < RUN_STEPS; step++) {
        MULTIPLY_STEP(0, step, 0, 1);
        if (runs > 1)
            MULTIPLY_STEP(1, step, 2, 3);
    }
    tile_store(0, sums[0][0], 64);
    tile_store(1, sums[0][TILE_ROWS], 64);
    tile_store(2, sums[1][0], 64);
    tile_store(3, sums[1][TILE_ROWS], 64);
}

/** Tokens token … of a piece. */
struct block {
    size_t token, tokens, runs;
    const struct operand *operand;
    int32_t (*sums)[TOKENS][RUN_ROWS];
};

static struct block block_of(const struct walk *walk, size_t piece, size_t token)
{
    return (struct block){
        .token = token,
        .tokens = at_most(walk->slice->tokens - token, TOKENS),
        .runs = runs_of_piece(walk, piece),
        .operand = (const struct operand *)walk->slice->prepared + token / TOKENS * walk->runs +
                   piece % walk->pieces * PIECE_RUNS,
        .sums = walk->scratch->sums[token / TOKENS % 2],
    };
}

/** A block's sums onto results, or to them where they are the first of their rows, and with the last to out. */
static void scale_sums(const struct walk *walk, size_t piece, const struct block *block)
{
    const struct gemm_slice *slice = walk->slice;
    const struct piece *weights = piece_at(walk, piece);
    const size_t of_panel = piece % walk->pieces;
    const __mmask16 again = of_panel ? 0xffff : 0;
    float *result = walk->scratch->results[block->token - walk->first];
    float *out = of_panel + 1 < walk->pieces
                     ? NULL
                     : slice->out + block->token * slice->out_stride + piece / walk->pieces * RUN_ROWS;
    for (size_t token = 0; token < block->tokens; token++, result += RUN_ROWS) {
        __m512 sum = _mm512_maskz_load_ps(again, result);
        for (size_t run = 0; run < block->runs; run++) {
            __m512 of_run = _mm512_cvtepi32_ps(_mm512_load_si512(block->sums[run][token]));
            __m512 factor =
                _mm512_mul_ps(_mm512_load_ps(weights->scale[run]), _mm512_set1_ps(block->operand[run].scale[token]));
            sum = _mm512_fmadd_ps(of_run, factor, sum);
        }
        if (out)
            tiles_put(out + token * slice->out_stride, 0xffff, sum, slice->tokens);
        else
            _mm512_store_ps(result, sum);
    }
}

/** A piece with all tokens, and the next one requantized, if there is one. */
static void run_piece(const struct walk *walk, size_t piece, bool fills)
{
    struct block former = {.tokens = 0};
    size_t next = 0;
    for (size_t token = walk->first; token < walk->end; token += TOKENS) {
        struct block block = block_of(walk, piece, token);
        multiply(piece_at(walk, piece), block.operand, block.runs, block.tokens, block.sums);
        if (fills)
            requantize_runs(walk, piece + 1, next++, false);
        if (former.tokens)
            scale_sums(walk, piece, &former);
        former = block;
    }
    if (fills)
        requantize_runs(walk, piece + 1, next, true);
    if (former.tokens)
        scale_sums(walk, piece, &former);
}

static void run(const struct gemm_slice *slice)
{
    size_t runs = runs_of(slice->k), pieces = (runs + PIECE_RUNS - 1) / PIECE_RUNS, all = slice->panels * pieces;
    struct walk walk = {.slice = slice, .runs = runs, .pieces = pieces, .scratch = slice->scratch};
    const size_t at_once = tiles_tokens_at_once(slice->tokens, TOKENS, runs * sizeof(struct operand));
    tiles_configure_whole();
    do {
        walk.end = at_most(slice->tokens, walk.first + at_once);
        requantize_runs(&walk, 0, 0, true);
        for (size_t piece = 0; piece < all; piece++)
            run_piece(&walk, piece, piece + 1 < all);
        walk.first = walk.end;
    } while (walk.end < slice->tokens);
    tiles_stored();
    tiles_release();
}

/** Enough for fewer tokens, too, which may be more at once. */
static size_t scratch_bytes(size_t k, size_t tokens)
{
    const size_t most = tiles_blocks_at_most(runs_of(k) * sizeof(struct operand)) * TOKENS;
    return sizeof(struct scratch) + at_most(tokens + TOKENS - 1, most) * RUN_ROWS * sizeof(float);
}

/* ---- operands ---- */

static size_t group_bytes(size_t k)
{
    return runs_of(k) * sizeof(struct operand);
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct operand *to = prepared;
    memset(prepared, 0, group_bytes(k));
    for (size_t column = 0; column < k; column += RUN_COLUMNS, to++) {
        for (size_t token = 0; token < tokens; token++) {
            struct q8_256 q8;
            quantize((const float *)activations + token * stride + column, at_most(k - column, RUN_COLUMNS), &q8);
            for (size_t step = 0; step < RUN_STEPS; step++)
                memcpy(to->q[step][token], q8.q + 64 * step, 64);
            to->scale[token] = q8.scale;
        }
    }
}

/* ---- what one token must give ---- */

/** The requantized weights times the quantized activations; what is requantized is the same to the last bit. */
static struct kernel_row requantized_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (size_t first = 0; first < k; first += RUN_COLUMNS) {
        size_t end = first + at_most(k - first, RUN_COLUMNS);
        float most = 0, scales[RUN_COLUMNS], values[RUN_COLUMNS]; /* read once */
        for (size_t column = first; column < end; column++) {
            const float own = scale_of(panel, row, column), value = (float)code_value(panel, row, column);
            most = fabsf(own * value) > most ? fabsf(own * value) : most;
            scales[column - first] = own;
            values[column - first] = value;
        }
        float scale = most / 127, factor = most > 0 ? 127 / most : 0;
        for (size_t column = first; column < end; column++) {
            float ratio = scales[column - first] * factor;
            double q = rintf(ratio * values[column - first]);
            double term = q * (double)scale * q8_256_value(prepared, column);
            sum.y += term;
            sum.magnitude += fabs(term);
        }
    }
    return sum;
}

/* Of struct kernel: weights and activations each off by so much of the largest, and both at once. */
#define AMX_REQUANTIZED                                                                                                \
    .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 256,                                           \
    .error_bound = Q8_ERROR_BOUND * (2 + Q8_ERROR_BOUND), .prepared_bytes = prepared_bytes, .prepare = prepare,        \
    .row = requantized_row
#define AMX_REQUANTIZED_GEMM                                                                                           \
    .run = run, .prepare_many = prepare_many, .tokens_per_group = TOKENS, .unpacks_alone = true,                       \
    .prepared_bytes = group_bytes, .scratch_bytes = scratch_bytes, .multiply = "int8_tiles.rows16_k64.amx_int8"

#define AMX_REQUANTIZED_KERNEL(prefetch)                                                                               \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = "int8_tiles.rows16_k64_loads.amx_int8", .prefetch_bytes = (prefetch), AMX_REQUANTIZED,                \
        .gemm = {AMX_REQUANTIZED_GEMM},                                                                                \
    }

#endif
