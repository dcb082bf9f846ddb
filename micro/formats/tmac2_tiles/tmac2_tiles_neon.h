/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What 16 tables say of 16 rows, by tbl: tables lie in 16 registers for all rows of a tile, what is found of two quads is added as it is widened
 * (saddl), and then to words, as T-MAC does it on Neon. 16 rows and 64 columns take 16 AND, 16 shifts, 32 tbl, 32 saddl, 28 adds and, where sums are
 * integers, 8 saddw for 32 output vectors. Neoverse N1, N2, 2 vector pipes: >= 2.06 cycles each. V1, 4 pipes, tbl on two of them: >= 1.03.
 */
#ifndef MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_NEON_H
#define MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_NEON_H

#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tmac2_tiles/layout.h"

/* those of a tile */
typedef struct {
    int8x16_t of[TMAC2_TILE_QUADS];
} tmac2_tables;

LOOKUP tmac2_tables tmac2_tables_of(const uint8_t *tables)
{
    tmac2_tables to;
#pragma GCC unroll 16
    for (int quad = 0; quad < TMAC2_TILE_QUADS; quad++) {
        to.of[quad] = vld1q_s8((const int8_t *)tables + quad * QUANTIZED_TABLE_BYTES);
        __asm__("" : "+w"(to.of[quad])); /* or it loads them again for each block of rows */
    }
    return to;
}

/** Of 16 rows and 64 columns: of eight rows their bits 0, then their bits 1; then of the eight rows after them. */
struct tmac2_words {
    int16x8_t of[4];
};

LOOKUP void tmac2_add_pair(int16x8_t *words, int8x16_t first, int8x16_t second)
{
    words[0] = vaddq_s16(words[0], vaddl_s8(vget_low_s8(first), vget_low_s8(second)));
    words[1] = vaddq_s16(words[1], vaddl_high_s8(first, second));
}

LOOKUP struct tmac2_words tmac2_block_sums(const uint8_t *weights, tmac2_tables tables)
{
    const int16x8_t zero = vdupq_n_s16(0);
    struct tmac2_words sums = {{zero, zero, zero, zero}};
#pragma GCC unroll 8
    for (int quad = 0; quad < TMAC2_TILE_QUADS; quad += 2, weights += 32) {
        uint8x16_t first = vld1q_u8(weights), second = vld1q_u8(weights + 16);
        int8x16_t table = tables.of[quad], next = tables.of[quad + 1];
        tmac2_add_pair(sums.of, vqtbl1q_s8(table, lookup_lower(first)), vqtbl1q_s8(next, lookup_lower(second)));
        tmac2_add_pair(sums.of + 2, vqtbl1q_s8(table, lookup_upper(first)), vqtbl1q_s8(next, lookup_upper(second)));
        /* or the compiler loads so much ahead that tables go to the stack */
        __asm__ volatile("" : "+r"(weights), "+w"(sums.of[0]), "+w"(sums.of[1]), "+w"(sums.of[2]), "+w"(sums.of[3]));
    }
    return sums;
}

/** They are added to sums[32]: of each eight rows eight of bit 0 and eight of bit 1. */
LOOKUP void tmac2_widen(int32_t *sums, struct tmac2_words found)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++, sums += 8) {
        vst1q_s32(sums, vaddw_s16(vld1q_s32(sums), vget_low_s16(found.of[i])));
        vst1q_s32(sums + 4, vaddw_high_s16(vld1q_s32(sums + 4), found.of[i]));
    }
}

LOOKUP void tmac2_add_floats(float *sums, int32x4_t found, float by, float bias, const float *scales)
{
    float32x4_t scaled = vfmaq_n_f32(vdupq_n_f32(bias), vcvtq_f32_s32(found), by);
    vst1q_f32(sums, vfmaq_f32(vld1q_f32(sums), scaled, vld1q_f32(scales)));
}

/** The same scaled, those of bit 0 with `bias`: once for all, and by scales[16] for each row. */
LOOKUP void tmac2_add_scaled(float *sums, struct tmac2_words found, float by, float bias, const float *scales)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++, sums += 8) {
        const float minus = i % 2 ? 0 : bias, *of = scales + i / 2 * 8;
        tmac2_add_floats(sums, vmovl_s16(vget_low_s16(found.of[i])), by, minus, of);
        tmac2_add_floats(sums + 4, vmovl_high_s16(found.of[i]), by, minus, of + 4);
    }
}

/** Eight rows of sums[16]. */
LOOKUP void tmac2_join(const float *sums, float *out)
{
    vst1q_f32(out, vfmaq_n_f32(vld1q_f32(sums + 8), vld1q_f32(sums), 0.5f));
    vst1q_f32(out + 4, vfmaq_n_f32(vld1q_f32(sums + 12), vld1q_f32(sums + 4), 0.5f));
}

#endif
