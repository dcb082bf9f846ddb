/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of pq2_0; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 128
#define BLOCK_BYTES   34
#define FIELD_BITS    2
#define FIELD_PARTS   2
