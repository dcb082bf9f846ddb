/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of three activations is 29 h + l with l and h within 14, so that the 8
 * look-ups of a tile fit signed bytes. The inner loop, of two tiles, is in digits.avx512_vbmi_vnni.S; a tile and the
 * pairs (23 h + l, l and h within 11) that are left are looked up here.
 */
#include "micro/kernels/elut_avx2.h"

enum { PAIR_BASE = 23, PAIR_TABLE_BYTES = 32 };

#define MICROKERNEL_STEPS(slice) (tl2_tiles((slice)->k) / 2)
#include "micro/kernels/tl2/digits.avx512_vbmi_vnni.S"

static size_t prepared_bytes(size_t k)
{
    return tl2_tiles(k) * TL2_TRIPLES * TRIPLE_TABLE_BYTES + tl2_quads(k) * 2 * PAIR_TABLE_BYTES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients triples, pairs;
    table_coefficients_make(3, 3, &triples);
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < tl2_tiles(k) * TL2_TRIPLES; i++, a += 3, table += TRIPLE_TABLE_BYTES)
        table_store_signed_digits(table, table_sums(&triples, 3, a), BASE);
    for (size_t i = 0; i < tl2_quads(k) * 2; i++, a += 2, table += PAIR_TABLE_BYTES)
        table_store_digits(table, table_sums(&pairs, 2, a), PAIR_BASE);
}

static void add_tile(const uint8_t *tile, const uint8_t *tables, int32_t *out)
{
    __m512i low = _mm512_setzero_si512(), high = low, signs = _mm512_loadu_si512(tile + TL2_SIGNS);
    for (int triple = 0; triple < TL2_TRIPLES; triple++, tables += TRIPLE_TABLE_BYTES) {
        __m512i nibbles = _mm512_loadu_si512(tile + triple / 2 * TL2_ROWS);
        __m512i index = triple % 2 ? digits_upper(nibbles) : nibbles;
        __mmask64 negative = _mm512_movepi8_mask(signs);
        __m512i l = digits_find(tables, index), h = digits_find(tables + 32, index);
        low = _mm512_mask_sub_epi8(_mm512_mask_add_epi8(low, ~negative, low, l), negative, low, l);
        high = _mm512_mask_sub_epi8(_mm512_mask_add_epi8(high, ~negative, high, h), negative, high, h);
        signs = _mm512_add_epi8(signs, signs);
    }
    digits_add(out, low, high, BASE);
}

static void add_quads(const uint8_t *quad, const uint8_t *tables, size_t quads, int32_t *out)
{
    __m512i low = _mm512_setzero_si512(), high = low;
    for (size_t i = 0; i < quads * 2; i++, tables += PAIR_TABLE_BYTES) {
        __m512i nibbles = _mm512_loadu_si512(quad + i / 2 * TL2_QUAD_BYTES);
        __m512i index = i % 2 ? digits_upper(nibbles) : nibbles;
        low = _mm512_add_epi8(low, digits_find(tables, index));
        high = _mm512_add_epi8(high, digits_find(tables + 16, index));
    }
    digits_add(out, low, high, PAIR_BASE);
}

static void add_rest(const struct gemv_slice *slice, size_t number)
{
    size_t tiles = tl2_tiles(slice->k), together = tiles / 2 * 2;
    const uint8_t *weights = slice->weights + number * slice->panel_bytes + together * TL2_TILE_BYTES;
    const uint8_t *tables = (const uint8_t *)slice->prepared + together * TL2_TRIPLES * TRIPLE_TABLE_BYTES;
    int32_t *out = slice->out + number * TL2_ROWS;
    if (tiles > together) {
        add_tile(weights, tables, out);
        weights += TL2_TILE_BYTES;
        tables += TL2_TRIPLES * TRIPLE_TABLE_BYTES;
    }
    if (tl2_quads(slice->k))
        add_quads(weights, tables, tl2_quads(slice->k), out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 1024,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};
