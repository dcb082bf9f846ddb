/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int1_sextets, for C and for assembly; format.c draws it.
 */
#define ROWS         64
#define STEP_COLUMNS 48
#define STEP_BYTES   384
