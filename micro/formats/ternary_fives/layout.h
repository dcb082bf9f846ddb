/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of ternary_fives; format.c draws it.
 */
#define ROWS         64
#define STEP_COLUMNS 5
#define STEP_BYTES   64
