/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For many tokens: the weights of a row are requantized to int8 with one scale for 256 columns, and so are the activations, so that a
 * tile of sums lasts four tdp of 64 columns before it is scaled; with a scale for every 32 columns (tile.amx_int8.c) it lasts half of
 * one.
 *
 *     s = max|w| of the row's 256 columns / 127     q = round(w / s) in [-127, 127]     |w - q s| <= max|w| / 254
 *
 * A block has 16 codes, so a row's q are looked up in 16 bytes: 8 products and roundings make them for 16 rows, and four vpshufb, each
 * for the rows that have its table in their 128 bits, find 64 weights.
 *
 * Four such runs of columns of a panel, 16 KB, stay in the first-level cache while all tokens pass; what comes next is requantized into
 * the other of two buffers between the tdp of the first tokens.
 *
 * Predicted, not measured: 160 vector uops a block of 16 rows x 32 columns on two ports, 80 cycles once for all tokens; then 8 cycles
 * of tdp for 16 tokens and 4 to 6 of scaling beside them, where tile.amx_int8.c takes 32. It pays above 48 to 64 tokens.
 */
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/kernels/amx_tiles.h"
#include "micro/kernels/half.h"
#include "micro/kernels/q4_0_m16/layout.h"
#include "micro/kernels/q8_avx2.h"

enum {
    TOKENS = 32,
    RUN_COLUMNS = 256, /* with one scale */
    RUN_BLOCKS = RUN_COLUMNS / BLOCK_COLUMNS,
    RUN_STEPS = RUN_COLUMNS / 64,
    RUN_BYTES = RUN_COLUMNS * BLOCK_ROWS,
    PIECE_RUNS = 4,
    LINES = BLOCK_COLUMNS / 4, /* of a block, 64 bytes: 4 columns of 16 rows */
    MAGNITUDES = 8,            /* of a code: |code - 8| is 0 .. 8 */
};

/** A run of columns of 32 tokens. */
struct operand {
    int8_t q[RUN_STEPS][TOKENS][64];
    float scale[TOKENS];
} __attribute__((aligned(64)));

/** Some runs of a panel, requantized. */
struct piece {
    int8_t q[PIECE_RUNS][RUN_BYTES]; /* [64 columns][16 lines][16 rows][4] */
    float scale[PIECE_RUNS][BLOCK_ROWS];
} __attribute__((aligned(64)));

struct scratch {
    int32_t sums[2][TOKENS][BLOCK_ROWS];
    struct piece pieces[2];
};

static size_t at_most(size_t value, size_t most)
{
    return value < most ? value : most;
}

static size_t runs_of(size_t k)
{
    return (k + RUN_COLUMNS - 1) / RUN_COLUMNS;
}

/* ---- requantizing ---- */

/** Low or high nibbles of a line: columns 4 line … of a block. */
static inline __m512i codes_of(const uint8_t *block, size_t line)
{
    __m512i bytes = _mm512_loadu_si512(block + BLOCK_CODES + line % 4 * 64);
    return _mm512_and_si512(line < 4 ? bytes : _mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(15));
}

/** max|w| of each row of a block. */
static inline __m512 largest_of(const uint8_t *block, __m512 scale)
{
    __m512i most = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (size_t line = 0; line < LINES; line++) {
        __m512i weights = _mm512_sub_epi8(codes_of(block, line), _mm512_set1_epi8(8));
        most = _mm512_max_epu8(most, _mm512_abs_epi8(weights));
    }
    most = _mm512_max_epu8(most, _mm512_srli_epi32(most, 16));
    most = _mm512_max_epu8(most, _mm512_srli_epi32(most, 8));
    most = _mm512_and_si512(most, _mm512_set1_epi32(255));
    return _mm512_mul_ps(_mm512_abs_ps(scale), _mm512_cvtepi32_ps(most));
}

