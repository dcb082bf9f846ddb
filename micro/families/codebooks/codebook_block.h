/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns of one row in group-wise codebooks [arm-kernels-codebooks, 5.2, 5.3], for block_format.h: groups of 16 columns,
 * each with a scale and the number of a codebook in one byte, and with codes that number the values of that codebook.
 *
 *     bytes 0, 1                            d, binary16
 *     byte 2 + g (g < 16)                   columns 16 g … 16 g + 15: scale above, codebook below
 *     byte 18 + 4 g + b (b < 4)             bits 2 p, 2 p + 1 (p < 4) are the lower ones of the code of column 16 g + 4 p + b
 *     byte 82 + 4 h + b (h < 8, b < 4)      of 3 bits: bit 4 j + p is the upper one of column 16 (2 h + j) + 4 p + b (j < 2)
 *
 * A weight is d * scale * codebook[number][code]; the scale is signed, two's complement. The including file defines
 *
 *   CB_BITS, CB_BOOKS, CB_NUMBER_BITS    of a code, codebooks, bits of a byte that are the codebook's number
 *   codebooks.inc of the format          codebooks as `kneepoint quantize --codebooks=` writes them
 *
 * The paper has four or more codebooks of four values in 82 bytes, the scale's bits and its sign are ours.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_BLOCK_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_BLOCK_H

#include <math.h>
#include <stdbool.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/isa/random.h"
#include "micro/of_self.h"

enum {
    ROW_BLOCK_COLUMNS = 256,
    ROW_GROUP = 16,
    ROW_GROUPS = ROW_BLOCK_COLUMNS / ROW_GROUP,
    ROW_GROUP_BYTES = 2,
    ROW_CODES = 18,
    ROW_HIGH = 82,
    ROW_BLOCK_BYTES = CB_BITS == 3 ? 114 : 82,
    ROW_ENTRIES = 1 << CB_BITS,
    ROW_SCALE_MOST = (1 << (7 - CB_NUMBER_BITS)) - 1, /* and one more below zero */
};

static const int8_t row_codebooks[CB_BOOKS][ROW_ENTRIES] = {
#include OF_FORMAT(codebooks.inc)
};

/** What a group becomes. */
struct row_group {
    float scale, error; /* error: of the sum of squares; less what is there whatever the codes */
    uint32_t book;
    uint8_t code[ROW_GROUP];
};

/** Nearest values of an ascending codebook, of numbers in its units. */
static void row_assign(const float *w, float inverse, const int8_t *values, uint8_t *code)
{
    float between[ROW_ENTRIES - 1];
    for (size_t i = 0; i + 1 < ROW_ENTRIES; i++)
        between[i] = 0.5f * (float)(values[i] + values[i + 1]);
    for (size_t i = 0; i < ROW_GROUP; i++) {
        uint32_t above = 0;
        for (size_t j = 0; j + 1 < ROW_ENTRIES; j++)
            above += inverse * w[i] > between[j];
        code[i] = (uint8_t)above;
    }
}

/** Sums over a group: w v and v^2. */
static void row_sums(const float *w, const int8_t *values, const uint8_t *code, float *products, float *squares)
{
    *products = *squares = 0;
    for (size_t i = 0; i < ROW_GROUP; i++) {
        float value = (float)values[code[i]];
        *products += w[i] * value;
        *squares += value * value;
    }
}

/** A group at a scale, which is then fitted to its codes; taken if it leaves less than before. */
static void row_try(const float *w, uint32_t book, float scale, struct row_group *best)
{
    struct row_group group = {.book = book};
    float products, squares;
    row_assign(w, 1 / scale, row_codebooks[book], group.code);
    row_sums(w, row_codebooks[book], group.code, &products, &squares);
    if (!(squares > 0))
        return;
    group.scale = products / squares;
    group.error = -products * group.scale;
    if (group.error < best->error)
        *best = group;
}

