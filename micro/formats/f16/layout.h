/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of f16, for C and for assembly; format.c draws it.
 */
#define ROWS         1
#define STEP_COLUMNS 32
#define STEP_BYTES   64
