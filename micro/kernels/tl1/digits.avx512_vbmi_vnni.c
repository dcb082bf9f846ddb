/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11, so that the 8 look-ups
 * of 4 steps fit signed bytes. The inner loop, of twice as many, is in digits.avx512_vbmi_vnni.S; the steps that are
 * left are looked up here.
 */
#include "micro/kernels/elut_avx2.h"

#define MICROKERNEL_STEPS(slice) ((slice)->steps / STEPS_TOGETHER)
#include "micro/kernels/tl1/digits.avx512_vbmi_vnni.S"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

static void add_rest(const struct gemv_slice *slice, size_t number)
{
    const uint8_t *weights = slice->weights + number * slice->panel_bytes, *tables = slice->prepared;
    for (size_t i = slice->steps / STEPS_TOGETHER * STEPS_TOGETHER; i < slice->steps; i++) {
        __m512i lower = _mm512_loadu_si512(weights + i * TL1_STEP_BYTES), upper = digits_upper(lower);
        const uint8_t *table = tables + i * STEP_TABLES;
        __m512i low = _mm512_add_epi8(digits_find(table, lower), digits_find(table + TABLE_BYTES, upper));
        __m512i high = _mm512_add_epi8(digits_find(table + 16, lower), digits_find(table + TABLE_BYTES + 16, upper));
        digits_add(slice->out + number * TL1_ROWS, low, high, BASE);
    }
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
    .prepared_bytes_per_step = STEP_TABLES,
    .prepare = prepare,
};
