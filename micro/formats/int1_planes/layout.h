/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int1_planes, for C and for assembly; format.c draws it.
 */
#define ROWS         128
#define STEP_COLUMNS 4
#define STEP_BYTES   64
