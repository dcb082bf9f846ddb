/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles, for many tokens, of weights that lie row by row with scales of few columns: runs of 256 columns of a row are requantized to
 * int8 with one scale, and so are the activations, so that a tile of sums lasts four tdp of 64 columns before it is scaled.
 *
 *     s = max|w| of the row's 256 columns / 127     q ~ w / s in [-127, 127]
 *
 * Weights are A, so that 64 bytes of a row are a line of a tile and nothing is transposed; activations are B, groups of 16 tokens whose columns lie
 * side by side by dwords, made so once. Two tiles of rows meet two of tokens, four tdp for four loads:
 *
 *     tmm0 tmm1    rows 0-15     tokens 0-15, 16-31        tmm4, 5    tokens 0-15, 16-31      tmm6    rows 0-15, then 16-31
 *     tmm2 tmm3    rows 16-31
 *
 * 32 rows are requantized into one of two buffers in the second-level cache, a run beside any four tdp, while the 32 rows before meet all tokens.
 * Their results stay in the first level meanwhile. What tokens have of operand stays in the second while all rows pass: 1 MB, so that many tokens
 * go by some at a time, for each of which rows are requantized again, and a long K by parts, whose results are added in memory (walk_of()).
 *
 * The including file has defined
 *
 *   struct requantizing        a run of a row on its way to q, with what a q is worth in `scale`
 *
 * and defines, before AMX_REQUANTIZED_ROWS,
 *
 *   struct requantizing requantize_begin(const uint8_t *row, size_t run, size_t columns)
 *        256 columns, the last of K fewer
 *   __m512i requantize_line(const struct requantizing *run, size_t line)
 *        q of columns 64 line …; what they leave over meets activations of 0
 *   float requantized_row(const uint8_t *row, size_t run, size_t columns, struct requantized *to)
 *        the same to the last bit, and how much rounding it may have undergone
 */
#ifndef MICRO_FAMILIES_AMX_AMX_REQUANTIZED_ROWS_H
#define MICRO_FAMILIES_AMX_AMX_REQUANTIZED_ROWS_H

#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "micro/families/amx/amx_runs.h"
#include "micro/isa/half.h"
#include "micro/isa/transpose16.h"

enum {
    TOKENS = 32,
    ROWS = 32,
    AMX_LINES_APART = 2 * TILE_BYTES, /* two tiles of rows a step */
    BLOCKS_AT_ONCE = 2,               /* blocks of tokens that a run of weights meets one after the other */
    RUNS_LEAST = 8,                   /* of a part of K, which is divided if it has more than twice as many */
};

/** A run of columns of 32 tokens. */
struct operand {
    int8_t q[RUN_STEPS][2][TILE_BYTES]; /* [16 lines of 4 columns][16 tokens][4] */
    float scale[TOKENS];
} __attribute__((aligned(64)));

/** A run of columns of 32 rows. */
struct weights {
    int8_t q[RUN_STEPS][2][TILE_BYTES]; /* [16 rows][64 columns] */
    float scale[ROWS];
} __attribute__((aligned(64)));

/** [rows 0-15, 16-31][tokens 0-15, 16-31]: tiles 0 to 3. */
typedef int32_t tile_sums[4][TILE_ROWS][16];
typedef float tile_results[4][TILE_ROWS][16];

struct scratch {
    tile_sums sums[2]; /* of a run, of the next one */
    tile_results results[BLOCKS_AT_ONCE];
    struct weights weights[]; /* [2][runs] */
} __attribute__((aligned(64)));

/** A run of a row, as what it must give is defined. */
struct requantized {
    int32_t q[RUN_COLUMNS];
    double magnitude[RUN_COLUMNS]; /* of the terms that were added to a weight */
};

static inline struct requantizing requantize_begin(const uint8_t *row, size_t run, size_t columns);
static inline __m512i requantize_line(const struct requantizing *run, size_t line);
static float requantized_row(const uint8_t *row, size_t run, size_t columns, struct requantized *to);

/** Pairs of tiles of rows on their way through a call: all of them for some tokens, then for the next. */
struct walk {
    const struct gemm_slice *slice;
    struct scratch *scratch;
    size_t runs, pairs, all;         /* all: pairs times as often as they pass */
    size_t at_once, parts, together; /* runs, and how often so many, or the rest, are all; blocks of tokens */
};

