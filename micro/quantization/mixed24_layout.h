/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in a step of mixed24; format.c draws it. Also for assembly.
 */
#define MIXED24_ROWS       16
#define MIXED24_COLUMNS    64
#define MIXED24_GROUP      16  /* columns of a group; groups 0, 1, 2 have codes of 2 bits, group 3 of 4 */
#define MIXED24_STEP_BYTES 364 /* a multiple of 4, not of 64: loads are not aligned */
#define MIXED24_CODES2     0   /* 3 x 64 bytes */
#define MIXED24_CODES4     192 /* 2 x 64 bytes */
#define MIXED24_WORDS      320 /* 16 words: zeros and scales of a row's 2-bit groups */
#define MIXED24_SCALE2     352 /* 4 halves */
#define MIXED24_ZERO2      360 /* 4 signed bytes */

/* Fields of a word: bits 2 g, 2 g + 1 are the zero of group g, then come scales of 4, 3 and 3 bits. */
#define MIXED24_SCALE_SHIFT_0 6
#define MIXED24_SCALE_SHIFT_1 10
#define MIXED24_SCALE_SHIFT_2 13

/* zero2 of a 2-bit group; that of the 4-bit group is 0 … 15, as its codes are */
#define MIXED24_ZERO2_LEAST (-112)
#define MIXED24_ZERO2_MOST  15
