/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int2_planes, for C and for assembly; format.c draws it.
 */
#define ROWS         64
#define STEP_COLUMNS 4
#define STEP_BYTES   64
