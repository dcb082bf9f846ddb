/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What GEMVs of nvfp4 and nvfp4_m16 make of a block of activations. The including .c includes the codes.h of mxfp4 before this,
 * and defines
 *
 *   NVFP4_REGISTER   bytes of a register in which 16 codes of each group are unpacked, low nibbles in its lower half: 32 or 64; 0: as columns lie
 */
#ifndef MICRO_FORMATS_NVFP4_OPERAND_H
#define MICRO_FORMATS_NVFP4_OPERAND_H

#include <stdint.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/kernel.h"

/** What a value that is doubled requires of a scale whose exponent is that of binary16: nvfp4/block.h. */
#define NVFP4_FACTOR 128

/** 64 columns. */
struct nvfp4_operand {
    int8_t q[64];
    int32_t start[16]; /* of each lane of q: -CODE_OFFSET times its sum */
    int32_t start_of_group[4];
    float scale; /* NVFP4_FACTOR times theirs */
    int32_t unused[3];
    float scales_of_four[8]; /* of every fourth block, its scale and those of the next three, each twice; 0 after the last */
} __attribute__((aligned(64)));

static inline size_t nvfp4_place(size_t column)
{
#if NVFP4_REGISTER
    const size_t groups = NVFP4_REGISTER / 16, group = column / 16;
    return group / groups * NVFP4_REGISTER + column % 16 / 8 * (NVFP4_REGISTER / 2) + group % groups * 8 + column % 8;
#else
    return column;
#endif
}

static inline double nvfp4_value(const struct nvfp4_operand *a, size_t column)
{
    return (double)a->scale / NVFP4_FACTOR * a->q[nvfp4_place(column)];
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct nvfp4_operand *to = prepared;
    for (size_t i = 0; i < k / BLOCK_COLUMNS; i++, to++) {
        _Alignas(32) int8_t q[BLOCK_COLUMNS];
        struct q8_facts facts = q8_make((const float *)activations + BLOCK_COLUMNS * i, BLOCK_COLUMNS, q);
        memset(to, 0, sizeof *to);
        to->scale = NVFP4_FACTOR * facts.scale;
        float *scales = to[-(ptrdiff_t)(i % 4)].scales_of_four;
        scales[2 * (i % 4)] = scales[2 * (i % 4) + 1] = to->scale;
        for (size_t column = 0; column < BLOCK_COLUMNS; column++) {
            size_t place = nvfp4_place(column);
            to->q[place] = q[column];
            to->start[place / 4] -= CODE_OFFSET * q[column];
            to->start_of_group[column / 16] -= CODE_OFFSET * q[column];
        }
    }
}

#define BLOCK_ACTIVATIONS struct nvfp4_operand
#define BLOCK_VALUE       nvfp4_value
#define ROW_BY_ROW        0

#define NVFP4_KERNEL                                                                                                   \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = BLOCK_COLUMNS,     \
        .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes_per_step = sizeof(struct nvfp4_operand),          \
        .prepare = prepare, .row = block_row                                                                           \
    }

#endif
