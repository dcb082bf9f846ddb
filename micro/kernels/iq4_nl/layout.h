/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of iq4_nl; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   18
