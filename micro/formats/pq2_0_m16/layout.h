/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of pq2_0_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 128
#define BLOCK_BYTES   544
#define FIELD_BITS    2
#define FIELD_PARTS   2