/** Four words of 32 bits of 16 rows to [row][4] bytes. */
static inline __m512i bytes_of(__m512i first, __m512i second, __m512i third, __m512i fourth)
{
    const __m512i rows_first =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m512i bytes = _mm512_packs_epi16(_mm512_packs_epi32(first, second), _mm512_packs_epi32(third, fourth));
    return _mm512_shuffle_epi8(bytes, rows_first);
}

/** q of the 16 codes: 128 bits number i of table j are of row 4 i + j. ratio: scale of the block / scale of the run. */
static inline void tables_make(__m512 ratio, __m512i *table)
{
    __m512i q[MAGNITUDES + 1];
#pragma GCC unroll 9
    for (int i = 0; i <= MAGNITUDES; i++)
        q[i] = _mm512_cvtps_epi32(_mm512_mul_ps(ratio, _mm512_set1_ps((float)i)));
    const __m512i zero = _mm512_setzero_si512();
    __m512i codes_0 = _mm512_sub_epi8(zero, bytes_of(q[8], q[7], q[6], q[5]));
    __m512i codes_4 = _mm512_sub_epi8(zero, bytes_of(q[4], q[3], q[2], q[1]));
    __m512i codes_8 = bytes_of(q[0], q[1], q[2], q[3]), codes_12 = bytes_of(q[4], q[5], q[6], q[7]);
    __m512i low = _mm512_unpacklo_epi32(codes_0, codes_4), high = _mm512_unpackhi_epi32(codes_0, codes_4);
    __m512i low_8 = _mm512_unpacklo_epi32(codes_8, codes_12), high_8 = _mm512_unpackhi_epi32(codes_8, codes_12);
    table[0] = _mm512_unpacklo_epi64(low, low_8);
    table[1] = _mm512_unpackhi_epi64(low, low_8);
    table[2] = _mm512_unpacklo_epi64(high, high_8);
    table[3] = _mm512_unpackhi_epi64(high, high_8);
}

static inline void requantize_block(const uint8_t *block, __m512 ratio, int8_t *to)
{
    const uint64_t row = 0x000f000f000f000f; /* bytes of the first row of each 128 bits */
    __m512i table[4];
    tables_make(ratio, table);
#pragma GCC unroll 8
    for (size_t line = 0; line < LINES; line++) {
        __m512i codes = codes_of(block, line), q = _mm512_shuffle_epi8(table[0], codes);
        q = _mm512_mask_shuffle_epi8(q, row << 4, table[1], codes);
        q = _mm512_mask_shuffle_epi8(q, row << 8, table[2], codes);
        q = _mm512_mask_shuffle_epi8(q, row << 12, table[3], codes);
        _mm512_store_si512(to + 64 * line, q);
    }
}

/** So many blocks to a run of a piece; what of its columns they leave over meets activations of 0. */
static void requantize(const uint8_t *from, size_t blocks, size_t prefetch_bytes, int8_t *q, float *run_scale)
{
    __m512 scale[RUN_BLOCKS], most = _mm512_setzero_ps();
    for (size_t i = 0; i < blocks; i++) {
        const uint8_t *block = from + i * BLOCK_BYTES;
        for (size_t line = 0; prefetch_bytes && line < BLOCK_BYTES; line += 64)
            _mm_prefetch((const char *)((uintptr_t)block + prefetch_bytes + line), _MM_HINT_T0);
        scale[i] = _mm512_cvtph_ps(_mm256_loadu_si256((const void *)block));
        most = _mm512_max_ps(most, largest_of(block, scale[i]));
    }
    const __m512 steps = _mm512_set1_ps(127);
    __mmask16 any = _mm512_cmp_ps_mask(most, _mm512_setzero_ps(), _CMP_GT_OQ);
    __m512 factor = _mm512_maskz_div_ps(any, steps, most);
    _mm512_store_ps(run_scale, _mm512_div_ps(most, steps));
    for (size_t i = 0; i < blocks; i++)
        requantize_block(from + i * BLOCK_BYTES, _mm512_mul_ps(scale[i], factor), q + i * LINES * 64);
}

/* ---- multiplying ---- */

