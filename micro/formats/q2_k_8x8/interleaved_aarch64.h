/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by eight bytes: a register has two words of each of two rows, of four with SVE, which with sdot meet eight activations in every
 * place and are added to their neighbours at the end of the group, and without it are sorted first. See q2_k/interleaved_aarch64.c.
 */
#include "micro/formats/q2_k/products_aarch64.h"
#include "micro/formats/q2_k_8x8/panel_aarch64.h"

#ifdef __ARM_FEATURE_SVE
/** As group_words(), of all eight rows. */
ROWS_INLINE tile_bytes panel_words(const uint8_t *block, size_t row, size_t m)
{
    const uint16_t *pairs = (const uint16_t *)(const void *)(block + GROUP_BYTES + 32 * m + 2 * row);
    svbool_t eight = svptrue_pat_b16(SV_VL8);
    return svreinterpret_u8_u16(svzip1_u16(svld1_u16(eight, pairs), svld1_u16(eight, pairs + 8)));
}
#else
#define panel_words group_words
#endif

/** Groups 8 h + 2 n + s: field n of lines 4 h + 2 s and 4 h + 2 s + 1. */
ROWS_INLINE tile_ints group_products(const uint8_t *block, size_t vector, size_t half, int in,
                                     const int8_t *activations)
{
    const uint8_t *codes = block + CODES + LINE * (4 * half + (size_t)(in % 2 * 2)) + 2 * (size_t)TILE_BYTES * vector;
    tile_bytes w[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        w[i] = tile_load(codes + LINE * (i / 2) + TILE_BYTES * (i % 2));
    small_order_eights(w);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        w[i] = small_crumb(w[i], in / 2);
    return small_dot_eights(w, activations);
}
