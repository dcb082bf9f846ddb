/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmlal and fmlal2 multiply the lower and the upper four of eight halves and add floats, exactly but for the sum; activations are rounded to
 * binary16, the largest brought to [1/2, 1) before by a power of two: what is below 2^-14 of it loses digits, and by then no more than the
 * largest does. Of 32 columns 4 each. Neoverse V2, 4 pipes: >= 2.0 cycles, where widening takes 8.0. V1: llvm-mca has 5 cycles from sum to sum: >= 5.0 of
 * the 8 chains of four rows.
 */
#include <math.h>

#include "micro/isa/registers_aarch64.h"

typedef struct {
    float32x4_t low, high;
} half_sums;

#define HALF_SUMS  8
#define HALF_ERROR 0x1p-11

ROWS_INLINE half_sums half_zero(void)
{
    return (half_sums){vdupq_n_f32(0), vdupq_n_f32(0)};
}

ROWS_INLINE half_sums half_add(half_sums sum, uint8x16_t weights, uint8x16_t activations, int number)
{
    float16x8_t w = vreinterpretq_f16_u8(weights), a = vreinterpretq_f16_u8(activations);
    (void)number;
    return (half_sums){vfmlalq_low_f16(sum.low, w, a), vfmlalq_high_f16(sum.high, w, a)};
}

ROWS_INLINE float half_total(half_sums sum)
{
    return vaddvq_f32(vaddq_f32(sum.low, sum.high));
}

/** Such that the inverse is a number too: of what lies below 2^-125 the largest may come out smaller. */
static float half_factor(float most)
{
    int exponent = 0;
    if (most > 0 && most <= 0x1.fffffep127f)
        frexpf(most, &exponent);
    return ldexpf(1, exponent < -125 ? 125 : exponent > 125 ? -125 : -exponent);
}

#define half_round half_from_float
#define half_value half_to_float
#include "micro/families/floats/half_rows_aarch64.h"

const struct kernel SELF = HALF_ROWS_KERNEL;

#include "micro/frames/gamma.h"
