/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side, codes masked in their bytes: fields_rows.h.
 */
#include "micro/kernels/q2_0/layout.h"

#include "micro/kernels/fields_rows.h"

const struct kernel SELF = FIELDS_ROWS_KERNEL;

#include "micro/frames/gamma.h"
