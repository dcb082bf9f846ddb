/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernels of mixed24_rows that work as the paper's Algorithm 1 does, with the vectors of a core in place of a warp: a
 * dot product a row, whose lanes are columns. The scales of 32 steps of a row are dequantized (2-order) to the first-level cache, then 8 or 16
 * weights at a time are (1-order) and meet the activations, and at the end of the row the partial sums are added up. Nothing is
 * prepared. With scales of four steps at a time a row took 1.34 times as long with 512 bits on Zen 5, as it read them where they were
 * just stored. The including .c defines, before it,
 *
 *   LANES                     floats of a register
 *   struct sums               partial sums of a row, and row_zero(), row_total() of it
 *   dequantize_scales()       the LANES / 4 steps whose words, scale2 and zero2 lie as in the panel: of step n and group g scale[4 n + g], and
 *                             product[4 n + g] that with the row's zero; of group 3 scale2 times -zero2, and scale2
 *   add_step()                64 columns: piece of 16 bytes, half of 4, scales and products of the step, activations
 */
#ifndef MICRO_FORMATS_MIXED24_ROWS_REFERENCE_H
#define MICRO_FORMATS_MIXED24_ROWS_REFERENCE_H

#include "micro/formats/mixed24_rows/parts.h"

enum { SCALE_STEPS = LANES / 4, STEPS_MOST = 32 };

/** What a row needs of some steps; the parameters of the last ones where fewer are left than are read at once. */
struct scales {
    _Alignas(64) float scale[4 * STEPS_MOST], product[4 * STEPS_MOST];
};

struct rest {
    uint8_t words[2 * SCALE_STEPS], scale2[8 * SCALE_STEPS], zero2[4 * SCALE_STEPS];
};

ROWS_INLINE void dequantize_row(const uint8_t *words, const uint8_t *scale2, const uint8_t *zero2, size_t steps,
                                struct scales *to)
{
    size_t i = 0;
    for (; i + SCALE_STEPS <= steps; i += SCALE_STEPS)
        dequantize_scales(words + 2 * i, scale2 + 8 * i, zero2 + 4 * i, to->scale + 4 * i, to->product + 4 * i);
    if (i < steps) {
        struct rest rest = {0};
        memcpy(rest.words, words + 2 * i, 2 * (steps - i));
        memcpy(rest.scale2, scale2 + 8 * i, 8 * (steps - i));
        memcpy(rest.zero2, zero2 + 4 * i, 4 * (steps - i));
        dequantize_scales(rest.words, rest.scale2, rest.zero2, to->scale + 4 * i, to->product + 4 * i);
    }
}

/** `ahead`: the prefetch distance in rows. */
static float multiply_row(const uint8_t *panel, size_t steps, size_t row, const float *a, size_t ahead)
{
    struct row_parts parts = row_parts(panel, steps, row), to_come = row_parts(panel, steps, row + ahead);
    struct sums sums = row_zero();
    for (size_t first = 0; first < steps; first += STEPS_MOST) {
        size_t count = steps - first < STEPS_MOST ? steps - first : STEPS_MOST;
        struct scales scales;
        if (ahead)
            prefetch_steps(&to_come, count, (row + ahead) % MIXED24_ROWS == 0);
        dequantize_row(parts.words, parts.scale2, parts.zero2, count, &scales);
        for (size_t i = 0; i < count; i++, a += MIXED24_COLUMNS)
            sums =
                add_step(sums, parts.pieces + i * MIXED24_ROWS_PIECE_BYTES, parts.halves + i * MIXED24_ROWS_HALF_BYTES,
                         scales.scale + 4 * i, scales.product + 4 * i, a);
        advance(&parts, count);
        advance(&to_come, count);
    }
    return row_total(sums);
}

static void gemv(const struct gemv_slice *slice)
{
    size_t ahead = rows_ahead(slice);
    for (size_t panel = 0; panel < slice->panels; panel++) {
        for (size_t row = 0; row < MIXED24_ROWS; row++)
            slice->out_f32[panel * MIXED24_ROWS + row] = multiply_row(slice->weights + panel * slice->panel_bytes,
                                                                      slice->steps, row, slice->activations_f32, ahead);
    }
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs =
        "for CPUs and with our prefetch, scales before weights, where its original is for GPUs and overlaps the two",
    .prefetch_bytes = 4096,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 4 * LANES,
    .gemv = gemv,
};

/* its gamma: of each row of a panel as many steps as scales are dequantized of at once. What its sums come to costs once a row, not here. */
struct row_activations {
    float of[STEPS_MOST * MIXED24_COLUMNS];
};

struct panel_sums {
    struct sums row[MIXED24_ROWS];
};

#define STEP_SUM         struct panel_sums
#define STEP_ACTIVATIONS struct row_activations
#define STEP_SUMS_IN_MEMORY
#define STEP_ROWS         MIXED24_ROWS
#define STEP_COLUMNS      MIXED24_COLUMNS
#define STEP_BYTES        MIXED24_STEP_BYTES
#define STEPS_TOGETHER    STEPS_MOST
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct panel_sums step_zero(void)
{
    struct panel_sums sums;
    for (size_t row = 0; row < MIXED24_ROWS; row++)
        sums.row[row] = row_zero();
    return sums;
}

ROWS_INLINE void add_into(struct panel_sums *sums, const uint8_t *weights, const struct row_activations *activations)
{
    size_t steps = STEPS_MOST; /* and no compiler knows */
    ROWS_READ_AGAIN(steps);
    for (size_t row = 0; row < MIXED24_ROWS; row++) {
        struct row_parts parts = row_parts(weights, steps, row);
        struct sums sum = sums->row[row];
        struct scales scales;
        dequantize_row(parts.words, parts.scale2, parts.zero2, steps, &scales);
        for (size_t i = 0; i < steps; i++)
            sum = add_step(sum, parts.pieces + i * MIXED24_ROWS_PIECE_BYTES, parts.halves + i * MIXED24_ROWS_HALF_BYTES,
                           scales.scale + 4 * i, scales.product + 4 * i, activations->of + i * MIXED24_COLUMNS);
        sums->row[row] = sum;
    }
}

ROWS_INLINE void step_finish(float *rows, const struct panel_sums *sums)
{
    for (size_t row = 0; row < MIXED24_ROWS; row++)
        rows[row] = row_total(sums->row[row]);
}

#endif
