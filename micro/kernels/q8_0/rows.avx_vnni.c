/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: vpxor adds 128 to the codes, which vpdpbusd wants unsigned. 7 vector uops of a block of 32 (the scale is 3).
 */
#include "micro/kernels/products_avx_vnni.h"
#include "micro/kernels/q8_0/codes_256.h"
#include "micro/kernels/q8_0/layout.h"

#define ROW_CODES 2
#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;

#include "micro/frames/gamma.h"
