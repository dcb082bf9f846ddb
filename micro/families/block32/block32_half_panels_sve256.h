/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of four rows on registers of 256 bits, for block32_panels_aarch64.h: a register has the four rows twice, of rows interleaved by four
 * bytes four columns and the next four, by eight a word of eight columns and the other. Sums keep both until the row's end. Sums begin at zero,
 * for these are signed codes.
 */
#define BLOCK_STORE(out, panel, sum) store_rows((out) + BLOCK_ROWS * (panel), (sum).of[0])

#if BLOCK_CHUNK == 4
/** Words `word` and word + 1 of 32 activations, each four times. */
ROWS_INLINE tile_signed words_of(const int8_t *a, uint32_t word)
{
    svuint32_t at = svsel_u32(svptrue_pat_b32(SV_VL4), svdup_n_u32(word), svdup_n_u32(word + 1));
    return svreinterpret_s8_s32(svtbl_s32(svreinterpret_s32_s8(tile_load_signed(a)), at));
}

ROWS_INLINE tile_ints half_sums(tile_ints sum, tile_bytes codes, const int8_t *a, uint32_t i)
{
    tile_bytes low, high;
    decode(codes, &low, &high);
    sum = tile_dot(sum, tile_signed_of(low), words_of(a, 2 * i));
    return tile_dot(sum, tile_signed_of(high), words_of(a, 4 + 2 * i));
}

/** Of the four rows, twice. */
ROWS_INLINE tile_floats half_scales(const uint8_t *at)
{
    uint64_t four;
    memcpy(&four, at, sizeof four);
    svuint32_t words = svunpklo_u32(svreinterpret_u16_u64(svdup_n_u64(four)));
    return svcvt_f32_f16_x(TILE_ALL, svreinterpret_f16_u32(words));
}

ROWS_INLINE void store_rows(float *out, tile_floats sum)
{
    svst1_f32(svptrue_pat_b32(SV_VL4), out, tile_add_floats(sum, svext_f32(sum, sum, 4)));
}
#else
ROWS_INLINE tile_ints half_sums(tile_ints sum, tile_bytes codes, const int8_t *a, uint32_t i)
{
    tile_bytes low, high;
    decode(codes, &low, &high);
    sum = tile_dot_eights(sum, low, a + 8 * i);
    return tile_dot_eights(sum, high, a + 16 + 8 * i);
}

/** Of each row, twice. */
ROWS_INLINE tile_floats half_scales(const uint8_t *at)
{
    svuint32_t words = svreinterpret_u32_u64(svld1uh_u64(TILE_ALL, (const uint16_t *)(const void *)at));
    return svcvt_f32_f16_x(TILE_ALL, svreinterpret_f16_u32(svtrn1_u32(words, words)));
}

ROWS_INLINE void store_rows(float *out, tile_floats sum)
{
    svst1_f32(svptrue_pat_b32(SV_VL4), out, tile_add_floats(svuzp1_f32(sum, sum), svuzp2_f32(sum, sum)));
}
#endif

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
    tile_ints whole = half_sums(tile_zero(), tile_load(weights + BLOCK_CODES), a->q, 0);
    whole = half_sums(whole, tile_load(weights + BLOCK_CODES + TILE_BYTES), a->q, 1);
    tile_floats scales = tile_times(half_scales(weights), tile_unscaled(a->scale, CODE_BITS));
    sum.of[0] = TILE_ADD(sum.of[0], whole, CODE_BITS, scales);
    return sum;
}
