/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by four bytes: activations come by element. See q2_k/panels_neon.h.
 */
#include "micro/kernels/q2_k/products_neon.h"
#include "micro/kernels/q2_k_m16/panel_aarch64.h"

/** Groups 8 h + 2 n + s: field n of lines 8 h + 4 s … 8 h + 4 s + 3. */
ROWS_INLINE int32x4_t group_products(const uint8_t *block, size_t vector, size_t half, int in,
                                     const int8_t *activations)
{
    const uint8_t *codes = block + CODES + LINE * (8 * half + (size_t)(in % 2 * 4)) + 16 * vector;
    uint8x16_t w[4];
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++)
        w[p] = quad_crumb(vld1q_u8(codes + LINE * p), in / 2);
    return small_dot_fours(w, activations);
}

#include "micro/kernels/q2_k/panels_neon.h"
