/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in panel.avx512_vbmi_vnni.S. Tables are 21 bytes an activation, read once for every 256 rows: those of a block of
 * steps and tokens, 128 KiB, stay in the second-level cache while a block of panels meets them, and so do the sums of these,
 * 256 KiB of words; the indices of a block of steps of 4 panels, 16 KiB, stay in the first-level cache while all of its tokens
 * meet them. Read a second time from memory are only the packed weights, once for each block of tokens.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "micro/kernel.h"

enum {
    LOOK_UPS = 8, /* of six columns, in a step */
    TABLES_BYTES = LOOK_UPS * 128,
    HEAD_BYTES = 64, /* of what is prepared: the least sum of all tables */
    TOGETHER = 4,    /* panels whose look-ups share a load of the tables */
    RAW = 4,         /* registers of sums of a panel */
    BLOCK_STEPS = 8,
    BLOCK_TOKENS = 16,
    BLOCK_PANELS = 64,
    INDICES_BYTES = BLOCK_STEPS * LOOK_UPS * TOGETHER * 64,
    MOST_STEPS = UINT16_MAX / 248, /* 16-bit sums of bytes, of which eight look-ups are at most 248 */
    RADIX_BITS = 5,
};

static size_t least_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

extern const struct format SELF_FORMAT;

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define look_up_4   JOIN(SELF, _4)
#define look_up_1   JOIN(SELF, _1)
typedef void look_up_panels(const void *indices, const void *tables, size_t steps, void *raw);
look_up_panels look_up_4, look_up_1;

/* ---------------------------------------------------------------- tables */

static size_t prepared_bytes(size_t k)
{
    return HEAD_BYTES + k / STEP_COLUMNS * TABLES_BYTES;
}

/** What the least sum that the six have is below 0: a word, others 0. */
static inline __m128i below(const int8_t *a)
{
    const __m128i none = _mm_setzero_si128();
    int32_t four;
    int16_t two;
    memcpy(&four, a, sizeof four);
    memcpy(&two, a + 4, sizeof two);
    __m128i six = _mm_insert_epi16(_mm_cvtsi32_si128(four), two, 2);
    return _mm_sad_epu8(_mm_max_epi8(_mm_sub_epi8(none, six), none), none);
}

/** In words, bit_low a[0] + bit_high a[1]: bits are bytes of 0 or 1. */
static inline __m512i pair(const int8_t *a, __m512i bits)
{
    int16_t two;
    memcpy(&two, a, sizeof two);
    return _mm512_maddubs_epi16(bits, _mm512_set1_epi16(two));
}

/** A bit of the number of each word in its lower byte, another in its upper one. */
static inline __m512i bits_of(__mmask32 lower, __mmask32 upper)
{
    return _mm512_or_si512(_mm512_maskz_set1_epi16(lower, 1), _mm512_maskz_set1_epi16(upper, 0x100));
}

/**
 * Low and high digits of sum u a - least for all 64 indices. Words are the sums of indices whose first column is 0, in order of the
 * five others, so a byte beside each is the sum with it.
 */
static inline __m128i make_tables(const int8_t *a, uint8_t *tables)
{
    const __m512i without_first = bits_of(0, 0xaaaaaaaa), with_first = bits_of(0xffffffff, 0xaaaaaaaa),
                  second = bits_of(0xcccccccc, 0xf0f0f0f0), third = bits_of(0xff00ff00, 0xffff0000);
    const __m512i even = _mm512_set1_epi16(0xff), digit = _mm512_set1_epi8((1 << RADIX_BITS) - 1);
    __m128i offset = below(a);
    __m512i others =
        _mm512_add_epi16(_mm512_add_epi16(pair(a + 2, second), pair(a + 4, third)), _mm512_broadcastw_epi16(offset));
    __m512i without = _mm512_add_epi16(others, pair(a, without_first));
    __m512i with = _mm512_add_epi16(others, pair(a, with_first));
    /* where the third is set the first, elsewhere the second */
    __m512i low = _mm512_ternarylogic_epi32(without, _mm512_slli_epi16(with, 8), even, 0xe4);
    __m512i high = _mm512_ternarylogic_epi32(_mm512_srli_epi16(without, RADIX_BITS),
                                             _mm512_slli_epi16(with, 8 - RADIX_BITS), even, 0xe4);
    _mm512_store_si512(tables, _mm512_and_si512(low, digit));
    _mm512_store_si512(tables + 64, high);
    return offset;
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)stride, (void)tokens; /* one */
    const int8_t *a = activations;
    uint8_t *tables = (uint8_t *)prepared + HEAD_BYTES;
    __m128i offsets = _mm_setzero_si128();
    for (size_t column = 0; column < k; column += 6, tables += 128)
        offsets = _mm_add_epi32(offsets, make_tables(a + column, tables));
    *(int32_t *)prepared = -_mm_cvtsi128_si32(offsets);
}

