/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of cb3 and its codebooks; format.c draws it.
 */
#define BLOCK_ROWS     16
#define BLOCK_COLUMNS  256
#define BLOCK_BYTES    1824
#define CB_BITS        3
#define CB_BOOKS       4
#define CB_NUMBER_BITS 2
#define CB_FILE        "micro/formats/cb3/codebooks.inc"
