/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q2_k; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   84
#define CODES         16
#define D             80
#define DMIN          82
