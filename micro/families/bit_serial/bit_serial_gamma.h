/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the gamma of bit-serial kernels in C shares (micro/frames/gamma.h): a step is STEPS_TOGETHER of the format, which the including file defines, and
 * its rows are integers, since activations are integers up to STEP_LARGEST.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_GAMMA_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_GAMMA_H

#include "micro/families/bit_serial/bit_serial_operand.h"

#define STEP_ACTIVATIONS  struct bits_step_operand
#define STEP_LARGEST      ((1 << ACTIVATION_BITS) - 1)
#define STEP_ROWS         BITS_ROWS
#define STEP_ACCUMULATORS 1

/** A token, planes and masks of a step. */
struct bits_step_operand {
    _Alignas(64) uint8_t bytes[BITS_HEADER_BYTES + STEPS_TOGETHER * STEP_COLUMNS / 8 * (ACTIVATION_BITS + 1)];
};

/** A step begins when sums have what the one before it adds: a compiler that mixes two has not the registers for it. */
#define BITS_STEP_AFTER(operand, sum, count)                                                                           \
    _Pragma("GCC unroll 32") for (int n = 0; n < (count); n++) __asm__("" : "+r"(operand), "+v"((sum)[n]))

/** Sums of differing bits in the columns of a token to what rows are. */
BITS_INLINE void bits_finish_step(int32_t *rows, const int32_t *differing, struct bits_token token)
{
    for (size_t row = 0; row < BITS_ROWS; row++)
        rows[row] = bits_sum(token, WEIGHT_BITS, ACTIVATION_BITS, differing[row]);
}

#endif
