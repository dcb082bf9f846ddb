/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lanes.avx512_vnni.S.
 */
#include <math.h>
#include <string.h>

#include "micro/kernels/half.h"
#include "micro/kernels/q8_avx2.h"

#include "micro/kernels/q2_k_m16/lanes.avx512_vnni.S"

/** 256 columns of the activations: micro/sequences/q2_k_operand.h. */
struct operand {
    int8_t q[256];
    int16_t sums[16];
    float scale, minima, unused[6];
};

_Static_assert(sizeof(struct operand) == Q2_K_OPERAND_BYTES, "what the assembly reads");

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t group = 0; group < 16; group++)
            to->sums[group / 4 * 4 + group % 2 * 2 + group % 4 / 2] =
                (int16_t)(group % 2 ? 16 * q8.sums[group] : q8.sums[group]);
        to->scale = q8.scale;
        to->minima = -q8.scale / 16;
    }
}

/** Codes and minima are terms of their own, which may cancel in a weight. */
static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct operand *blocks = prepared;
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        const struct operand *x = &blocks[column / 256];
        const uint8_t *block = panel + (size_t)(column / 256) * BLOCK_BYTES;
        uint32_t group = column % 256 / 16;
        uint16_t dmin;
        memcpy(&dmin, block + 32 + 2 * row, sizeof dmin);
        double minimum = (double)half_to_float(dmin) * (block[64 + group / 4 * 64 + 4 * row + group % 4] >> 4);
        double weight = format_weight(&SELF_FORMAT, panel, k, row, column), a = (double)x->scale * x->q[column % 256];
        sum.y += weight * a;
        sum.magnitude += (fabs(weight + minimum) + fabs(minimum)) * fabs(a);
    }
    return sum;
}

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 6144,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 64,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct operand),
    .prepare = prepare,
    .row = row_of,
};
