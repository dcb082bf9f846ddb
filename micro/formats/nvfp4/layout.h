/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of nvfp4; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 64
#define BLOCK_BYTES   36
#define BLOCK_CODES   4