/** Some runs of a pair. */
struct part {
    size_t pair, first, runs;
};

static struct part part_of(const struct walk *walk, size_t pass)
{
    const size_t first = pass / walk->pairs % walk->parts * walk->at_once;
    return (struct part){pass % walk->pairs, first, at_most(walk->runs - first, walk->at_once)};
}

static size_t rows_there(const struct gemm_slice *slice, size_t pair)
{
    return at_most(slice->panels - pair * ROWS, ROWS);
}

static struct weights *weights_at(const struct walk *walk, size_t pass)
{
    return walk->scratch->weights + pass % 2 * walk->at_once;
}

/* ---- requantizing ---- */

/** Runs of a pair, row after row, a few at a time. */
struct filler {
    const struct walk *walk;
    struct weights *to;
    struct part part;
    const uint8_t *rows;
    size_t run_bytes, ahead, row, run, left, at_once;
};

static struct filler filler_of(const struct walk *walk, size_t pass, size_t blocks)
{
    const struct gemm_slice *slice = walk->slice;
    const struct part part = part_of(walk, pass);
    return (struct filler){
        .walk = walk,
        .to = weights_at(walk, pass),
        .part = part,
        .rows = slice->weights + part.pair * ROWS * slice->panel_bytes,
        .run_bytes = slice->panel_bytes / walk->runs,
        .ahead = slice->prefetch_bytes && walk->parts > 1 ? slice->panel_bytes : slice->prefetch_bytes,
        .left = pass < walk->all ? rows_there(slice, part.pair) * part.runs : 0,
        .at_once = blocks ? (ROWS / RUN_STEPS + blocks - 1) / blocks : SIZE_MAX,
    };
}

/** The next run begins; where its first line goes. */
static inline __attribute__((always_inline)) int8_t *fill_begin(struct filler *filler,
                                                                struct requantizing *requantizing)
{
    const struct gemm_slice *slice = filler->walk->slice;
    struct weights *to = filler->to + filler->run;
    int8_t *line = to->q[0][0] + filler->row * TILE_ROW_BYTES;
    const uint8_t *row = filler->rows + filler->row * slice->panel_bytes;
    const size_t run = filler->part.first + filler->run;
    const uintptr_t ahead = (uintptr_t)row + run * filler->run_bytes + filler->ahead;
    for (size_t at = 0; filler->ahead && at < filler->run_bytes; at += 64)
        _mm_prefetch((const char *)(ahead + at), _MM_HINT_T0);
    *requantizing = requantize_begin(row, run, at_most(slice->k - run * RUN_COLUMNS, RUN_COLUMNS));
    to->scale[filler->row] = requantizing->scale;
    filler->left--;
    if (++filler->run == filler->part.runs) {
        filler->run = 0;
        filler->row++;
    }
    return line;
}

/** Its lines; to: none if NULL. */
static inline __attribute__((always_inline)) void fill_end(const struct requantizing *requantizing, int8_t *to)
{
#pragma GCC unroll 4
    for (size_t line = 0; to && line < RUN_STEPS; line++)
        _mm512_store_si512(to + line * AMX_LINES_APART, requantize_line(requantizing, line));
}

static __attribute__((noinline)) void fill(struct filler *filler, size_t most)
{
    for (size_t i = at_most(most, filler->left); i; i--) {
        struct requantizing requantizing;
        int8_t *to = fill_begin(filler, &requantizing);
        fill_end(&requantizing, to);
    }
}

/* ---- multiplying ---- */

/** A run of weights with up to 32 tokens. */
struct product {
    const struct weights *weights;
    const struct operand *operand;
    float *results; /* of tile_results */
    bool both, first;
};

