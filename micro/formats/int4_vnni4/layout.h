/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int4_vnni4, for C and for assembly; format.c draws it.
 */
#define ROWS         32
#define STEP_COLUMNS 4
#define STEP_BYTES   64