/* ---------------------------------------------------------------- panels */

/** Indices of some steps of a panel, a byte each, `panels` side by side. What lies `ahead` is fetched. */
static void unpack(const uint8_t *packed, size_t steps, size_t panels, size_t ahead, uint8_t *indices)
{
    const __m512i two = _mm512_set1_epi8(0x03), four = _mm512_set1_epi8(0x0f);
    for (size_t i = 0; i < 2 * steps; i++, packed += 192, indices += 4 * panels * 64) {
        __m512i a = _mm512_load_si512(packed), b = _mm512_load_si512(packed + 64), c = _mm512_load_si512(packed + 128);
        _mm_prefetch((const char *)packed + ahead, _MM_HINT_T1);
        _mm_prefetch((const char *)packed + ahead + 64, _MM_HINT_T1);
        _mm_prefetch((const char *)packed + ahead + 128, _MM_HINT_T1);
        __m512i fourth = _mm512_ternarylogic_epi32(_mm512_srli_epi16(a, 6), _mm512_srli_epi16(b, 4), two, 0xe4);
        fourth = _mm512_ternarylogic_epi32(fourth, _mm512_srli_epi16(c, 2), four, 0xe4);
        _mm512_store_si512(indices, a);
        _mm512_store_si512(indices + panels * 64, b);
        _mm512_store_si512(indices + 2 * panels * 64, c);
        _mm512_store_si512(indices + 3 * panels * 64, fourth);
    }
}

/** Some panels and tokens, and some columns of them. */
struct part {
    size_t panel, panels;
    size_t token, tokens;
    size_t step, steps;
    bool first, last; /* of the columns */
};

/** 16 rows: low and high digits as words. */
static void finish_rows(const struct part *part, __m256i low, __m256i high, int32_t added, float scale, float *out)
{
    __m512i sum =
        _mm512_add_epi32(_mm512_cvtepu16_epi32(low), _mm512_slli_epi32(_mm512_cvtepu16_epi32(high), RADIX_BITS));
    if (!part->first)
        sum = _mm512_add_epi32(sum, _mm512_load_si512(out));
    if (!part->last) {
        _mm512_store_si512(out, sum);
        return;
    }
    /* y = 2 sum u a - sum a */
    sum = _mm512_add_epi32(_mm512_slli_epi32(sum, 1), _mm512_set1_epi32(added));
    _mm512_store_ps(out, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(scale)));
}

/** 64 rows of a token; raw[2][2] as the inner loop leaves them: even bytes are rows 0-31, odd bytes rows 32-63. */
static void finish_panel(const struct part *part, const __m512i *raw, int32_t added, float scale, float *out)
{
    __m512i odd[] = {raw[1], raw[3]};
    __m512i even[] = {_mm512_sub_epi16(raw[0], _mm512_slli_epi16(raw[1], 8)),
                      _mm512_sub_epi16(raw[2], _mm512_slli_epi16(raw[3], 8))};
    finish_rows(part, _mm512_castsi512_si256(even[0]), _mm512_castsi512_si256(even[1]), added, scale, out);
    finish_rows(part, _mm512_extracti64x4_epi64(even[0], 1), _mm512_extracti64x4_epi64(even[1], 1), added, scale,
                out + 16);
    finish_rows(part, _mm512_castsi512_si256(odd[0]), _mm512_castsi512_si256(odd[1]), added, scale, out + 32);
    finish_rows(part, _mm512_extracti64x4_epi64(odd[0], 1), _mm512_extracti64x4_epi64(odd[1], 1), added, scale,
                out + 48);
}