/** Some rows of tile `tile` of sums onto results. */
static inline __attribute__((always_inline)) void
scale_rows(const struct product *product, int32_t (*sums)[TILE_ROWS][16], size_t tile, size_t first, size_t rows)
{
    const __m512 tokens = _mm512_load_ps(product->operand->scale + tile % 2 * 16);
    const __mmask16 again = product->first ? 0 : 0xffff;
    float *results = product->results + (tile * TILE_ROWS + first) * 16;
#pragma GCC unroll 16
    for (size_t row = first; row < first + rows; row++, results += 16) {
        const __m512 factor = _mm512_mul_ps(tokens, _mm512_set1_ps(product->weights->scale[tile / 2 * 16 + row]));
        const __m512 sum = _mm512_cvtepi32_ps(_mm512_load_si512(sums[tile][row]));
        _mm512_store_ps(results, _mm512_fmadd_ps(sum, factor, _mm512_maskz_load_ps(again, results)));
    }
}

/**
 * 64 columns, four tdp. After each comes a quarter of a tile of the sums before; a run of the rows after begins before them and ends after them,
 * since finding its scale takes as long as they do. In one piece either would keep the tdp that follow from being seen.
 */
static inline __attribute__((always_inline)) void multiply_step(const struct product *product, size_t step,
                                                                const struct product *former,
                                                                int32_t (*former_sums)[TILE_ROWS][16],
                                                                struct filler *filler)
{
    const int8_t *w = product->weights->q[step][0], *x = product->operand->q[step][0];
    const bool scales = former->weights && (former->both || step % 2 == 0);
    struct requantizing requantizing;
    int8_t *to = filler->left ? fill_begin(filler, &requantizing) : NULL;
    tile_load(6, w, 64);
    tile_load_streaming(4, x, 64);
    tile_multiply(tdpbssd, 0, 6, 4);
    if (scales)
        scale_rows(former, former_sums, step, 0, 4);
    if (product->both) {
        tile_load_streaming(5, x + TILE_BYTES, 64);
        tile_multiply(tdpbssd, 1, 6, 5);
    }
    tile_load_at(6, w, 1024, 64);
    if (scales)
        scale_rows(former, former_sums, step, 4, 4);
    tile_multiply(tdpbssd, 2, 6, 4);
    if (scales)
        scale_rows(former, former_sums, step, 8, 4);
    if (product->both)
        tile_multiply(tdpbssd, 3, 6, 5);
    if (scales)
        scale_rows(former, former_sums, step, 12, 4);
    fill_end(&requantizing, to);
    if (filler->at_once > 1 && filler->left)
        fill(filler, filler->at_once - 1);
}

static void multiply(const struct product *product, tile_sums sums, const struct product *former,
                     int32_t (*former_sums)[TILE_ROWS][16], struct filler *filler)
{
    tile_zero(0);
    tile_zero(1);
    tile_zero(2);
    tile_zero(3);
    for (size_t step = 0; step < RUN_STEPS; step++)
        multiply_step(product, step, former, former_sums, filler);
    tile_store(0, sums[0], 64);
    tile_store(2, sums[2], 64);
    if (product->both) {
        tile_store(1, sums[1], 64);
        tile_store(3, sums[3], 64);
    }
}

/** Of 16 rows and up to 16 tokens, transposed: to `out`, or of all parts of K but the first onto it. */
static void put_tile(const struct walk *walk, const struct part *part, float (*results)[16], size_t tokens, size_t rows,
                     float *out)
{
    const __mmask16 there = (__mmask16)((1u << rows) - 1);
    const size_t tokens_past_caches = walk->parts > 1 ? 0 : walk->slice->tokens;
    __m512i lines[16];
    for (size_t row = 0; row < 16; row++)
        lines[row] = _mm512_load_si512(results[row]);
    transpose_16(lines);
    for (size_t token = 0; token < tokens; token++, out += walk->slice->out_stride) {
        __m512 line = _mm512_castsi512_ps(lines[token]);
        if (part->first)
            line = _mm512_add_ps(line, _mm512_maskz_loadu_ps(there, out));
        tiles_put(out, there, line, tokens_past_caches);
    }
}

static void put_block(const struct walk *walk, const struct part *part, size_t token, tile_results results)
{
    const struct gemm_slice *slice = walk->slice;
    const size_t tokens = at_most(slice->tokens - token, TOKENS), rows = rows_there(slice, part->pair);
    for (size_t tile = 0; tile < 4; tile++) {
        const size_t row = tile / 2 * 16, first = tile % 2 * 16;
        if (row < rows && first < tokens)
            put_tile(walk, part, results[tile], at_most(tokens - first, 16), at_most(rows - row, 16),
                     slice->out + (token + first) * slice->out_stride + part->pair * ROWS + row);
    }
}

