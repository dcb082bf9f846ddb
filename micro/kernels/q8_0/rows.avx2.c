/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: signed codes times signed activations, the sign of the codes given to the activations. 9 vector uops of
 * a block of 32 (the scale is 3). A code of -128, which no quantizer gives, is right as well: its magnitude is unsigned.
 */
#include "micro/kernels/products_avx2.h"
#include "micro/kernels/q8_0/layout.h"

#define CODE_OFFSET      0
#define ROW_CODES        2
#define byte_codes(line) (line)
#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;

#include "micro/frames/gamma.h"
