/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations, each -2 … 2 times, is 63 h + l with l within 31 and h within 8,
 * so that half the look-ups of a tile fit signed bytes. The inner loop is in digits.avx512_vbmi_vnni.S.
 */
#include "micro/kernels/elut5/digits.avx512_vbmi_vnni.S"

#include "micro/kernels/elut_avx2.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(5, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += PAIR_TABLE_BYTES)
        table_store_signed_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 512,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = OPERAND_BYTES,
    .prepare = prepare,
};
