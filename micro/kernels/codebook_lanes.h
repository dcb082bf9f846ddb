/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a kernel whose inner loop is a step of codebook_lanes_frame.h: its operand, and rows as they lie.
 */
#ifndef MICRO_KERNELS_CODEBOOK_LANES_H
#define MICRO_KERNELS_CODEBOOK_LANES_H

#include <math.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/kernels/q8_avx2.h"

extern const struct format SELF_FORMAT;

enum { CB_VALUES = CB_BOOKS << CB_BITS };

/** 256 columns of the activations: micro/sequences/codebook_operand.h. */
struct codebook_operand {
    int8_t q[256];
    int32_t starts[16];
    float scale, unused[15];
    uint8_t table[64];
};

_Static_assert(sizeof(struct codebook_operand) == CB_OPERAND_BYTES, "what the assembly reads");

static const int8_t codebooks[CB_BOOKS][1 << CB_BITS] = {
#include CB_FILE
};

/** 16 values with the number above the code, then with the number below; more of them as often as 64 bytes hold them. */
static void put_table(uint8_t *table)
{
    for (size_t i = 0; i < 64; i++) {
        size_t from = CB_VALUES == 16 && i >= 16 ? i % 4 * 4 + i % 16 / 4 : i % CB_VALUES;
        table[i] = (uint8_t)(codebooks[from >> CB_BITS][from & ((1 << CB_BITS) - 1)] + 128);
    }
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct codebook_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t group = 0; group < 16; group++)
            to->starts[group] = -128 * q8.sums[group];
        to->scale = q8.scale;
        put_table(to->table);
    }
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct codebook_operand *blocks = prepared;
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        const struct codebook_operand *x = &blocks[column / 256];
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * (double)x->scale * x->q[column % 256];
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

/** A kernel whose sequence has its name. Of each quarter of a block a float. */
#define CODEBOOK_LANES_KERNEL                                                                                          \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 64,                \
        .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes_per_step = sizeof(struct codebook_operand),       \
        .prepare = prepare, .row = row_of                                                                              \
    }

#endif
