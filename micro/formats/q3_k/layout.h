/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q3_k; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   110
#define CODES         32
#define SCALES        96
#define D             108
