/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Digits of lines of ptq1_0_m16 by tables of 64 bytes in registers, for lanes.c: two codes of a byte, and of these five digits (tq1_0_codes.h), 7 vpermb, 2
 * additions and a shift before 5 products, where sums of whole bytes take 10 additions and 10 products. Three lines go through each step together: one
 * after the other, products that wait for their look-ups leave the schedulers no room for the next, and a block takes 5% longer.
 */
#ifndef MICRO_FORMATS_PTQ1_0_M16_LOOKUPS_512_H
#define MICRO_FORMATS_PTQ1_0_M16_LOOKUPS_512_H

#include "micro/formats/tq1_0/tq1_0_codes.h"

enum { TIMES = 1, TOGETHER = 3 };

static const uint8_t to_upper[64] = {TQ1_0_TO_UPPER}, to_lower[64] = {TQ1_0_TO_LOWER};
static const uint8_t digit_tables[5][64] = {
    {TQ1_0_DIGIT_0}, {TQ1_0_DIGIT_1}, {TQ1_0_DIGIT_2}, {TQ1_0_DIGIT_3}, {TQ1_0_DIGIT_4},
};

/** Of the lines that go together. */
struct sums {
    lanes_group line[TOGETHER];
};

ROWS_INLINE struct sums sums_begin(const struct ptq1_0_operand *a)
{
    return (struct sums){{lanes_broadcast(&a->start), lanes_group_zero(), lanes_group_zero()}};
}

ROWS_INLINE lanes_ints look_up(lanes_ints places, const uint8_t *table)
{
    lanes_ints values = _mm512_permutexvar_epi8(places, _mm512_loadu_si512(table));
    ROWS_IN_REGISTER(values);
    return values;
}

/** The codes of `count` registers of bytes: of digits 0 and 1, and of the other three. */
ROWS_INLINE void find_codes(const lanes_ints *bytes, int count, lanes_ints (*codes)[2])
{
#pragma GCC unroll 3
    for (int i = 0; i < count; i++) {
        lanes_ints quarters = _mm512_srli_epi16(bytes[i], 2); /* of a place, 6 bits count */
        codes[i][0] = look_up(quarters, to_upper);
        codes[i][1] = look_up(quarters, to_lower);
    }
#pragma GCC unroll 3
    for (int i = 0; i < count; i++) {
        codes[i][0] = lanes_add_bytes(bytes[i], codes[i][0]);
        codes[i][1] = lanes_add_bytes(bytes[i], codes[i][1]);
    }
}

ROWS_INLINE lanes_ints digit_of(const lanes_ints *codes, int n)
{
    return look_up(codes[n >= 2], digit_tables[n]);
}

ROWS_INLINE void add_lines(struct sums *sums, const uint8_t *lines, const struct ptq1_0_operand *a)
{
#pragma GCC unroll 2
    for (size_t first = 0; first < LINES; first += TOGETHER) {
        lanes_ints bytes[TOGETHER], codes[TOGETHER][2];
#pragma GCC unroll 3
        for (size_t i = 0; i < TOGETHER; i++) {
            bytes[i] = lanes_load(lines + LINE * (first + i));
            ROWS_IN_REGISTER(bytes[i]);
        }
        find_codes(bytes, TOGETHER, codes);
#pragma GCC unroll 5
        for (int n = 0; n < 5; n++) {
#pragma GCC unroll 3
            for (size_t i = 0; i < TOGETHER; i++) {
                const int8_t *q = a->q + 20 * (first + i) + 4 * n;
                sums->line[i] = lanes_products(sums->line[i], digit_of(codes[i], n), q);
                ROWS_IN_REGISTER(sums->line[i]);
            }
        }
    }
}

/** Lanes of two bytes, of which digits 0 and 2, and 1 and 3, become lanes of four. */
ROWS_INLINE void add_last(struct sums *sums, lanes_ints words, const struct ptq1_0_operand *a)
{
    lanes_ints codes[2];
    find_codes(&words, 1, &codes);
#pragma GCC unroll 2
    for (int n = 0; n < 2; n++) {
        lanes_ints both = lanes_or(digit_of(codes, n), lanes_up(digit_of(codes, n + 2), 16));
        sums->line[n] = lanes_products(sums->line[n], both, a->q + 4 * (LAST_LINE + n));
    }
}

ROWS_INLINE lanes_ints sums_end(const struct sums *sums, const struct ptq1_0_operand *a)
{
    (void)a;
    return lanes_add(lanes_add(sums->line[0], sums->line[1]), sums->line[2]);
}

#endif
