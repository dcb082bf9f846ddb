/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of ptq1_0_m16, two side by side: lanes are rows, and a lane has the same four bytes of its row. No digit is taken from its byte where
 * there is vpdpbusd: of a fraction y_0, and y_(n + 1) what is left of 3 y_n modulo 256, digit n is
 *
 *     d_n = (3 y_n - y_(n + 1)) / 256,   so that   256 sum a_n d_n = 3 sum a_n y_n - sum a_n y_(n + 1)
 *
 * and two sums of products of whole bytes do, with two byte additions a digit. A block's fit 32 bits. Products of bytes do not fit the words of AVX2:
 * there digits are taken apart by digits_256.h, and words have a block of them (2 * 127 * 2 * 32). Where bytes are looked up among 64, digits are
 * (LANES_LOOKED_UP): lookups_512.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define ROWS_TOGETHER 2
#include "micro/families/k_quants/k_quant_lanes_vectors.h"

#include "micro/families/blocks/q8_avx2.h"
#include "micro/formats/ptq1_0/ptq1_0_digits.h"
#include "micro/frames/prefetch_run.h"

extern const struct format SELF_FORMAT;

enum { LINE = 4 * BLOCK_ROWS, LAST_BYTES = 32, CODES = 64, LINES = 6, LAST_LINE = 30 };

/** 128 columns of the activations, in the order of ptq1_0_place(). Of sums that are TIMES what is wanted, scale over as much, and TIMES their sum; with
 * AVX2 minus their sum. */
struct ptq1_0_operand {
    int8_t q[128];
    float scale;
    int32_t start, unused[2];
} __attribute__((aligned(16)));

#if defined LANES_LOOKED_UP
#include "micro/formats/ptq1_0_m16/lookups_512.h"
#elif LANES_SUM_IN_WORDS
#include "micro/formats/ptq1_0/digits_256.h"

enum { TIMES = 1 };

struct sums {
    lanes_group digits;
};

ROWS_INLINE struct sums sums_begin(const struct ptq1_0_operand *a)
{
    (void)a;
    return (struct sums){lanes_group_zero()};
}

/** `count` digits of four bytes. */
ROWS_INLINE void add_digits(struct sums *sums, size_t turn, lanes_ints bytes, int count, const int8_t *a)
{
    lanes_ints digit[5];
    (void)turn;
    digits_of(bytes, count, digit);
#pragma GCC unroll 5
    for (int n = 0; n < count; n++) {
        sums->digits = lanes_products(sums->digits, digit[n], a + 4 * n);
        ROWS_IN_REGISTER(sums->digits);
    }
}

ROWS_INLINE lanes_ints sums_end(const struct sums *sums, const struct ptq1_0_operand *a)
{
    return lanes_add(_mm256_madd_epi16(sums->digits, _mm256_set1_epi16(1)), lanes_broadcast(&a->start));
}
#else
enum { TIMES = 256, PAIRS = 3 };

/** Of the activations times y_n, and times y_(n + 1), in turns: products of one sum of each would wait for one another. */
struct sums {
    lanes_group now[PAIRS], next[PAIRS];
};

ROWS_INLINE struct sums sums_begin(const struct ptq1_0_operand *a)
{
    const lanes_group none = lanes_group_zero();
    return (struct sums){{none, none, none}, {lanes_broadcast(&a->start), none, none}};
}

ROWS_INLINE void add_digits(struct sums *sums, size_t turn, lanes_ints bytes, int count, const int8_t *a)
{
#pragma GCC unroll 5
    for (int n = 0; n < count; n++) {
        size_t which = count == 5 ? turn % PAIRS : (size_t)n;
        sums->now[which] = lanes_products(sums->now[which], bytes, a + 4 * n);
        bytes = lanes_add_bytes(bytes, lanes_add_bytes(bytes, bytes));
        sums->next[which] = lanes_products(sums->next[which], bytes, a + 4 * n);
        ROWS_IN_REGISTER(sums->now[which]);
        ROWS_IN_REGISTER(sums->next[which]);
    }
}

ROWS_INLINE lanes_ints sums_end(const struct sums *sums, const struct ptq1_0_operand *a)
{
    (void)a;
    lanes_ints now = lanes_add(lanes_add(sums->now[0], sums->now[1]), sums->now[2]);
    lanes_ints next = lanes_add(lanes_add(sums->next[0], sums->next[1]), sums->next[2]);
    return lanes_subtract(lanes_add(now, lanes_add(now, now)), next);
}

/** Lanes of two bytes that have four digits, and 9 times them, less what overflows. */
ROWS_INLINE lanes_ints digits_last(lanes_ints words)
{
    lanes_ints three = lanes_add_bytes(words, lanes_add_bytes(words, words));
    return lanes_or(words, lanes_up(lanes_add_bytes(three, lanes_add_bytes(three, three)), 16));
}
#endif

#ifndef LANES_LOOKED_UP
ROWS_INLINE void add_lines(struct sums *sums, const uint8_t *lines, const struct ptq1_0_operand *a)
{
#pragma GCC unroll 6
    for (size_t line = 0; line < LINES; line++) {
        lanes_ints bytes = lanes_load(lines + LINE * line);
        ROWS_IN_REGISTER(bytes);
        add_digits(sums, line, bytes, 5, a->q + 20 * line);
    }
}

/** Lanes of two bytes. */
ROWS_INLINE void add_last(struct sums *sums, lanes_ints words, const struct ptq1_0_operand *a)
{
    add_digits(sums, 0, digits_last(words), 2, a->q + 4 * LAST_LINE);
}
#endif

/** LANES rows of a block, from row `first` of the panel on; `ahead`: they ask for what lies `distance` bytes ahead. */
ROWS_INLINE lanes_floats add_rows(lanes_floats sum, const uint8_t *panel, size_t first, bool ahead, size_t distance,
                                  const struct ptq1_0_operand *a)
{
    ROWS_READ_AGAIN(a);
    if (ahead)
        prefetch_run(panel, BLOCK_BYTES, distance);
    struct sums sums = sums_begin(a);
    add_lines(&sums, panel + CODES + 4 * first, a);
    add_last(&sums, lanes_load_words(panel + LAST_BYTES + 2 * first), a);
    return lanes_add_scaled(sum, sums_end(&sums, a), panel + 2 * first, a->scale);
}

#define BLOCK_ACTIVATIONS struct ptq1_0_operand
#include "micro/families/k_quants/k_quant_lanes_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct ptq1_0_operand *to = prepared;
    for (size_t i = 0; i < k; i += BLOCK_COLUMNS, to++) {
        _Alignas(32) int8_t q[BLOCK_COLUMNS];
        struct q8_facts facts = q8_make(x + i, BLOCK_COLUMNS, q);
        memset(to, 0, sizeof *to);
        for (uint32_t column = 0; column < BLOCK_COLUMNS; column++)
            to->q[ptq1_0_place(column)] = q[column];
        to->scale = facts.scale / TIMES;
        to->start = (TIMES == 1 ? -1 : TIMES) * facts.sum;
    }
}

static double value(const struct ptq1_0_operand *blocks, size_t column)
{
    const struct ptq1_0_operand *a = &blocks[column / BLOCK_COLUMNS];
    return (double)a->scale * TIMES * a->q[ptq1_0_place(column % BLOCK_COLUMNS)];
}

KERNEL_ROW(row_of, value(prepared, column))

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 3072,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct ptq1_0_operand),
    .prepare = prepare,
    .row = row_of,
};

#include "micro/frames/gamma.h"