/** Of the results that a block is added to, the share of the run-th product of its part. */
static void prefetch_results(const struct walk *walk, const struct part *part, size_t run, size_t token)
{
    const struct gemm_slice *slice = walk->slice;
    const size_t end = at_most(slice->tokens, token + (run + 1) * TOKENS / part->runs);
    for (size_t at = token + run * TOKENS / part->runs; part->first && at < end; at++) {
        const uintptr_t out = (uintptr_t)(slice->out + at * slice->out_stride + part->pair * ROWS);
        _mm_prefetch((const char *)out, _MM_HINT_T0);
        _mm_prefetch((const char *)(out + 64), _MM_HINT_T0);
    }
}

/** 32 rows with tokens `token` to `end`, a block or a few. */
static void run_blocks(const struct walk *walk, size_t pass, size_t token, size_t end, struct filler *filler)
{
    struct scratch *scratch = walk->scratch;
    const struct part part = part_of(walk, pass);
    struct product former = {.weights = NULL};
    size_t turn = 0;
    for (size_t run = 0; run < part.runs; run++) {
        for (size_t at = token; at < end; at += TOKENS, turn++) {
            const struct product product = {
                .weights = weights_at(walk, pass) + run,
                .operand = (const struct operand *)walk->slice->prepared + at / TOKENS * walk->runs + part.first + run,
                .results = scratch->results[(at - token) / TOKENS][0][0],
                .both = walk->slice->tokens - at > TILE_ROWS,
                .first = run == 0,
            };
            prefetch_results(walk, &part, run, at);
            multiply(&product, scratch->sums[turn % 2], &former, scratch->sums[(turn + 1) % 2], filler);
            former = product;
        }
    }
    for (size_t tile = 0; tile < 4; tile++)
        scale_rows(&former, scratch->sums[(turn + 1) % 2], tile, 0, TILE_ROWS);
    for (size_t at = token; at < end; at += TOKENS)
        put_block(walk, &part, at, scratch->results[(at - token) / TOKENS]);
}

/**
 * How K and tokens are divided: an operand of some runs and blocks of tokens stays in the second level while all rows pass. Where K is long, results of
 * a part are added to those of the part before: that takes less than requantizing all rows again for each few tokens.
 */
static struct walk walk_of(const struct gemm_slice *slice)
{
    const size_t runs = runs_of(slice->k), pairs = (slice->panels + ROWS - 1) / ROWS;
    const size_t blocks = (slice->tokens + TOKENS - 1) / TOKENS;
    const size_t fit = TILES_OPERAND_BYTES / sizeof(struct operand); /* runs of a block */
    const size_t least = runs > 2 * RUNS_LEAST ? RUNS_LEAST : runs,
                 most = blocks ? at_most(fit / blocks + 1, runs) : runs;
    const size_t at_once = most > least ? most : least, together = fit / at_once + 1;
    const size_t parts = (runs + at_once - 1) / at_once;
    const size_t passes = blocks ? (blocks + together - 1) / together : 1;
    return (struct walk){.slice = slice,
                         .scratch = slice->scratch,
                         .runs = runs,
                         .pairs = pairs,
                         .all = pairs * parts * passes,
                         .at_once = at_once,
                         .parts = parts,
                         .together = together};
}

/** As before a multiplication. */
static void unpack_all(const struct walk *walk)
{
    for (size_t pair = 0; pair < walk->pairs; pair++) {
        struct filler filler = filler_of(walk, pair, 0);
        fill(&filler, SIZE_MAX);
    }
}

