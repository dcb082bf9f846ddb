/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of exact look-ups of TL1 on aarch64, from tables of two bytes an entry. The including .c defines
 *
 *   BLOCK_STEPS                                    that 16-bit sums hold
 *   table_store(table, sums)                       an entry's two bytes: table[16] of the first, after them of the second
 *   add_steps(words, step, tables, steps, slice)   look-ups of this many steps added to words of 64 rows
 */
#ifndef MICRO_FORMATS_TL1_EXACT_AARCH64_H
#define MICRO_FORMATS_TL1_EXACT_AARCH64_H

#include "micro/families/lookup/elut_neon.h"
#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/formats/tl1/layout.h"
#include "micro/frames/finish.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

enum { TABLE_BYTES = 32, STEP_TABLES = TL1_STEP_PAIRS * TABLE_BYTES };

LOOKUP void table_store(uint8_t *table, struct table_words sums);

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store(table, table_sums(&pairs, 2, a + i));
}

static const uint8_t *tables_of(const struct gemv_slice *slice)
{
    return slice->prepared;
}

#include "micro/formats/tl1/blocks_aarch64.h"

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    finish_rows(sums, TL1_ROWS, slice->correction, slice->out + panel * TL1_ROWS);
}

extern const struct format SELF_FORMAT;

#ifndef SELF_DIFFERS /* of a rendering */
#define SELF_DIFFERS NULL
#endif

#define TL1_EXACT_KERNEL                                                                                               \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .differs = SELF_DIFFERS,                                                              \
        .prefetch_bytes = 1024 /* predicted: no core of aarch64 has been timed */, .lossless = true, .gemv = gemv,     \
        .prepared_bytes_per_step = STEP_TABLES, .prepare = prepare,                                                    \
    }

/* its gamma: lookup_gamma.h and micro/frames/gamma.h, which the .c includes at its end */
#define STEP_COLUMNS       TL1_STEP_COLUMNS
#define STEP_BYTES         TL1_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (BLOCK_STEPS * STEP_TABLES)
#define STEP_LARGEST       127

#endif
