/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_quantize.h. Parameters and codes are those of mixed24.h: a tile is fitted in the place of a step that has its kind.
 */
#include "micro/quantization/mixed_quantize.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/dense_product.h"
#include "micro/isa/half.h"
#include "micro/quantization/mixed24.h"

enum { ROWS = MIXED24_ROWS, GROUP = MIXED_GROUP, K_MOST = 1 << 16 };

#define OUTLIERS_MOST 0.1

static const uint32_t place_of_kind[MIXED_KINDS] = {
    [MIXED_BITS2_SCALE3] = 1, [MIXED_BITS2_SCALE4] = 0, [MIXED_BITS4] = 3};
static const uint32_t bits_of_kind[MIXED_KINDS] = {
    [MIXED_BITS2_SCALE3] = 2, [MIXED_BITS2_SCALE4] = 2, [MIXED_BITS4] = 4};

/** 16 rows, the last of a matrix with rows of zeros. */
struct block {
    size_t rows, k;
    float *given;  /* [ROWS][k] */
    double *w;     /* [ROWS][k]: what error feedback has made of them */
    bool *outlier; /* [ROWS][k] */
};

static void block_free(struct block *block)
{
    free(block->given);
    free(block->w);
    free(block->outlier);
}

static int block_alloc(size_t k, struct block *block)
{
    *block = (struct block){.k = k};
    block->given = malloc(ROWS * k * sizeof *block->given);
    block->w = malloc(ROWS * k * sizeof *block->w);
    block->outlier = malloc(ROWS * k * sizeof *block->outlier);
    if (block->given && block->w && block->outlier)
        return 0;
    block_free(block);
    return -ENOMEM;
}

static void block_load(const float *w, size_t m, size_t first, struct block *block)
{
    const size_t k = block->k;
    block->rows = m - first < ROWS ? m - first : ROWS;
    for (size_t i = 0; i < ROWS * k; i++) {
        block->given[i] = i < block->rows * k ? w[first * k + i] : 0;
        block->w[i] = (double)block->given[i];
        block->outlier[i] = false;
    }
}

/* ---------------------------------------------------------------- a tile */

static void fit(const struct block *block, size_t group, enum mixed_kind kind, struct mixed24_step *step)
{
    float w[ROWS][MIXED24_COLUMNS];
    bool outlier[ROWS][MIXED24_COLUMNS];
    const uint32_t place = place_of_kind[kind];
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < GROUP; c++) {
            const size_t at = r * block->k + group * GROUP + c;
            w[r][place * GROUP + c] = (float)block->w[at];
            outlier[r][place * GROUP + c] = block->outlier[at];
        }
    }
    mixed24_quantize_group(&w[0][0], MIXED24_COLUMNS, &outlier[0][0], place, step);
}

/** Largest finite binary16 for what is beyond it. */
static uint16_t half_within(double value)
{
    const double most = 65504;
    return half_from_float((float)fmax(-most, fmin(most, value)));
}

/** One weight: its code, and of an outlier the rest, which takes its place in block->w. @return the weight that it became */
static double encode_weight(struct block *block, size_t at, double scale, int32_t zero, uint32_t bits, uint8_t *code)
{
    *code = (uint8_t)mixed24_code((float)block->w[at], scale, zero, bits);
    const double dense = scale * (*code - zero);
    if (!block->outlier[at])
        return dense;
    block->w[at] = (double)half_to_float(half_within(block->w[at] - dense));
    return dense + block->w[at];
}

/**
 * Codes of a fitted tile, column by column from the last.
 *
 * @param factor  NULL, or N: each column's loss is taken off those before it
 */
static void encode(struct block *block, const double *factor, size_t group, enum mixed_kind kind,
                   struct mixed24_step *step)
{
    const size_t k = block->k, first = group * GROUP;
    const uint32_t place = place_of_kind[kind];
    double lost[ROWS][GROUP];
    for (size_t c = GROUP; c-- > 0;) {
        for (uint32_t r = 0; r < ROWS; r++) {
            const size_t row = r * k, at = row + first + c;
            const double w = block->w[at];
            const double became = encode_weight(block, at, mixed24_scale(step, place, r), mixed24_zero(step, place, r),
                                                bits_of_kind[kind], &step->code[r][place * GROUP + c]);
            if (!factor)
                continue;
            const double *n = factor + (first + c) * k;
            lost[r][c] = (w - became) / n[first + c];
            for (size_t j = first; j < first + c; j++)
                block->w[row + j] -= lost[r][c] * n[j];
        }
    }
    if (!factor)
        return;
    const struct dense_operand a = {&lost[0][0], GROUP, 1}, b = {factor + first * k, k, 1};
    dense_multiply_add(block->w, k, ROWS, first, GROUP, a, b, -1);
}

