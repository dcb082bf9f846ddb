/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay in their place, but the upper one, which would be negative there; sums of weight 1, 4 and 16 are
 * joined at the end of the row. A vector of activations serves all four rows. By sdot, or without it smull, smlal2 and sadalp; with 256-bit SVE a
 * register has a step. 3 ANDs, 1 shift and 4 products for 64 weights. Neoverse N1, N2, 2 vector pipes: >= 2.0 cycles for 32, by pairs >= 4.0. V1, V2, 4 pipes
 * or 2 of 256 bits: >= 1.0, by pairs >= 2.0.
 */
#include "micro/frames/rows.h"
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

ROWS_INLINE struct sums no_sums(void)
{
    return (struct sums){tile_zero(), tile_zero(), tile_zero()};
}

ROWS_INLINE void load_activations(tile_signed *activations, const int8_t *columns)
{
#pragma GCC unroll 4
    for (size_t f = 0; f < 4; f++)
        activations[f] = tile_load_signed(columns + 32 * f);
}

ROWS_INLINE int32_t row_sum(const struct sums *sum)
{
    return tile_lanes_sum(TILE_ADD_SHIFTED(TILE_ADD_SHIFTED(sum->ones, sum->fours, 2), sum->sixteens, 4));
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct sums sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = no_sums();
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
            load_activations(a, columns + byte);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++)
                add_fields(&sum[r], tile_load(weights[r] + step * STEP_BYTES + byte), a);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out[row[r]] = add_wrapping(row_sum(&sum[r]), slice->correction);
}

ROWS_GEMV

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
};

/* its gamma */
struct step_activations {
    int8_t of[STEP_COLUMNS];
};

#define STEP_SUM          struct sums
#define STEP_ACTIVATIONS  struct step_activations
#define STEP_LARGEST      127
#define STEP_ROWS         ROWS
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define step_zero         no_sums

#if defined __ARM_FEATURE_SVE
#define STEP_WEIGHTS(register_of) STEP_VECTORS(1, register_of, tile_bytes)
#else
#define STEP_WEIGHTS(register_of) STEP_VECTORS(2, register_of, tile_bytes)
#endif
#include "micro/frames/step.h"

#define STEP_LOAD(number, type, name) tile_load(from + number * TILE_BYTES),

ROWS_INLINE struct step_weights step_load(const uint8_t *from)
{
    return (struct step_weights){STEP_WEIGHTS(STEP_LOAD)};
}

ROWS_INLINE struct sums step_add(struct sums sum, struct step_weights weights,
                                 const struct step_activations *activations)
{
    const tile_bytes w[] = {STEP_WEIGHTS(STEP_NAME)};
#pragma GCC unroll 2
    for (size_t i = 0; i < STEP_BYTES / TILE_BYTES; i++) {
        tile_signed a[4];
        load_activations(a, activations->of + i * TILE_BYTES);
        add_fields(&sum, w[i], a);
    }
    return sum;
}

ROWS_INLINE void step_finish(int32_t *rows, struct sums sum)
{
    *rows = row_sum(&sum);
}

#include "micro/frames/gamma.h"
