/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of mxfp4_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   272
#define BLOCK_CODES   16
