/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int1_vnni4, for C and for assembly; format.c draws it.
 */
#define ROWS         32
#define STEP_COLUMNS 16
#define STEP_BYTES   64
