/* SPDX-License-Identifier: BSD-3-Clause
 *
 * T-MAC's tables of 8 bits with one scale for all [bitnet-cpp, 2.3 and 3.2.1], and what they give: a set bit adds the activation and a clear one
 * subtracts it, s = +-1, and the 16 sums of four are quantized.
 *
 *     w = u - 2 = (2 s1 + s0) / 2 - 1/2      y = (2 S1 + S0) / 2 - (sum of a) / 2
 *
 * A look-up is off by half a step, 4 max|a| / 254 at most; four columns by 1.5 times that, and K = 5, two of four,
 * by 6 / 127 of max|a| = 0.6 / 127 of max|a| K max|w|, more than any other K.
 */
#ifndef MICRO_FAMILIES_LOOKUP_TMAC2_TABLES_H
#define MICRO_FAMILIES_LOOKUP_TMAC2_TABLES_H

#ifdef __aarch64__
#include "micro/families/lookup/elut_neon.h"
#else
#include "micro/families/lookup/elut_avx2.h"
#endif
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/kernel.h"

#define TMAC2_ERROR_BOUND (0.6 / 127 * 1.001)

static size_t tmac2_prepared_bytes(size_t k)
{
    return QUANTIZED_HEADER_BYTES + k / 4 * QUANTIZED_TABLE_BYTES;
}

static void tmac2_prepare(const void *activations, size_t k, void *prepared)
{
    const float *a = activations;
    struct quantized_tables *tables = prepared;
    uint8_t *table = (uint8_t *)tables->entries;
    struct table_coefficients bits;
    table_coefficients_of_bits(-1, &bits);
    float factor = quantized_scale(table_largest(a, k, 4), &tables->scale);
    double all = 0;
    for (size_t i = 0; i < k; i += 4, table += QUANTIZED_TABLE_BYTES) {
        table_store_quantized(table, &bits, 4, a + i, factor);
        all += (double)a[i] + (double)a[i + 1] + (double)a[i + 2] + (double)a[i + 3];
    }
    tables->offset = (float)(all * -0.5);
}

/** What the lower and upper bits of four columns look up, in steps of half an entry. */
static inline void tmac2_add_found(struct kernel_row *sum, double lower, double upper)
{
    sum->y += lower + 2 * upper;
    sum->magnitude += fabs(lower) + 2 * fabs(upper);
}

static inline struct kernel_row tmac2_row(const struct quantized_tables *tables, struct kernel_row sum)
{
    double half_step = (double)tables->scale / 2, offset = (double)tables->offset;
    return (struct kernel_row){half_step * sum.y + offset, half_step * sum.magnitude + fabs(offset)};
}

#endif
