/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables that take a byte b of TQ1_0 apart by vpermb alone, for assembler and C. b stands for n = floor(243 b / 256), its
 * five digits in base 3. vpermb takes six bits of an index, and neither n / 27 nor n mod 27 is a function of six bits of
 * b. But four neighbours, those with the same b / 4, go through few courses of either, and all courses are pieces of one
 * line of at most 64 values. So
 *
 *     code = b + to[b / 4]   (mod 64)
 *
 * is a place on that line, and a table by codes has a digit. Of n / 27 the line is 36 values long, of n mod 27 it is 64:
 * every byte has its codes, also those that no five digits are packed to.
 */
#ifndef MICRO_FORMATS_TQ1_0_TQ1_0_CODES_H
#define MICRO_FORMATS_TQ1_0_TQ1_0_CODES_H

/* clang-format off */
#define TQ1_0_TO_UPPER \
    0, 60, 56, 52, 48, 44, 40, 39, 36, 32, 28, 24, 20, 16, 15, 12, 8, 4, 0, 60, 56, 54, 52, 48, 44, 40, 36, 32, 30, 28, 24, 20, \
    16, 12, 8, 5, 4, 0, 60, 56, 52, 48, 45, 44, 40, 36, 32, 28, 24, 20, 20, 16, 12, 8, 4, 0, 60, 60, 56, 52, 48, 44, 40, 36
#define TQ1_0_TO_LOWER \
    43, 3, 3, 3, 3, 2, 2, 39, 39, 39, 38, 38, 38, 38, 11, 10, 10, 10, 10, 41, 9, 46, 46, 46, 28, 45, 45, 45, 18, 58, 17, 17, \
    17, 17, 27, 53, 53, 53, 53, 3, 52, 52, 25, 25, 55, 24, 24, 24, 24, 60, 60, 60, 60, 60, 26, 59, 59, 32, 32, 13, 31, 31, 31, 31
/* digit 0, by the code of the upper two */
#define TQ1_0_DIGIT_0 \
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, \
    2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
/* digit 1, by the code of the upper two */
#define TQ1_0_DIGIT_1 \
    0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, \
    2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
/* digit 2, by the code of the lower three */
#define TQ1_0_DIGIT_2 \
    2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, \
    1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1
/* digit 3, by the code of the lower three */
#define TQ1_0_DIGIT_3 \
    2, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2, 1, \
    1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 1, 1
/* digit 4, by the code of the lower three */
#define TQ1_0_DIGIT_4 \
    0, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 1, \
    2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 0, 0, 1, 2, 0, 1, 1, 1, 1, 2, 0, 1, 2, 2, 2, 2, 0, 1, 2, 0, 0
/* clang-format on */

#endif
