/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q2_k_8x8; format.c draws it.
 */
#define BLOCK_ROWS    8
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   672

/* where a block has a row's dmin and the byte of a group */
#define Q2_K_DMIN_AT(row)         (16 + 2 * (row))
#define Q2_K_GROUP_AT(row, group) (32 + (group) / 2 * 16 + 2 * (row) + (group) % 2)
