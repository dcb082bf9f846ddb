/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int1_planes_m8, for C and for assembly; format.c draws it.
 */
#define ROWS         64
#define STEP_COLUMNS 8
#define STEP_BYTES   64
