/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operand of mixed24_operand.h made with Neon.
 */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_OPERAND_NEON_H
#define MICRO_FAMILIES_MIXED24_MIXED24_OPERAND_NEON_H

#include "micro/families/blocks/blocks_neon.h"
#include "micro/families/mixed24/mixed24_operand.h"

/** x[k], k a multiple of 64, to k / 64 blocks, every byte of them. */
static inline void mixed24_make(const float *x, size_t k, struct mixed24_operand *to)
{
    for (size_t i = 0; i < k; i += MIXED24_COLUMNS, to++) {
        int32_t sum;
        q8_block(x + i, MIXED24_COLUMNS, to->q, NULL, &to->scale, &sum);
        mixed24_put_sums(to);
    }
}

#endif