static void run(const struct gemm_slice *slice)
{
    const struct walk walk = walk_of(slice);
    if (!slice->tokens) {
        unpack_all(&walk);
        return;
    }
    tiles_configure_whole();
    struct filler first = filler_of(&walk, 0, 0);
    fill(&first, SIZE_MAX);
    for (size_t pass = 0; pass < walk.all; pass++) {
        const size_t token = pass / walk.pairs / walk.parts * walk.together * TOKENS;
        const size_t end = at_most(slice->tokens, token + walk.together * TOKENS);
        struct filler next = filler_of(&walk, pass + 1, (end - token + TOKENS - 1) / TOKENS);
        for (size_t at = token; at < end; at += BLOCKS_AT_ONCE * TOKENS)
            run_blocks(&walk, pass, at, at_most(end, at + BLOCKS_AT_ONCE * TOKENS), &next);
        fill(&next, SIZE_MAX);
    }
    tiles_stored();
    tiles_release();
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)tokens;
    return sizeof(struct scratch) + 2 * runs_of(k) * sizeof(struct weights);
}

/* ---- operands ---- */

static size_t group_bytes(size_t k)
{
    return runs_of(k) * sizeof(struct operand);
}

/** A run of 16 tokens, a group, to lines of four columns. */
static void put_group(const struct q8_256 *q8, size_t group, struct operand *to)
{
    for (size_t step = 0; step < RUN_STEPS; step++) {
        __m512i lines[16];
        for (size_t token = 0; token < 16; token++)
            lines[token] = _mm512_load_si512(q8[token].q + 64 * step);
        transpose_16(lines);
        for (size_t line = 0; line < 16; line++)
            _mm512_store_si512(to->q[step][group] + 64 * line, lines[line]);
    }
    for (size_t token = 0; token < 16; token++)
        to->scale[16 * group + token] = q8[token].scale;
}

/** Tokens that are not there are zero. Weak: one function of all formats, by which prompts of mixed types know that they read the same operand. */
__attribute__((weak)) void amx_requantized_rows_prepare(const void *activations, size_t stride, size_t k, size_t tokens,
                                                        void *prepared);
void amx_requantized_rows_prepare(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    struct operand *to = prepared;
    for (size_t column = 0; column < k; column += RUN_COLUMNS, to++) {
        for (size_t group = 0; group < 2; group++) {
            struct q8_256 q8[16] = {0};
            for (size_t token = 16 * group; token < tokens && token < 16 * group + 16; token++)
                quantize((const float *)activations + token * stride + column, at_most(k - column, RUN_COLUMNS),
                         &q8[token % 16]);
            put_group(q8, group, to);
        }
    }
}

/* ---- what one token must give ---- */

/** The requantized weights times the quantized activations. */
static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    (void)row;
    for (size_t run = 0; run < runs_of(k); run++) {
        struct requantized weights;
        const size_t columns = at_most(k - run * RUN_COLUMNS, RUN_COLUMNS);
        const double scale = (double)requantized_row(panel, run, columns, &weights);
        for (size_t column = 0; column < columns; column++) {
            const double x = q8_256_value(prepared, run * RUN_COLUMNS + column);
            const double rounded = fabs(weights.q[column] * scale), added = weights.magnitude[column];
            sum.y += weights.q[column] * scale * x;
            sum.magnitude += (rounded > added ? rounded : added) * fabs(x);
        }
    }
    return sum;
}

/* weight_bound: largest |w - q s| over max|w|; activations are off by so much of the largest, too, and both at once */
#define AMX_REQUANTIZED_ROWS(weight_bound)                                                                             \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = "int8_tiles.rows16_k64_loads.amx_int8", .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32,            \
        .gives = KERNEL_GIVES_F32, .float_sums = 256,                                                                  \
        .error_bound = Q8_ERROR_BOUND + (weight_bound) * (1 + Q8_ERROR_BOUND), .prepared_bytes = prepared_bytes,       \
        .prepare = prepare, .row = row_of,                                                                             \
        .gemm = {.run = run,                                                                                           \
                 .prepare_many = amx_requantized_rows_prepare,                                                         \
                 .tokens_per_group = TOKENS,                                                                           \
                 .unpacks_alone = true,                                                                                \
                 .prepared_bytes = group_bytes,                                                                        \
                 .scratch_bytes = scratch_bytes,                                                                       \
                 .multiply = "int8_tiles.rows16_k64.amx_int8"},                                                        \
    }

extern const struct format SELF_FORMAT;

#endif
