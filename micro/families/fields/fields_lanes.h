/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a kernel whose inner loop is a step of fields_lanes.S: its operand, and rows as they lie.
 */
#ifndef MICRO_FAMILIES_FIELDS_FIELDS_LANES_H
#define MICRO_FAMILIES_FIELDS_FIELDS_LANES_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/kernel.h"

extern const struct format SELF_FORMAT;

enum { FIELDS = 8 / FIELD_BITS };

/** Columns of the activations that meet 16 bytes of a row: micro/families/fields/fields_operand.h. */
struct fields_operand {
    int8_t q[4][FIELDS][4]; /* [four bytes of a row][field][byte] */
    float scale;            /* over FIELD_OFFSET */
    int32_t start, unused[2];
};
_Static_assert(sizeof(struct fields_operand) == FIELDS_BYTES, "what the assembly reads");

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct fields_operand *to = prepared;
    for (size_t i = 0; i < k; i += FIELDS_COLUMNS, to++) {
        _Alignas(32) int8_t q[FIELDS_COLUMNS];
        struct q8_facts facts = q8_make(x + i, FIELDS_COLUMNS, q);
        for (size_t byte = 0; byte < 16; byte++) {
            for (uint32_t code = 0; code < FIELDS; code++)
                to->q[byte / 4][fields_index(code)][byte % 4] = q[FIELDS * byte + code];
        }
        to->scale = facts.scale / FIELD_OFFSET;
        to->start = -FIELD_START * facts.sum;
        to->unused[0] = to->unused[1] = 0;
    }
}

static double value(const struct fields_operand *operand, size_t column)
{
    const struct fields_operand *x = &operand[column / FIELDS_COLUMNS];
    size_t byte = column % FIELDS_COLUMNS / FIELDS;
    return (double)x->scale * FIELD_OFFSET * x->q[byte / 4][fields_index(column % FIELDS)][byte % 4];
}

KERNEL_ROW(row_of, value(prepared, column))

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

#define FIELDS_LANES_KERNEL                                                                                            \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,             \
        .float_sums = FIELDS_COLUMNS, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                     \
        .prepared_bytes_per_step = OPERAND_BYTES, .prepare = prepare, .row = row_of                                    \
    }

#endif
