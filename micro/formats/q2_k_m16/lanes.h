/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMVs of q2_k_m16 whose lanes are rows: their operand, and rows as they lie. The including .S says, beside what microkernel_frame.h needs
 * of registers,
 *
 *   Q2_K_SUMS_APART   how many times itself the sum of an odd group is in the operand: micro/formats/q2_k/q2_k_operand.h
 *   Q2_K_PREFETCH     bytes ahead
 */
#ifndef MICRO_FORMATS_Q2_K_M16_LANES_H
#define MICRO_FORMATS_Q2_K_M16_LANES_H

#include "micro/formats/q2_k/q2_k_operand.h"

#define INTERLEAVE    2
#define ROWS          BLOCK_ROWS
#define STEP_BYTES    BLOCK_BYTES
#define OPERAND_BYTES Q2_K_OPERAND_BYTES
#define SUMS_ARE_FLOATS
#define STEP_FETCHES

#ifndef __ASSEMBLER__
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/kernel.h"

extern const struct format SELF_FORMAT;

/** 256 columns of the activations: micro/formats/q2_k/q2_k_operand.h. */
struct q2_k_operand {
    int8_t q[256];
    int16_t sums[16];
    float scale, minima, unused[6];
};

_Static_assert(sizeof(struct q2_k_operand) == Q2_K_OPERAND_BYTES, "what the assembly reads");

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct q2_k_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t group = 0; group < 16; group++)
            to->sums[Q2_K_SUM_AT(group)] = (int16_t)((int)q8.sums[group] * (group % 2 ? Q2_K_SUMS_APART : 1));
        to->scale = q8.scale;
        to->minima = -q8.scale / Q2_K_SUMS_APART;
    }
}

#define Q2_K_ACTIVATION(prepared, column)                                                                              \
    ((double)((const struct q2_k_operand *)(prepared))[(column) / 256].scale *                                         \
     ((const struct q2_k_operand *)(prepared))[(column) / 256].q[(column) % 256])
#include "micro/formats/q2_k/row.h"

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

/** A kernel whose sequence has its name. */
#define Q2_K_LANES_KERNEL                                                                                              \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = Q2_K_PREFETCH, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 64,       \
        .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes_per_step = sizeof(struct q2_k_operand),           \
        .prepare = prepare, .row = minima_row                                                                          \
    }
#endif

#include "micro/frames/microkernel_frame.h"

#endif
