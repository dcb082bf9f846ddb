/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes. The sums of two activations reach from -2 to 1 times them, 508; less the middle,
 * -(a0 + a1) / 2, they are within 381: 29 h + l with l and h within 14, so that the 8 look-ups of a group of 4 steps fit
 * signed bytes. A group is at most 8 * 381; 10 of them fit 16 bits. The middles are added back at the end.
 */
#include "micro/kernel.h"
#include "micro/kernels/elut_avx2.h"
#include "micro/kernels/finish.h"
#include "micro/kernels/lookup_avx2.h"
#include "micro/kernels/tl1/layout.h"

enum { INTERLEAVE = 4, BLOCK_GROUPS = 10 };

#include "micro/kernels/elut4/bytes.avx2.S"

struct tables {
    int32_t middles; /* all that the tables lack */
    int32_t unused[15];
    uint8_t steps[];
};

static size_t prepared_bytes(size_t k)
{
    return sizeof(struct tables) + k / TL1_STEP_COLUMNS * STEP_TABLES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    struct tables *tables = prepared;
    uint8_t *table = tables->steps;
    struct table_coefficients pairs;
    table_coefficients_make(4, 2, &pairs);
    tables->middles = 0;
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES) {
        int32_t middle = -((a[i] + a[i + 1]) >> 1);
        __m256i sums = _mm256_sub_epi16(table_sums(&pairs, 2, a + i), _mm256_set1_epi16((int16_t)middle));
        table_store_digits(table, sums, BASE);
        tables->middles += middle;
    }
}

static const uint8_t *tables_of(const struct gemv_slice *slice)
{
    return ((const struct tables *)slice->prepared)->steps;
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct tables *tables = slice->prepared;
    finish_rows(sums, TL1_ROWS, add_wrapping(slice->correction, tables->middles), slice->out + panel * TL1_ROWS);
}

#include "micro/kernels/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "tl1.bytes.avx2",
    .prefetch_bytes = 2048,
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};
