/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q2_k_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   1344

/* where a block has a row's dmin and the byte of a group */
#define Q2_K_DMIN_AT(row)         (32 + 2 * (row))
#define Q2_K_GROUP_AT(row, group) (64 + (group) / 4 * 64 + 4 * (row) + (group) % 4)
