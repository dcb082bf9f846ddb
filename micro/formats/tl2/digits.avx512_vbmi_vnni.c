/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of three activations is 29 h + l with l and h within 14, so that the 8
 * look-ups of a tile fit signed bytes. The inner loop, of two tiles, is in digits.avx512_vbmi_vnni.S; a tile and the
 * pairs (23 h + l, l and h within 11) that are left are looked up here.
 */
#include "micro/families/lookup/elut_avx2.h"

enum { PAIR_BASE = 23, PAIR_TABLE_BYTES = 32 };

#define MICROKERNEL_STEPS(slice) (tl2_tiles((slice)->k) / 2)
#include "micro/formats/tl2/digits.avx512_vbmi_vnni.S"

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

/** What pairs of tiles leave of K columns of a panel, onto out[64]. */
static void add_rest_of(const uint8_t *panel, size_t k, const uint8_t *tables, int32_t *out)
{
    size_t tiles = tl2_tiles(k), together = tiles / 2 * 2;
    panel += together * TL2_TILE_BYTES;
    tables += together * TL2_TRIPLES * TRIPLE_TABLE_BYTES;
    if (tiles > together) {
        add_tile(panel, tables, out);
        panel += TL2_TILE_BYTES;
        tables += TL2_TRIPLES * TRIPLE_TABLE_BYTES;
    }
    if (tl2_quads(k))
        add_quads(panel, tables, tl2_quads(k), out);
}

static void add_rest(const struct gemv_slice *slice, size_t number)
{
    add_rest_of(slice->weights + number * slice->panel_bytes, slice->k, slice->prepared,
                slice->out + number * TL2_ROWS);
}

/* ---- many tokens ---- */

#define GEMM_CUT_TILES 16 /* of 4 panels 20 KiB */
#define GEMM_PANELS    INTERLEAVE
#define GEMM_ONE_IS_GEMV
#include "micro/formats/tl2/gemm_lookup.h"

/** Raw sums of a cut onto those of former ones, which wait in out in their order, or all of them to results. */
static void gemm_put(const struct gemm_slice *slice, const struct gemm_cut *cut, int32_t *raw, size_t panel,
                     size_t token)
{
    int32_t *former = gemm_out(slice, panel, token);
    for (int i = 0; i < SUMS * LANES; i += LANES) {
        __m512i sum = _mm512_load_si512(raw + i);
        if (!cut->first)
            sum = _mm512_add_epi32(sum, _mm512_load_si512(former + i));
        _mm512_store_si512(cut->last ? raw + i : former + i, sum);
    }
    if (!cut->last)
        return;
    _Alignas(64) int32_t sums[TL2_ROWS];
    finish(raw, 0, sums);
    add_rest_of(slice->weights + panel * slice->panel_bytes, slice->k, gemm_tables(slice, token), sums);
    gemm_finish(slice, sums, panel, token);
}

static struct microkernel_operands gemm_operands(const struct gemm_slice *slice, const struct gemm_cut *cut,
                                                 size_t panel, size_t token, int32_t *raw)
{
    return (struct microkernel_operands){
        .weights = slice->weights + panel * slice->panel_bytes + cut->tile * TL2_TILE_BYTES,
        .weights_stride = slice->panel_bytes,
        .operand = gemm_tables(slice, token) + cut->tile * TL2_TRIPLES * TRIPLE_TABLE_BYTES,
        .steps = cut->tiles / 2,
        .prefetch_bytes = cut->ahead,
        .raw = raw,
    };
}

static void gemm_cut(const struct gemm_slice *slice, const struct gemm_cut *cut, size_t panel, size_t token)
{
    _Alignas(64) int32_t raw[SUMS * LANES];
    struct microkernel_operands operands = gemm_operands(slice, cut, panel, token, raw);
    microkernel_one(&operands);
    gemm_put(slice, cut, raw, panel, token);
}

static void gemm_cut_of_panels(const struct gemm_slice *slice, const struct gemm_cut *cut, size_t panel, size_t token)
{
    _Alignas(64) int32_t raw[INTERLEAVE][SUMS * LANES];
    struct microkernel_operands operands = gemm_operands(slice, cut, panel, token, raw[0]);
    microkernel_rows(&operands);
    for (size_t way = 0; way < INTERLEAVE; way++)
        gemm_put(slice, cut, raw[way], panel + way, token);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 512,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .gemm = GEMM,
};
