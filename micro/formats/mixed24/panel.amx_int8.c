/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/families/amx/amx_requantized.h. As it is stored a step has four scales a row, of 16 columns each, and tdp adds 64.
 *
 * Of 2 bits a row's four values of a group are four bytes, a dword, and the tables of 16 rows one register: one vpshufb finds 4 columns of all
 * rows, with the row's place among the four of its 128 bits in bits 2 and 3 of the index. Of 4 bits all rows share scale2 and zero2, but each
 * has a scale of the run of its own, and so 16 bytes.
 *
 * Predicted, not measured: 300 to 380 vector uops a step of 16 rows x 64 columns on two ports, 150 to 190 cycles once for all tokens,
 * half of them for the tables; of Q4_0 it is 160 cycles.
 */
#include "micro/families/amx/amx_requantized.h"
#include "micro/quantization/mixed24_layout.h"

enum { GROUPS2 = 3, GROUPS = 4, LINES = MIXED24_GROUP / 4 /* of a group, 64 bytes: 4 columns of 16 rows */ };

static const uint8_t scale_shift[GROUPS2] = {MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1, MIXED24_SCALE_SHIFT_2};
static const uint8_t scale_mask[GROUPS2] = {15, 7, 7};

/** Scales of a step's groups: scale2 (scale - zero2), and of 4 bits scale2. 7 by 11 bits: exact. */
struct scales {
    __m512 of[GROUPS];
};

/* ---- codes ---- */

/** Of 2 bits: 4 columns of 16 rows, with bits in `fill` beside them. */
static inline __m512i codes2(const uint8_t *step, int group, int line, __m512i fill)
{
    __m512i codes = _mm512_loadu_si512(step + MIXED24_CODES2 + 64 * group);
    /* (codes and 3) or fill */
    return _mm512_ternarylogic_epi32(_mm512_srli_epi32(codes, (unsigned)(2 * line)), _mm512_set1_epi8(3), fill, 0xea);
}

static inline __m512i codes4(const uint8_t *step, int line)
{
    __m512i codes = _mm512_loadu_si512(step + MIXED24_CODES4 + line / 2 * 64);
    return _mm512_and_si512(_mm512_srli_epi32(codes, (unsigned)(line % 2 * 4)), _mm512_set1_epi8(15));
}

static inline __m512i words_of(const uint8_t *step)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(step + MIXED24_WORDS)));
}

/** Zeros of 16 rows in a 2-bit group. */
static inline __m512i zeros_of(__m512i words, int group)
{
    return _mm512_and_si512(_mm512_srli_epi32(words, (unsigned)(2 * group)), _mm512_set1_epi32(3));
}

static inline int zero2_of(const uint8_t *step, int group)
{
    return (int8_t)step[MIXED24_ZERO2 + group];
}

static inline __m512 scale2_of(const uint8_t *step, int group)
{
    uint16_t scale2;
    memcpy(&scale2, step + MIXED24_SCALE2 + 2 * group, sizeof scale2);
    return _mm512_cvtph_ps(_mm256_set1_epi16((short)scale2));
}

static inline struct scales scales_of(const uint8_t *step)
{
    const __m512i words = words_of(step);
    struct scales scales;
#pragma GCC unroll 3
    for (int group = 0; group < GROUPS2; group++) {
        __m512i scale =
            _mm512_and_si512(_mm512_srli_epi32(words, scale_shift[group]), _mm512_set1_epi32(scale_mask[group]));
        scale = _mm512_sub_epi32(scale, _mm512_set1_epi32(zero2_of(step, group)));
        scales.of[group] = _mm512_mul_ps(_mm512_cvtepi32_ps(scale), scale2_of(step, group));
    }
    scales.of[GROUPS2] = scale2_of(step, GROUPS2);
    return scales;
}

/* ---- max|w| ---- */

/** The larger of `most` and |code - zero|, bytes. */
static inline __m512i larger_of(__m512i most, __m512i codes, __m512i zero)
{
    return _mm512_max_epu8(most, _mm512_abs_epi8(_mm512_sub_epi8(codes, zero)));
}

/** max|w| of each row of a step. */
static inline __m512 largest_of(const uint8_t *step, const struct scales *scales)
{
    const __m512i words = words_of(step), none = _mm512_setzero_si512();
    const __m512i zero4 = _mm512_set1_epi8((char)zero2_of(step, GROUPS2));
    const __m512i to_bytes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    __m512i most4 = none;
#pragma GCC unroll 4
    for (int line = 0; line < LINES; line++)
        most4 = larger_of(most4, codes4(step, line), zero4);
    __m512 largest = _mm512_mul_ps(_mm512_abs_ps(scales->of[GROUPS2]), largest_byte(most4));
#pragma GCC unroll 3
    for (int group = 0; group < GROUPS2; group++) {
        __m512i zero = _mm512_shuffle_epi8(zeros_of(words, group), to_bytes), most = none;
#pragma GCC unroll 4
        for (int line = 0; line < LINES; line++)
            most = larger_of(most, codes2(step, group, line, none), zero);
        largest = _mm512_max_ps(largest, _mm512_mul_ps(_mm512_abs_ps(scales->of[group]), largest_byte(most)));
    }
    return largest;
}

