/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11, so that the 8 look-ups
 * of a group of 4 steps fit signed bytes; vpmaddubsw with 1 and 23 makes words of them, at most 8 * 254; 16 groups fit
 * 16 bits.
 */
#define BASE         23
#define TABLE_BYTES  32
#define STEP_TABLES  (2 * TABLE_BYTES)
#define BLOCK_GROUPS 16
#include "micro/families/lookup/lookup_steps_frame.h"

#ifndef __ASSEMBLER__
#include "micro/kernel.h"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/frames/finish.h"
#include "micro/formats/tl1/layout.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

static const uint8_t *tables_of(const struct gemv_slice *slice)
{
    return slice->prepared;
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    finish_rows(sums, TL1_ROWS, slice->correction, slice->out + panel * TL1_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

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
