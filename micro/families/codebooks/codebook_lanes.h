/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a kernel whose inner loop is a step of codebook_lanes_frame.h: its operand, and rows as they lie.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_LANES_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_LANES_H

#include <stddef.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/kernel.h"
#include "micro/of_self.h"

extern const struct format SELF_FORMAT;

/** 256 columns of the activations: micro/families/codebooks/codebook_operand.h. */
struct codebook_operand {
    int8_t q[256];
    int32_t starts[16];
    float scale, unused[3];
    uint8_t table_below[16], padding[32], table[64];
#ifdef VALUES_ARE_SIGNED
    uint8_t magnitudes[256];
#endif
};

_Static_assert(sizeof(struct codebook_operand) == CB_OPERAND_BYTES &&
                   offsetof(struct codebook_operand, table_below) == CB_TABLE_BELOW &&
                   offsetof(struct codebook_operand, table) == CB_TABLE,
               "what the assembly reads");

static const int8_t codebooks[CB_BOOKS][1 << CB_BITS] = {
#include OF_FORMAT(codebooks.inc)
};

/** Value `from` of the codebooks, with 128 more or as it is. */
static uint8_t value_of(uint32_t from)
{
    int value = codebooks[from >> CB_BITS][from & ((1u << CB_BITS) - 1)];
#ifndef VALUES_ARE_SIGNED
    value += 128;
#endif
    return (uint8_t)value;
}

/** micro/families/codebooks/codebook_operand.h. */
static void put_tables(struct codebook_operand *to)
{
    for (uint32_t i = 0; i < 64; i++)
        to->table[i] = value_of(codebook_table_entry(CB_BITS, CB_NUMBER_BITS, CB_WHOLE_TABLE, i));
    for (uint32_t i = 0; i < 16; i++)
        to->table_below[i] = value_of(i % 4 * 4 + i / 4);
}

static uint32_t place_of(size_t column)
{
    return codebook_place(CB_BITS, CB_NUMBER_BITS, CB_WHOLE_TABLE, (uint32_t)column % 256);
}

/** Activations in their places. */
static void put_quants(const int8_t *q, int8_t *to)
{
    memcpy(to, q, 256);
    for (size_t first = 0; place_of(0) && first < 256; first += 16) {
        uint32_t four;
        memcpy(&four, q + first, sizeof four);
        four = four >> 8 | four << 24;
        memcpy(to + first, &four, sizeof four);
    }
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct codebook_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        put_quants(q8.q, to->q);
        for (size_t group = 0; group < 16; group++)
            to->starts[group] = -128 * q8.sums[group];
        to->scale = q8.scale;
        put_tables(to);
#ifdef VALUES_ARE_SIGNED
        for (size_t i32 = 0; i32 < 256; i32 += 32)
            _mm256_storeu_si256((__m256i *)(void *)(to->magnitudes + i32),
                                _mm256_abs_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(q8.q + i32))));
#endif
    }
}

static double value(const struct codebook_operand *blocks, size_t column)
{
    const struct codebook_operand *x = &blocks[column / 256];
    return (double)x->scale * x->q[place_of((uint32_t)column)];
}

KERNEL_ROW(row_of, value(prepared, column))

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

/** A kernel whose sequence has its name. Of each quarter of a block a float. */
#define CODEBOOK_LANES_KERNEL                                                                                          \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = CB_PREFETCH, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 64,         \
        .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes_per_step = sizeof(struct codebook_operand),       \
        .prepare = prepare, .row = row_of                                                                              \
    }

#endif
