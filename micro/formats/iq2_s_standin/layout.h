/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of iq2_s_standin; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   82
#define INDICES       2
#define SIGNS         34
#define UPPER         66
#define SCALES        74
