/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: tables hold the sums of the activations of set bits less half of all (rounded
 * down), of the upper bits twice that: 31 h + l with l within 15, h within 8 and 16, so that the 8 look-ups of a group
 * of 4 steps fit signed bytes. A group is at most 4 * 3 * 254; 10 of them fit 16 bits. The halves, three a step, are
 * added back at the end.
 */
#define BASE         31
#define TABLE_BYTES  32
#define STEP_TABLES  (2 * TABLE_BYTES)
#define BLOCK_GROUPS 10
#include "micro/families/lookup/lookup_steps_frame.h"

#ifndef __ASSEMBLER__
#include "micro/kernel.h"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/frames/finish.h"
#include "micro/formats/tmac2/layout.h"

struct tables {
    int32_t halves; /* three times all that the tables lack */
    int32_t unused[15];
    uint8_t steps[];
};

static size_t prepared_bytes(size_t k)
{
    return sizeof(struct tables) + k / TMAC2_STEP_COLUMNS * STEP_TABLES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    struct tables *tables = prepared;
    uint8_t *table = tables->steps;
    struct table_coefficients bits;
    table_coefficients_of_bits(0, &bits);
    tables->halves = 0;
    for (size_t i = 0; i < k; i += TMAC2_STEP_COLUMNS, a += TMAC2_STEP_COLUMNS, table += STEP_TABLES) {
        int32_t half = (a[0] + a[1] + a[2] + a[3]) >> 1;
        __m256i sums = _mm256_sub_epi16(table_sums(&bits, 4, a), _mm256_set1_epi16((int16_t)half));
        table_store_digits(table, sums, BASE);
        table_store_digits(table + TABLE_BYTES, _mm256_add_epi16(sums, sums), BASE);
        tables->halves += 3 * half;
    }
}

static const uint8_t *tables_of(const struct gemv_slice *slice)
{
    return ((const struct tables *)slice->prepared)->steps;
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct tables *tables = slice->prepared;
    finish_rows(sums, TMAC2_ROWS, add_wrapping(slice->correction, tables->halves), slice->out + panel * TMAC2_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};
#endif
