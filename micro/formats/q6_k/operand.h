/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What GEMVs of q6_k row by row make of a block of activations: codes are 32 more than weights, and what that adds is known before.
 */
#ifndef MICRO_FORMATS_Q6_K_OPERAND_H
#define MICRO_FORMATS_Q6_K_OPERAND_H

#include <stdint.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"

struct q6_k_operand {
    struct q8_256 q8;
    int32_t start[64];      /* -32 times the sum of each four */
    float scales[4];        /* of this block and the next, where prepare() says so */
    int16_t minus_sums[16]; /* of groups of even number, of groups of odd number */
    float unused[4];
};

static inline void q6_k_prepare(const float *activations, size_t k, struct q6_k_operand *blocks)
{
    for (size_t i = 0; i < k / 256; i++) {
        struct q6_k_operand *to = &blocks[i];
        memset(to, 0, sizeof *to);
        q8_256_make(activations + i * 256, 256, &to->q8);
        for (size_t j = 0; j < 256; j++)
            to->start[j / 4] -= 32 * to->q8.q[j];
        for (size_t group = 0; group < 16; group++)
            to->minus_sums[group % 2 * 8 + group / 2] = (int16_t)-to->q8.sums[group];
    }
}

static inline double q6_k_value(const struct q6_k_operand *blocks, size_t column)
{
    return q8_256_value(&blocks->q8, column);
}

#ifndef SELF_DIFFERS /* of a rendering */
#define SELF_DIFFERS NULL
#endif

#define Q6_K_ROWS_KERNEL(prefetch)                                                                                     \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = (prefetch), .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,   \
        .float_sums = 256, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                                \
        .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS), .prepare = prepare, .row = block_row,                    \
        .differs = SELF_DIFFERS                                                                                        \
    }

#endif
