/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side, codes masked in their bytes: fields_rows.h.
 */
#include "micro/kernels/pq2_0/layout.h"

#define SUMS_OF_WORDS
#include "micro/kernels/fields_rows.h"

const struct kernel SELF = FIELDS_ROWS_KERNEL;

#include "micro/frames/gamma.h"