/** Sums of a token and of the panels that are looked up together: [panels][4] registers. */
static __m512i *raw_of(const struct gemm_slice *slice, const struct part *part, size_t panel, size_t panels,
                       size_t token)
{
    __m512i *raw = (__m512i *)(void *)((uint8_t *)slice->scratch + INDICES_BYTES);
    return raw + ((panel - part->panel) * BLOCK_TOKENS + (token - part->token) * panels) * RAW;
}

/** All tokens meet some steps of this many panels, 1 or TOGETHER. */
static void look_up(const struct gemm_slice *slice, const struct part *part, size_t step, size_t steps, size_t panel,
                    size_t panels)
{
    size_t ahead = slice->prefetch_bytes ? panels * slice->panel_bytes : 0, bytes = prepared_bytes(slice->k);
    for (size_t i = 0; i < panels; i++)
        unpack(slice->weights + (panel + i) * slice->panel_bytes + step * STEP_BYTES, steps, panels, ahead,
               (uint8_t *)slice->scratch + i * 64);
    const uint8_t *tables = (const uint8_t *)slice->prepared + HEAD_BYTES + step * TABLES_BYTES;
    for (size_t token = part->token; token < part->token + part->tokens; token++)
        (panels == TOGETHER ? look_up_4 : look_up_1)(slice->scratch, tables + token * bytes, steps,
                                                     raw_of(slice, part, panel, panels, token));
}

static void finish(const struct gemm_slice *slice, const struct part *part, size_t panel, size_t panels)
{
    size_t bytes = prepared_bytes(slice->k);
    for (size_t token = part->token; token < part->token + part->tokens; token++) {
        const int32_t *least = (const int32_t *)(const void *)((const uint8_t *)slice->prepared + token * bytes);
        const __m512i *raw = raw_of(slice, part, panel, panels, token);
        for (size_t i = 0; i < panels; i++)
            finish_panel(part, raw + i * RAW, add_wrapping(slice->corrections[token], 2 * *least), slice->scales[token],
                         slice->out + token * slice->out_stride + (panel + i) * ROWS);
    }
}

static size_t together(const struct part *part, size_t panel)
{
    return part->panel + part->panels - panel >= TOGETHER ? TOGETHER : 1;
}

static void multiply_part(const struct gemm_slice *slice, const struct part *part)
{
    memset(raw_of(slice, part, part->panel, 1, part->token), 0, part->panels * BLOCK_TOKENS * RAW * sizeof(__m512i));
    for (size_t step = part->step, steps; step < part->step + part->steps; step += steps) {
        steps = least_size(part->step + part->steps - step, BLOCK_STEPS);
        for (size_t panel = part->panel; panel < part->panel + part->panels; panel += together(part, panel))
            look_up(slice, part, step, steps, panel, together(part, panel));
    }
    for (size_t panel = part->panel; panel < part->panel + part->panels; panel += together(part, panel))
        finish(slice, part, panel, together(part, panel));
}

static void run(const struct gemm_slice *slice)
{
    struct part part = {0};
    size_t all_steps = slice->k / STEP_COLUMNS;
    for (part.panel = 0; part.panel < slice->panels; part.panel += part.panels) {
        part.panels = least_size(slice->panels - part.panel, BLOCK_PANELS);
        for (part.token = 0; part.token < slice->tokens; part.token += part.tokens) {
            part.tokens = least_size(slice->tokens - part.token, BLOCK_TOKENS);
            for (part.step = 0; part.step < all_steps; part.step += part.steps) {
                part.steps = least_size(all_steps - part.step, MOST_STEPS);
                part.first = part.step == 0;
                part.last = part.step + part.steps == all_steps;
                multiply_part(slice, &part);
            }
        }
    }
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k, (void)tokens;
    return INDICES_BYTES + BLOCK_PANELS * BLOCK_TOKENS * RAW * sizeof(__m512i);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 8192,
    .lossless = true,
    .gemm = {.run = run,
             .multiply = "int1_sextets.lookup.avx512_vbmi_vnni",
             .prepare_many = prepare_many,
             .tokens_per_group = 1,
             .prepared_bytes = prepared_bytes,
             .scratch_bytes = scratch_bytes},
};
