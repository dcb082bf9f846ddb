/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What GEMVs of q3_k row by row make of a block of activations: codes are 4 more than weights, and what that adds is known before.
 */
#ifndef MICRO_FORMATS_Q3_K_OPERAND_H
#define MICRO_FORMATS_Q3_K_OPERAND_H

#include <stdint.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"

/** 256 columns of the activations, and again as codes lie: [field][half][32]. start: -4 times the sum of each four of a field, of odd fields -16 times. */
struct q3_k_operand {
    struct q8_256 q8;
    int8_t field[4][64];
    int32_t start[4][16];
} __attribute__((aligned(64)));

static inline void q3_k_prepare(const float *activations, size_t k, struct q3_k_operand *blocks)
{
    for (size_t i = 0; i < k / 256; i++) {
        struct q3_k_operand *to = &blocks[i];
        memset(to, 0, sizeof *to);
        q8_256_make(activations + i * 256, 256, &to->q8);
        for (size_t j = 0; j < 256; j++) {
            size_t field = j % 128 / 32, at = j / 128 * 32 + j % 32;
            to->field[field][at] = to->q8.q[j];
            to->start[field][at / 4] -= (field % 2 ? 16 : 4) * to->q8.q[j];
        }
    }
}

static inline double q3_k_value(const struct q3_k_operand *blocks, size_t column)
{
    return q8_256_value(&blocks->q8, column);
}

#ifndef SELF_DIFFERS /* of a rendering */
#define SELF_DIFFERS NULL
#endif

#define Q3_K_ROWS_KERNEL(prefetch)                                                                                     \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = (prefetch), .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,   \
        .float_sums = 256, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                                \
        .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS), .prepare = prepare, .row = block_row,                    \
        .differs = SELF_DIFFERS                                                                                        \
    }

#endif
