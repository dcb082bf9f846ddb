/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q1_0_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 128
#define BLOCK_BYTES   288
#define FIELD_BITS    1
#define FIELD_PARTS   1
