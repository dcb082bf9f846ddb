/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q6_k_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   3360
#define SCALES        32
#define HIGH          288
#define CODES         1312