/** Every codebook with both signs of the scale that makes the largest weight 127, and once more from the best. */
static struct row_group row_best(const float *w)
{
    struct row_group best = {0};
    float most = 0;
    for (size_t i = 0; i < ROW_GROUP; i++)
        most = fmaxf(most, fabsf(w[i]));
    for (uint32_t book = 0; book < CB_BOOKS && most > 0; book++) {
        row_try(w, book, most / 127, &best);
        row_try(w, book, most / -127, &best);
    }
    if (best.scale != 0)
        row_try(w, best.book, best.scale, &best);
    return best;
}

/** The best codebook and codes of a group whose scale is one of those it may have: number * d. */
static int row_settle(const float *w, float d, struct row_group *group)
{
    float ratio = d != 0 ? group->scale / d : 0;
    int nearest = (int)lroundf(fmaxf(fminf(ratio, ROW_SCALE_MOST), -ROW_SCALE_MOST - 1)), number = nearest;
    float least = HUGE_VALF;
    for (int trial = nearest - 1; trial <= nearest + 1; trial++) {
        if (trial == 0 || trial > ROW_SCALE_MOST || trial < -ROW_SCALE_MOST - 1 || d == 0)
            continue;
        uint8_t code[ROW_GROUP];
        float products, squares, scale = (float)trial * d;
        row_assign(w, 1 / scale, row_codebooks[group->book], code);
        row_sums(w, row_codebooks[group->book], code, &products, &squares);
        float error = scale * (scale * squares - 2 * products);
        if (error < least) {
            least = error;
            number = trial;
            memcpy(group->code, code, sizeof code);
        }
    }
    if (least >= 0) /* no better than zeros */
        number = 0;
    return number;
}

static void row_put_codes(uint8_t *block, size_t g, const uint8_t *code)
{
    for (size_t i = 0; i < ROW_GROUP; i++) {
        size_t byte = i % 4, field = i / 4;
        block[ROW_CODES + 4 * g + byte] |= (uint8_t)((code[i] & 3) << 2 * field);
        if (CB_BITS == 3)
            block[ROW_HIGH + g / 2 * 4 + byte] |= (uint8_t)(code[i] >> 2 << (4 * (g % 2) + field));
    }
}

/**
 * For each group every codebook and both signs of the scale; then scales as multiples of d, of which the largest magnitude is the
 * least there is, codes anew for these, and d fitted to what has come of it.
 */
static void block_pack(const float *w, uint8_t *block)
{
    struct row_group group[ROW_GROUPS];
    float most = 0, products = 0, squares = 0;
    for (size_t g = 0; g < ROW_GROUPS; g++) {
        group[g] = row_best(w + g * ROW_GROUP);
        most = fabsf(group[g].scale) > fabsf(most) ? group[g].scale : most;
    }
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block, most / (-ROW_SCALE_MOST - 1));
    float d = half_float_at(block);
    for (size_t g = 0; g < ROW_GROUPS; g++) {
        float of_group, squares_of_group;
        int scale = row_settle(w + g * ROW_GROUP, d, &group[g]);
        row_sums(w + g * ROW_GROUP, row_codebooks[group[g].book], group[g].code, &of_group, &squares_of_group);
        products += (float)scale * of_group;
        squares += (float)(scale * scale) * squares_of_group;
        block[ROW_GROUP_BYTES + g] = (uint8_t)((uint32_t)scale << CB_NUMBER_BITS | group[g].book);
        row_put_codes(block, g, group[g].code);
    }
    block_put_half(block, squares > 0 ? products / squares : 0);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t g = column / ROW_GROUP, byte = column % 4, field = column % ROW_GROUP / 4;
    uint32_t of_group = block_byte(block, row, ROW_GROUP_BYTES + g);
    uint32_t code = (uint32_t)block_byte(block, row, ROW_CODES + 4 * g + byte) >> 2 * field & 3;
    if (CB_BITS == 3)
        code |= ((uint32_t)block_byte(block, row, ROW_HIGH + g / 2 * 4 + byte) >> (4 * (g % 2) + field) & 1) << 2;
    int32_t scale = (int8_t)of_group >> CB_NUMBER_BITS;
    return block_half(block, row, 0) * scale * row_codebooks[of_group & (CB_BOOKS - 1)][code];
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random) / 1024);
    random_bytes(block + ROW_GROUP_BYTES, ROW_BLOCK_BYTES - ROW_GROUP_BYTES, random);
}

#endif