static void keep(const struct mixed24_step *step, enum mixed_kind kind, struct mixed_tile *tile)
{
    const uint32_t place = place_of_kind[kind];
    memset(tile, 0, sizeof *tile);
    for (size_t r = 0; r < ROWS; r++)
        memcpy(tile->code[r], step->code[r] + place * GROUP, GROUP);
    if (kind != MIXED_BITS4) {
        memcpy(tile->zero, step->zero[place], ROWS);
        memcpy(tile->scale, step->scale[place], ROWS);
    }
    tile->scale2 = step->scale2[place];
    tile->zero2 = step->zero2[place];
}

static double tile_weight(const struct mixed_tile *tile, enum mixed_kind kind, size_t row, size_t column)
{
    const double scale2 = half_to_float(tile->scale2);
    if (kind == MIXED_BITS4)
        return scale2 * (tile->code[row][column] - tile->zero2);
    return scale2 * (tile->scale[row] - tile->zero2) * (tile->code[row][column] - tile->zero[row]);
}

/* ---------------------------------------------------------------- which groups */

/** What a tile loses as one of this kind. */
static double loss_as(const struct block *block, const double *mean_square, size_t group, enum mixed_kind kind)
{
    struct mixed24_step step;
    double sum = 0;
    fit(block, group, kind, &step);
    for (uint32_t r = 0; r < block->rows; r++) {
        for (uint32_t c = 0; c < GROUP; c++) {
            const double w = block->w[r * block->k + group * GROUP + c];
            const double lost = w - mixed24_weight(&step, r, place_of_kind[kind] * GROUP + c);
            sum += mean_square[group * GROUP + c] * lost * lost;
        }
    }
    return sum;
}

/** What scales of 4 bits instead of 3 take off the loss of each 2-bit group. */
static void gain_of_scales(const float *w, const struct calibration *calibration, const struct mixed_matrix *matrix,
                           struct block *block, double *gain)
{
    for (size_t g = 0; g < matrix->groups; g++)
        gain[g] = 0;
    for (size_t r = 0; r < matrix->m; r += ROWS) {
        block_load(w, matrix->m, r, block);
        for (size_t g = 0; g < matrix->groups; g++) {
            if (matrix->kind[g] != MIXED_BITS4)
                gain[g] += loss_as(block, calibration->mean_square, g, MIXED_BITS2_SCALE3) -
                           loss_as(block, calibration->mean_square, g, MIXED_BITS2_SCALE4);
        }
    }
}

static int choose(const float *w, const struct calibration *calibration, double share, struct block *block,
                  struct mixed_matrix *matrix)
{
    const size_t four = mixed_count(share, matrix->groups), two = matrix->groups - four;
    double *value = malloc(matrix->groups * sizeof *value);
    if (!value)
        return -ENOMEM;
    memset(matrix->kind, MIXED_BITS2_SCALE3, matrix->groups);
    mixed_sensitivity(w, matrix->m, matrix->k, calibration->inverse_diagonal, value);
    mixed_raise(value, matrix->groups, four, MIXED_BITS2_SCALE3, MIXED_BITS4, matrix->kind);
    gain_of_scales(w, calibration, matrix, block, value);
    mixed_raise(value, matrix->groups, (two + 2) / 3, MIXED_BITS2_SCALE3, MIXED_BITS2_SCALE4, matrix->kind);
    free(value);
    return 0;
}

/* ---------------------------------------------------------------- a matrix */

static void keep_outliers(const struct block *block, size_t first, struct mixed_matrix *matrix)
{
    uint32_t count = first ? matrix->outlier_end[first - 1] : 0;
    for (size_t r = 0; r < block->rows; r++) {
        for (size_t c = 0; c < block->k; c++) {
            if (block->outlier[r * block->k + c])
                matrix->outlier[count++] =
                    (struct mixed_outlier){(uint16_t)c, half_from_float((float)block->w[r * block->k + c])};
        }
        matrix->outlier_end[first + r] = count;
    }
}

