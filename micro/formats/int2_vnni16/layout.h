/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of int2_vnni16; format.c draws it.
 */
#define ROWS         16
#define STEP_COLUMNS 16
#define STEP_BYTES   64
