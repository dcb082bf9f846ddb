/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of iq4_nl_8x8; format.c draws it.
 */
#define BLOCK_ROWS    8
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   144
#define BLOCK_CODES   16
