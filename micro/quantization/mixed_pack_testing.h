/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED_PACK_TESTING_H
#define MICRO_QUANTIZATION_MIXED_PACK_TESTING_H

#include <string.h>

#include "micro/quantization/mixed24.h"
#include "micro/quantization/mixed24_outliers_layout.h"
#include "micro/quantization/mixed_quantize.h"
#include "unit_test.h"

/**
 * For tests: a quantized matrix as the formats mixed24 and mixed24_o02, _o05, _o15, _o30 hold it, with the order of the column groups
 * beside it. What weight() then says of a place of a panel is, to the last bit, what mixed_decode() says of the same row and of the
 * column that the order has there.
 */

/** Groups of a matrix with their padding to whole steps; the length of an order. */
static inline size_t mixed_pack_groups(const struct mixed_matrix *matrix)
{
    return (matrix->groups + MIXED24_GROUPS - 1) / MIXED24_GROUPS * MIXED24_GROUPS;
}

/** Place to group, those of a kind in the order of their columns; places that are left over name groups past the last: padding. */
static inline void mixed_pack_order(const struct mixed_matrix *matrix, uint16_t *order)
{
    static const enum mixed_kind place_kind[MIXED24_GROUPS] = {MIXED_BITS2_SCALE4, MIXED_BITS2_SCALE3,
                                                               MIXED_BITS2_SCALE3, MIXED_BITS4};
    size_t next[MIXED_KINDS] = {0}, padding = matrix->groups;
    for (size_t p = 0; p < mixed_pack_groups(matrix); p++) {
        const enum mixed_kind kind = place_kind[p % MIXED24_GROUPS];
        while (next[kind] < matrix->groups && matrix->kind[next[kind]] != kind)
            next[kind]++;
        order[p] = (uint16_t)(next[kind] < matrix->groups ? next[kind]++ : padding++);
    }
    assert_int_equal(padding, mixed_pack_groups(matrix)); /* a quarter of the groups is in 4 bits */
}

static inline void mixed_pack_tile(const struct mixed_tile *tile, uint32_t place, struct mixed24_step *step)
{
    for (size_t r = 0; r < MIXED24_ROWS; r++) {
        memcpy(step->code[r] + place * MIXED_GROUP, tile->code[r], MIXED_GROUP);
        if (place < MIXED24_GROUPS2) {
            step->zero[place][r] = tile->zero[r];
            step->scale[place][r] = tile->scale[r];
        }
    }
    step->scale2[place] = tile->scale2;
    step->zero2[place] = tile->zero2;
}

/** Padding stays zero: scale2 is. */
static inline void mixed_pack_steps(const struct mixed_matrix *matrix, size_t panel, const uint16_t *order,
                                    uint8_t *bytes)
{
    for (size_t i = 0; i < mixed_pack_groups(matrix) / MIXED24_GROUPS; i++) {
        struct mixed24_step step;
        memset(&step, 0, sizeof step);
        for (uint32_t place = 0; place < MIXED24_GROUPS; place++) {
            const size_t group = order[i * MIXED24_GROUPS + place];
            if (group < matrix->groups)
                mixed_pack_tile(&matrix->tile[panel * matrix->groups + group], place, &step);
        }
        mixed24_put_step(&step, bytes + i * MIXED24_STEP_BYTES);
    }
}

/** After the steps, by rows and in them by places. */
static inline void mixed_pack_outliers(const struct mixed_matrix *matrix, size_t panel, const uint16_t *order,
                                       uint32_t per_mille, uint8_t *bytes)
{
    const size_t groups = mixed_pack_groups(matrix), k = groups * MIXED_GROUP;
    const size_t steps = k / MIXED24_COLUMNS * MIXED24_STEP_BYTES, place = mixed24_outliers_place(k);
    uint8_t *column = bytes + place + MIXED24_ROWS * sizeof(uint32_t);
    uint8_t *value = column + mixed24_outliers_room(k, per_mille) * sizeof(uint16_t);
    uint32_t end = 0;
    memset(bytes + steps, 0, mixed24_outliers_panel_bytes(k, per_mille) - steps);
    for (size_t r = 0; r < MIXED24_ROWS; r++) {
        const size_t row = panel * MIXED24_ROWS + r;
        for (size_t p = 0; row < matrix->m && p < groups; p++) {
            for (uint32_t i = row ? matrix->outlier_end[row - 1] : 0; i < matrix->outlier_end[row]; i++) {
                const struct mixed_outlier *outlier = &matrix->outlier[i];
                const uint16_t at = (uint16_t)(p * MIXED_GROUP + outlier->column % MIXED_GROUP);
                if (outlier->column / MIXED_GROUP != order[p])
                    continue;
                assert_true(end < mixed24_outliers_room(k, per_mille) && mixed24_outliers_may_be(at));
                memcpy(column + end * sizeof at, &at, sizeof at);
                memcpy(value + end++ * sizeof outlier->value, &outlier->value, sizeof outlier->value);
            }
        }
        memcpy(bytes + place + r * sizeof end, &end, sizeof end);
    }
}

/**
 * @param per_mille  0: mixed24, of a matrix without outliers; else 2, 5, 15, 30 of the formats with these
 * @param order      [mixed_pack_groups()], written
 * @param packed     format_packed_bytes(), every byte is written
 */
static inline void mixed_pack(const struct mixed_matrix *matrix, uint32_t per_mille, uint16_t *order, uint8_t *packed)
{
    const size_t k = mixed_pack_groups(matrix) * MIXED_GROUP;
    const size_t panel_bytes =
        per_mille ? mixed24_outliers_panel_bytes(k, per_mille) : k / MIXED24_COLUMNS * MIXED24_STEP_BYTES;
    mixed_pack_order(matrix, order);
    for (size_t i = 0; i < (matrix->m + MIXED24_ROWS - 1) / MIXED24_ROWS; i++) {
        mixed_pack_steps(matrix, i, order, packed + i * panel_bytes);
        if (per_mille)
            mixed_pack_outliers(matrix, i, order, per_mille, packed + i * panel_bytes);
    }
}

#endif
