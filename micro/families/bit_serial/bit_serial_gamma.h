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
    _Alignas(64) uint8_t bytes[BITS_HEADER_BYTES + STEPS_TOGETHER * (ACTIVATION_BITS + 1) * sizeof(uint64_t)];
};

/** Sums of differing bits in so many columns to what rows are. */
BITS_INLINE void bits_finish_step(int32_t *rows, const int32_t *differing, uint32_t columns)
{
    for (size_t row = 0; row < BITS_ROWS; row++)
        rows[row] = bits_sum((struct bits_token){.columns = columns}, WEIGHT_BITS, ACTIVATION_BITS, differing[row]);
}

#endif