/** @param importance  [k], scratch */
static int quantize_rows(const struct calibration *calibration, const struct mixed_options *options, size_t first,
                         struct block *block, double *importance, struct mixed_matrix *matrix)
{
    struct mixed_tile *tile = matrix->tile + first / ROWS * matrix->groups;
    for (size_t c = 0; c < matrix->k; c++)
        importance[c] = 1 / calibration->inverse_diagonal[c];
    if (matrix->outlier_capacity) {
        long marked = mixed_outliers_mark(block->given, block->rows, matrix->k, matrix->kind, importance,
                                          options->choice, matrix->outlier_capacity, block->outlier);
        if (marked < 0)
            return (int)marked;
    }
    for (size_t g = matrix->groups; g-- > 0;) {
        struct mixed24_step step;
        fit(block, g, matrix->kind[g], &step);
        encode(block, options->error_feedback ? calibration->factor : NULL, g, matrix->kind[g], &step);
        keep(&step, matrix->kind[g], &tile[g]);
    }
    keep_outliers(block, first, matrix);
    return 0;
}

static int quantize_all(const float *w, const struct calibration *calibration, const struct mixed_options *options,
                        struct mixed_matrix *matrix)
{
    struct block block;
    double *importance = malloc(matrix->k * sizeof *importance);
    int error = importance ? block_alloc(matrix->k, &block) : -ENOMEM;
    if (!error) {
        error = choose(w, calibration, options->four_bit, &block, matrix);
        for (size_t r = 0; r < matrix->m && !error; r += ROWS) {
            block_load(w, matrix->m, r, &block);
            error = quantize_rows(calibration, options, r, &block, importance, matrix);
        }
        block_free(&block);
    }
    free(importance);
    return error;
}

int mixed_quantize(const float *w, size_t m, size_t k, const struct calibration *calibration,
                   const struct mixed_options *options, struct mixed_matrix *matrix)
{
    *matrix = (struct mixed_matrix){.m = m, .k = k, .groups = k / GROUP};
    if (m < 1 || k < 1 || k % GROUP || k > K_MOST || calibration->k != k || !(options->four_bit >= 0) ||
        options->four_bit > 1 || !(options->outliers >= 0) || options->outliers > OUTLIERS_MOST)
        return -EINVAL;
    const size_t blocks = (m + ROWS - 1) / ROWS;
    matrix->outlier_capacity = (size_t)ceil(options->outliers * (double)(ROWS * k));
    matrix->kind = malloc(matrix->groups);
    matrix->tile = malloc(blocks * matrix->groups * sizeof *matrix->tile);
    matrix->outlier_end = malloc(m * sizeof *matrix->outlier_end);
    matrix->outlier = malloc((blocks * matrix->outlier_capacity + 1) * sizeof *matrix->outlier);
    int error = -ENOMEM;
    if (matrix->kind && matrix->tile && matrix->outlier_end && matrix->outlier)
        error = quantize_all(w, calibration, options, matrix);
    if (error)
        mixed_free(matrix);
    return error;
}

void mixed_free(struct mixed_matrix *matrix)
{
    free(matrix->kind);
    free(matrix->tile);
    free(matrix->outlier_end);
    free(matrix->outlier);
    *matrix = (struct mixed_matrix){0};
}

void mixed_decode(const struct mixed_matrix *matrix, float *w)
{
    uint32_t outlier = 0;
    for (size_t r = 0; r < matrix->m; r++) {
        const struct mixed_tile *tile = matrix->tile + r / ROWS * matrix->groups;
        for (size_t c = 0; c < matrix->k; c++) {
            double weight = tile_weight(&tile[c / GROUP], matrix->kind[c / GROUP], r % ROWS, c % GROUP);
            if (outlier < matrix->outlier_end[r] && matrix->outlier[outlier].column == c)
                weight += (double)half_to_float(matrix->outlier[outlier++].value);
            w[r * matrix->k + c] = (float)weight;
        }
    }
}

double mixed_bits(const struct mixed_matrix *matrix)
{
    static const double scale_bits[MIXED_KINDS] = {[MIXED_BITS2_SCALE3] = 3, [MIXED_BITS2_SCALE4] = 4};
    const double m = (double)matrix->m, blocks = ceil(m / ROWS);
    double bits = 0;
    for (size_t g = 0; g < matrix->groups; g++) {
        const enum mixed_kind kind = matrix->kind[g];
        bits += m * (GROUP * bits_of_kind[kind]) + blocks * (16 + 8);
        bits += kind == MIXED_BITS4 ? 0 : m * (2 + scale_bits[kind]);
    }
    if (matrix->outlier_capacity)
        bits += 32 * (m + matrix->outlier_end[matrix->m - 1]);
    return bits / (m * (double)matrix->k);
}
