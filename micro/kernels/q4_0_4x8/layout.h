/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q4_0_4x8; format.c draws it.
 */
#define BLOCK_ROWS    4
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   72
#define BLOCK_CODES   8
