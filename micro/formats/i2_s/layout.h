/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of i2_s, for C and for assembly; format.c draws it.
 */
#define ROWS         1
#define STEP_COLUMNS 128
#define STEP_BYTES   32