/** A call on its way through pieces: the runs of each panel, PIECE_RUNS at a time. */
struct walk {
    const struct gemm_slice *slice;
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
    size_t first = (piece % walk->pieces * PIECE_RUNS + run) * RUN_BLOCKS;
    const uint8_t *panel = slice->weights + piece / walk->pieces * slice->panel_bytes;
    requantize(panel + first * BLOCK_BYTES, at_most(slice->k / BLOCK_COLUMNS - first, RUN_BLOCKS),
               slice->prefetch_bytes, piece_at(walk, piece)->q[run], piece_at(walk, piece)->scale[run]);
}

/* 64 columns of 16 rows meet those of up to 16 tokens, or of up to 32 */
#define MULTIPLY(upper, lower)                                                                                         \
    do {                                                                                                               \
        tile_zero(upper);                                                                                              \
        tile_zero(lower);                                                                                              \
        for (size_t step = 0; step < RUN_STEPS; step++) {                                                              \
            tile_load(6, q + step * TILE_BYTES, 64);                                                                   \
            tile_load(4, operand->q[step][0], 64);                                                                     \
            tile_multiply(tdpbssd, upper, 4, 6);                                                                       \
            if (tokens > TILE_ROWS) {                                                                                  \
                tile_load(5, operand->q[step][TILE_ROWS], 64);                                                         \
                tile_multiply(tdpbssd, lower, 5, 6);                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        tile_store(upper, sums, 64);                                                                                   \
        if (tokens > TILE_ROWS)                                                                                        \
            tile_store(lower, sums + TILE_ROWS * BLOCK_ROWS, 64);                                                      \
    } while (0)

/** Runs take turns in tiles and buffers of sums, so that one is scaled while the next is multiplied. */
static inline void multiply(const struct walk *walk, const int8_t *q, const struct operand *operand, size_t run,
                            size_t tokens)
{
    int32_t *sums = walk->scratch->sums[run % 2][0];
    if (run % 2)
        MULTIPLY(2, 3);
    else
        MULTIPLY(0, 1);
}

/** A run's sums onto out, or to it where they are the panel's first. */
static inline void scale_sums(const struct gemm_slice *slice, const int32_t *sums, const float *weights_scale,
                              const struct operand *operand, size_t tokens, float *out, bool first)
{
    const __m512 weights = _mm512_load_ps(weights_scale);
    for (size_t token = 0; token < tokens; token++, out += slice->out_stride) {
        __m512 sum = _mm512_cvtepi32_ps(_mm512_load_si512(sums + token * BLOCK_ROWS));
        __m512 factor = _mm512_mul_ps(weights, _mm512_set1_ps(operand->scale[token]));
        _mm512_storeu_ps(out, _mm512_fmadd_ps(sum, factor, first ? _mm512_setzero_ps() : _mm512_loadu_ps(out)));
    }
}

/** A piece with tokens token … token + 31; with the first the next piece is requantized. */
static void run_tokens(const struct walk *walk, size_t piece, size_t token, bool fills)
{
    const struct gemm_slice *slice = walk->slice;
    const struct piece *weights = piece_at(walk, piece);
    size_t tokens = at_most(slice->tokens - token, TOKENS), runs = runs_of_piece(walk, piece);
    size_t chunk = piece % walk->pieces, next = fills ? runs_of_piece(walk, piece + 1) : 0;
    const struct operand *operand =
        (const struct operand *)slice->prepared + token / TOKENS * walk->runs + chunk * PIECE_RUNS;
    float *out = slice->out + token * slice->out_stride + piece / walk->pieces * BLOCK_ROWS;
    for (size_t run = 0; run <= runs || run < next; run++) {
        if (run < runs)
            multiply(walk, weights->q[run], &operand[run], run, tokens);
        if (run < next)
            requantize_run(walk, piece + 1, run);
        if (run > 0 && run <= runs)
            scale_sums(slice, walk->scratch->sums[(run - 1) % 2][0], weights->scale[run - 1], &operand[run - 1], tokens,
                       out, chunk == 0 && run == 1);
    }
}

static void configure(void)
{
    struct tile_configuration configuration = {.palette = 1};
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = TILE_ROW_BYTES;
        configuration.rows[tile] = TILE_ROWS;
    }
    tiles_configure(&configuration);
}

static void run(const struct gemm_slice *slice)
{
    size_t runs = runs_of(slice->k), pieces = (runs + PIECE_RUNS - 1) / PIECE_RUNS;
    const struct walk walk = {.slice = slice, .runs = runs, .pieces = pieces, .scratch = slice->scratch};
    size_t all = slice->panels * pieces;
    configure();
    for (size_t first = 0; first < runs_of_piece(&walk, 0); first++)
        requantize_run(&walk, 0, first);
    for (size_t piece = 0; piece < all; piece++) {
        for (size_t token = 0; token < slice->tokens; token += TOKENS)
            run_tokens(&walk, piece, token, token == 0 && piece + 1 < all);
        for (size_t run = 0; !slice->tokens && piece + 1 < all && run < runs_of_piece(&walk, piece + 1); run++)
            requantize_run(&walk, piece + 1, run); /* alone */
    }
    tiles_release();
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k, (void)tokens;
    return sizeof(struct scratch);
}

/* ---- operands ---- */

/** A run of a token, with zeros behind k. */
static void quantize(const float *x, size_t columns, struct q8_256 *to)
{
    float padded[RUN_COLUMNS] = {0};
    if (columns < RUN_COLUMNS)
        x = memcpy(padded, x, columns * sizeof *x);
    q8_256_make(x, RUN_COLUMNS, to);
}

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

static size_t prepared_bytes(size_t k)
{
    return runs_of(k) * sizeof(struct q8_256);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct q8_256 *to = prepared;
    for (size_t column = 0; column < k; column += RUN_COLUMNS)
        quantize((const float *)activations + column, at_most(k - column, RUN_COLUMNS), to++);
}

static float block_scale(const uint8_t *panel, uint32_t row, size_t column)
{
    uint16_t scale;
    memcpy(&scale, panel + column / BLOCK_COLUMNS * BLOCK_BYTES + 2 * row, sizeof scale);
    return half_to_float(scale);
}

static int32_t code_less_8(const uint8_t *panel, uint32_t row, size_t column)
{
    size_t in_block = column % BLOCK_COLUMNS, line = in_block % 16 / 4;
    const uint8_t *block = panel + column / BLOCK_COLUMNS * BLOCK_BYTES;
    return (block[BLOCK_CODES + line * 64 + 4 * row + in_block % 4] >> in_block / 16 * 4 & 15) - 8;
}

/** The requantized weights times the quantized activations; what is requantized is the same to the last bit. */
static struct kernel_row requantized_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (size_t first = 0; first < k; first += RUN_COLUMNS) {
        size_t end = first + at_most(k - first, RUN_COLUMNS);
        float most = 0;
        for (size_t column = first; column < end; column++)
            most = fmaxf(most, fabsf(block_scale(panel, row, column) * (float)code_less_8(panel, row, column)));
        float scale = most / 127, factor = most > 0 ? 127 / most : 0;
        for (size_t column = first; column < end; column++) {
            float ratio = block_scale(panel, row, column) * factor;
            double q = rintf(ratio * (float)code_less_8(panel, row, column));
            double term = q * (double)scale * q8_256_value(prepared, column);
            sum.y += term;
            sum.magnitude += fabs(term);
        }
    }
    return sum;
}

extern const struct format SELF_FORMAT;

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
    /* weights and activations each off by so much of the largest, and both at once */
    .error_bound = Q8_ERROR_BOUND * (2 + Q8_ERROR_BOUND),
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = requantized_row,
    .gemm = {.run = run,
             .prepare_many = prepare_many,
             .tokens_per_group = TOKENS,
             .unpacks_alone = true,
             .prepared_bytes = group_bytes,
             .scratch_bytes = scratch_bytes,
             .multiply = "int8_tiles.rows16_k64.amx_int8"},
};
