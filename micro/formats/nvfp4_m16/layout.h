/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of nvfp4_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 64
#define BLOCK_BYTES   576
#define BLOCK_CODES   64
