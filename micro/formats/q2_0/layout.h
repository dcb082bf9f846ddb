/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q2_0; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 64
#define BLOCK_BYTES   18
#define FIELD_BITS    2
#define FIELD_PARTS   1
