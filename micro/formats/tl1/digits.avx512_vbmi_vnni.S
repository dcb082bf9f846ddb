/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11, so that the 8 look-ups
 * of 4 steps fit signed bytes. The inner loop is of twice as many; the steps that are left are looked up in C.
 */
#define BASE 23
#include "micro/formats/tl1/lookup_lines_frame.h"

#ifndef __ASSEMBLER__
#include "micro/families/lookup/elut_avx2.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

#include "micro/formats/tl1/lookup_lines_avx512.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 512,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = STEP_TABLES,
    .prepare = prepare,
};
#endif
