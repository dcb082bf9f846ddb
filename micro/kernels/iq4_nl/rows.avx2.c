/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: one vpshufb looks the signed values up, and the sign goes to the activations. 12 vector uops of a block of 32
 * (the scale is 3).
 */
#include "micro/kernels/iq4_nl/codes_signed_256.h"
#include "micro/kernels/iq4_nl/layout.h"
#include "micro/kernels/products_avx2.h"

#define ROW_CODES 2
#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;

#include "micro/frames/gamma.h"
