/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of iq4_nl_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   288
#define BLOCK_CODES   32
