/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by eight bytes: a register has two words of each of two rows, which with sdot meet eight activations in every
 * place and are added to their neighbours at the end of the group, and without it are sorted first. See q2_k/interleaved_aarch64.h.
 */
#include "micro/kernels/q2_k/products_aarch64.h"
#include "micro/kernels/q2_k_8x8/panel_aarch64.h"

#define panel_words group_words

/** Groups 8 h + 2 n + s: field n of lines 4 h + 2 s and 4 h + 2 s + 1. */
ROWS_INLINE int32x4_t group_products(const uint8_t *block, size_t vector, size_t half, int in,
                                     const int8_t *activations)
{
    const uint8_t *codes = block + CODES + LINE * (4 * half + (size_t)(in % 2 * 2)) + 32 * vector;
    uint8x16_t w[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        w[i] = vld1q_u8(codes + LINE * (i / 2) + 16 * (i % 2));
    small_order_eights(w);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        w[i] = quad_crumb(w[i], in / 2);
    return small_dot_eights(w, activations);
}

#include "micro/kernels/q2_k/interleaved_aarch64.h"
