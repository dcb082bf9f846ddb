/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen blocks of a row a turn, codes masked in their bytes: fields_rows16.h.
 */
#include "micro/kernels/q2_0/layout.h"

#include "micro/kernels/fields_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;