/* ---- requantizing ---- */

/** A value of 16 rows times ratio, rounded. */
static inline __m512i rounded(__m512 ratio, __m512 value)
{
    return _mm512_cvtps_epi32(_mm512_mul_ps(ratio, value));
}

/** [row][4]: q of codes 0 … 3. */
static inline __m512i table2(__m512 ratio, __m512i zero)
{
    __m512i q[4];
#pragma GCC unroll 4
    for (int code = 0; code < 4; code++)
        q[code] = rounded(ratio, _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_set1_epi32(code), zero)));
    return bytes_of(q[0], q[1], q[2], q[3]);
}

static inline void requantize_group2(const uint8_t *step, int group, __m512 ratio, int8_t *to)
{
    const __m512i place = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
    const __m512i table = table2(ratio, zeros_of(words_of(step), group));
#pragma GCC unroll 4
    for (int line = 0; line < LINES; line++)
        _mm512_store_si512(to + 64 * line, _mm512_shuffle_epi8(table, codes2(step, group, line, place)));
}

static inline void requantize_group4(const uint8_t *step, __m512 ratio, int8_t *to)
{
    const int zero = zero2_of(step, GROUPS2);
    __m512i bytes[4], table[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m512i q[4];
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++)
            q[j] = rounded(ratio, _mm512_set1_ps((float)(4 * i + j - zero)));
        bytes[i] = bytes_of(q[0], q[1], q[2], q[3]);
    }
    tables_of(bytes, table);
#pragma GCC unroll 4
    for (int line = 0; line < LINES; line++)
        _mm512_store_si512(to + 64 * line, look_up(table, codes4(step, line)));
}

static inline void requantize_step(const uint8_t *step, const struct scales *scales, __m512 factor, int8_t *to)
{
#pragma GCC unroll 3
    for (int group = 0; group < GROUPS2; group++)
        requantize_group2(step, group, _mm512_mul_ps(scales->of[group], factor), to + 64 * LINES * group);
    requantize_group4(step, _mm512_mul_ps(scales->of[GROUPS2], factor), to + 64 * LINES * GROUPS2);
}

/** What of the run's columns they leave over meets activations of 0. */
static void requantize(const struct gemm_slice *slice, size_t group, size_t first, size_t columns, int8_t *q,
                       float *run_scale)
{
    const uint8_t *from = slice->weights + group * slice->panel_bytes + first / MIXED24_COLUMNS * MIXED24_STEP_BYTES;
    const size_t steps = columns / MIXED24_COLUMNS;
    struct scales scales[RUN_STEPS];
    __m512 most = _mm512_setzero_ps();
    for (size_t line = 0; slice->prefetch_bytes && line < steps * MIXED24_STEP_BYTES; line += 64)
        _mm_prefetch((const char *)((uintptr_t)from + slice->prefetch_bytes + line), _MM_HINT_T0);
    for (size_t i = 0; i < steps; i++) {
        scales[i] = scales_of(from + i * MIXED24_STEP_BYTES);
        most = _mm512_max_ps(most, largest_of(from + i * MIXED24_STEP_BYTES, &scales[i]));
    }
    const __m512 factor = factor_of(most, run_scale);
    for (size_t i = 0; i < steps; i++)
        requantize_step(from + i * MIXED24_STEP_BYTES, &scales[i], factor, q + i * TILE_BYTES);
}

/* ---- what one token must give ---- */

static const uint8_t *step_at(const uint8_t *panel, size_t column)
{
    return panel + column / MIXED24_COLUMNS * MIXED24_STEP_BYTES;
}

static uint32_t word_of(const uint8_t *step, uint32_t row)
{
    uint16_t word;
    memcpy(&word, step + MIXED24_WORDS + 2 * row, sizeof word);
    return word;
}

static float scale_of(const uint8_t *panel, uint32_t row, size_t column)
{
    const uint8_t *step = step_at(panel, column);
    const int group = (int)(column % MIXED24_COLUMNS / MIXED24_GROUP);
    uint16_t scale2;
    memcpy(&scale2, step + MIXED24_SCALE2 + 2 * group, sizeof scale2);
    if (group == GROUPS2)
        return half_to_float(scale2);
    int scale = (int)(word_of(step, row) >> scale_shift[group] & scale_mask[group]) - zero2_of(step, group);
    return half_to_float(scale2) * (float)scale;
}

static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column)
{
    const uint8_t *step = step_at(panel, column);
    const size_t group = column % MIXED24_COLUMNS / MIXED24_GROUP, line = column % MIXED24_GROUP / 4;
    const uint8_t *codes = step + 4 * row + column % 4;
    if (group == GROUPS2)
        return (codes[MIXED24_CODES4 + line / 2 * 64] >> line % 2 * 4 & 15) - zero2_of(step, GROUPS2);
    return (codes[MIXED24_CODES2 + 64 * group] >> 2 * line & 3) - (int32_t)(word_of(step, row) >> 2 * group & 3);
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int8_tiles.rows16_k64_loads.amx_int8",
    .prefetch_bytes = 4096,
    AMX_REQUANTIZED,
    .gemm = {AMX_REQUANTIZED_GEMM},
};
