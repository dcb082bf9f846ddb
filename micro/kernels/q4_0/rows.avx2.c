/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side, codes multiplied as they are stored: what they are too large by is where the sums end, and no byte is made
 * signed. 10 vector uops of a block of 32 (the scale is 3) where signed bytes take 15.
 */
#include "micro/kernels/products_words_avx2.h"
#include "micro/kernels/q4_0/codes_256.h"
#include "micro/kernels/q4_0/layout.h"

#define ROW_CODES 2
#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;

#include "micro/frames/gamma.h"
