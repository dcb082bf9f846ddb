/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay in their place, but the upper one, which would be negative there; sums of weight 1, 4 and 16 are
 * joined at the end of the row. A vector of activations serves all four rows. By sdot, or without it smull, smlal2 and sadalp; with 256-bit SVE a
 * register has a step.
 */
#include "micro/formats/i2_s/layout.h"
#include "micro/isa/registers_aarch64.h"

extern const struct format SELF_FORMAT;

struct sums {
    tile_ints ones, fours, sixteens;
};

/** A register of bytes of a row and the activations of their fields, 32 columns apart. */
ROWS_INLINE void add_fields(struct sums *sum, tile_bytes codes, const tile_signed *activations)
{
    sum->ones = tile_dot(sum->ones, tile_signed_of(TILE_SHIFT_DOWN(codes, 6)), activations[0]);
    sum->sixteens = tile_dot(sum->sixteens, tile_signed_of(tile_and(codes, 3 << 4)), activations[1]);
    sum->fours = tile_dot(sum->fours, tile_signed_of(tile_and(codes, 3 << 2)), activations[2]);
    sum->ones = tile_dot(sum->ones, tile_signed_of(tile_and(codes, 3)), activations[3]);
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct sums sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = (struct sums){tile_zero(), tile_zero(), tile_zero()};
    for (size_t step = 0; step < slice->steps; step++) {
        const int8_t *columns = slice->activations + step * STEP_COLUMNS;
        if (step % 2 == 0) { /* once a line */
#pragma GCC unroll 4
            for (int r = 0; r < count; r++)
                rows_prefetch(weights[r] + step * STEP_BYTES, 2 * STEP_BYTES, slice->prefetch_bytes);
        }
#pragma GCC unroll 2
        for (size_t byte = 0; byte < STEP_BYTES; byte += TILE_BYTES) {
            tile_signed a[4];
#pragma GCC unroll 4
            for (size_t f = 0; f < 4; f++)
                a[f] = tile_load_signed(columns + 32 * f + byte);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++)
                add_fields(&sum[r], tile_load(weights[r] + step * STEP_BYTES + byte), a);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        tile_ints whole = TILE_ADD_SHIFTED(TILE_ADD_SHIFTED(sum[r].ones, sum[r].fours, 2), sum[r].sixteens, 4);
        slice->out[row[r]] = add_wrapping(tile_lanes_sum(whole), slice->correction);
    }
}

ROWS_GEMV

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_NAME,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
};
