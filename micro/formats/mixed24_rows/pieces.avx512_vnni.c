/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of int8, four steps of a row at once: their four pieces of 16 bytes are a register, whose fields of two bits are four times 64 codes in
 * which every double word belongs to a group; so four vpdpbusd leave a group's sum in each lane, and the scales, which are as many, need no broadcast. In
 * the last double word of a piece are codes of 4 bits: two fields of it are shifted, two come from the halves that lie beside the pieces, where the fields
 * shifted by 2 and 6 would have taken them apart.
 *
 *     y = sum_g scale_g a.scale (sum_c code_c a_c - zero_g sum_c a_c)
 *
 * What loads and broadcasts scales in reference.avx512.c is here the lanes' own, so that the paper's layout is read 3 times as fast; what remains to
 * mixed24.lanes is that scale2 is converted for each row. Golden Cove at 512 bits: 28 uops on p05 of 8 output vectors: >= 1.75.
 */
#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/families/mixed24/mixed24_operand_avx2.h"
#include "micro/formats/mixed24_rows/parts.h"

enum { STEPS_AT_ONCE = 4 };

/**
 * 256 columns of the activations: int8 in the order in which fields of two bits come out of the pieces, then sums and scales. Byte
 * 64 p + 16 n + 4 g + b (p, n, g, b < 4) is, of step n, column
 *
 *     16 g + 4 b + p               g < 3
 *     48 + 2 b, 49 + 2 b           g = 3, p = 0, 2: the 4-bit codes of the piece
 *     56 + 2 b, 57 + 2 b           g = 3, p = 1, 3: those of the half beside it
 */
struct pieces {
    int8_t q[4 * 64];
    float sums[16];  /* 4 n + g: of the 16 of group g */
    float scale[16]; /* 4 n + g: of step n */
};

/** Where column 0 … 63 of step 0 … 3 is. */
static uint32_t place_of(uint32_t step, uint32_t column)
{
    uint32_t group = column / 16, c = column % 16;
    uint32_t p = group < 3 ? c % 4 : c % 2 * 2 + c / 8, b = group < 3 ? c / 4 : c % 8 / 2;
    return 64 * p + 16 * step + 4 * group + b;
}

static size_t prepared_bytes(size_t k)
{
    return (k / MIXED24_COLUMNS + STEPS_AT_ONCE - 1) / STEPS_AT_ONCE * sizeof(struct pieces);
}

/** One step's activations to their places: fields p of a group side by side, then those of all groups. */
ROWS_INLINE void place_step(const struct mixed24_operand *x, uint32_t step, struct pieces *to)
{
    const __m512i fields = _mm512_setr_epi32(0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703, 0x0c080400, 0x0d090501,
                                             0x0e0a0602, 0x0f0b0703, 0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703,
                                             0x06040200, 0x0e0c0a08, 0x07050301, 0x0f0d0b09);
    const __m512i groups = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i q = _mm512_permutexvar_epi32(groups, _mm512_shuffle_epi8(_mm512_load_si512(x->q), fields));
    _mm_store_si128((__m128i *)(void *)(to->q + 64 * 0 + 16 * step), _mm512_extracti32x4_epi32(q, 0));
    _mm_store_si128((__m128i *)(void *)(to->q + 64 * 1 + 16 * step), _mm512_extracti32x4_epi32(q, 1));
    _mm_store_si128((__m128i *)(void *)(to->q + 64 * 2 + 16 * step), _mm512_extracti32x4_epi32(q, 2));
    _mm_store_si128((__m128i *)(void *)(to->q + 64 * 3 + 16 * step), _mm512_extracti32x4_epi32(q, 3));
    for (size_t group = 0; group < 4; group++) {
        to->sums[4 * step + group] = (float)mixed24_sum(x, group);
        to->scale[4 * step + group] = x->scale;
    }
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct pieces *to = prepared;
    memset(to, 0, prepared_bytes(k));
    for (size_t step = 0; step < k / MIXED24_COLUMNS; step++) {
        struct mixed24_operand x;
        mixed24_make((const float *)activations + step * MIXED24_COLUMNS, MIXED24_COLUMNS, &x);
        place_step(&x, step % STEPS_AT_ONCE, &to[step / STEPS_AT_ONCE]);
    }
}

extern const struct format SELF_FORMAT;

static double value(const struct pieces *pieces, size_t column)
{
    const struct pieces *x = &pieces[column / (STEPS_AT_ONCE * MIXED24_COLUMNS)];
    uint32_t step = column / MIXED24_COLUMNS % STEPS_AT_ONCE;
    return (double)x->scale[4 * step] * x->q[place_of(step, column % MIXED24_COLUMNS)];
}

KERNEL_ROW(row_of, value(prepared, column))

ROWS_INLINE __m512i in_each_step(int group0, int group1, int group2, int group3)
{
    return _mm512_broadcast_i32x4(_mm_setr_epi32(group0, group1, group2, group3));
}

ROWS_INLINE __m512i spread_words(const uint8_t *words)
{
    const __m512i place = _mm512_setr_epi32(0x01000100, 0x01000100, 0x01000100, 0x01000100, 0x03020302, 0x03020302,
                                            0x03020302, 0x03020302, 0x05040504, 0x05040504, 0x05040504, 0x05040504,
                                            0x07060706, 0x07060706, 0x07060706, 0x07060706);
    long long four;
    memcpy(&four, words, sizeof four);
    return _mm512_shuffle_epi8(_mm512_set1_epi64(four), place);
}

/** Of the fields that are two or six bits up. Made once: gcc would broadcast both in every step. */
struct shifts {
    __m512i second, fourth;
};

ROWS_INLINE struct shifts field_shifts(void)
{
    struct shifts shifts = {in_each_step(2, 2, 2, 0), in_each_step(6, 6, 6, 4)};
    ROWS_IN_REGISTER(shifts.second);
    ROWS_IN_REGISTER(shifts.fourth);
    return shifts;
}

/** Of each group the sum of its codes times activations. */
ROWS_INLINE __m512i multiply_pieces(const uint8_t *pieces, const uint8_t *halves, struct shifts shifts,
                                    const struct pieces *x)
{
    const __m512i mask = in_each_step(0x03030303, 0x03030303, 0x03030303, 0x0f0f0f0f);
    const __m512i place = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3);
    __m512i codes = _mm512_loadu_si512(pieces);
    __m512i beside = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)halves));
    __m512i odd = _mm512_mask_permutexvar_epi32(codes, 0x8888, place, beside);
    __m512i sum =
        _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_and_si512(codes, mask), _mm512_load_si512(x->q + 64 * 0));
    __m512i field = _mm512_and_si512(_mm512_srlv_epi32(odd, shifts.second), mask);
    sum = _mm512_dpbusd_epi32(sum, field, _mm512_load_si512(x->q + 64 * 1));
    field = _mm512_and_si512(_mm512_srli_epi32(codes, 4), mask);
    sum = _mm512_dpbusd_epi32(sum, field, _mm512_load_si512(x->q + 64 * 2));
    field = _mm512_and_si512(_mm512_srlv_epi32(odd, shifts.fourth), mask);
    return _mm512_dpbusd_epi32(sum, field, _mm512_load_si512(x->q + 64 * 3));
}

/** Four steps, `scale2` and `zero2` of these. */
ROWS_INLINE __m512 add_steps(__m512 sum, const struct row_parts *at, const uint8_t *scale2, const uint8_t *zero2,
                             struct shifts shifts, const struct pieces *x)
{
    const __m512 digits = _mm512_broadcast_f32x4(_mm_setr_ps(0, 1, 2, 3));
    __m512i word = spread_words(at->words);
    __m512 factor = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)scale2));
    __m512 second = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)zero2)));
    __m512i code =
        _mm512_srlv_epi32(word, in_each_step(MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1, MIXED24_SCALE_SHIFT_2, 0));
    __m512 first = _mm512_cvtepi32_ps(_mm512_and_si512(code, in_each_step(15, 7, 7, 0)));
    __m512 scale = _mm512_mask_mul_ps(factor, 0x7777, factor, _mm512_sub_ps(first, second));
    __m512 zero = _mm512_mask_permutevar_ps(second, 0x7777, digits, _mm512_srlv_epi32(word, in_each_step(0, 2, 4, 0)));
    __m512 groups = _mm512_cvtepi32_ps(multiply_pieces(at->pieces, at->halves, shifts, x));
    groups = _mm512_fnmadd_ps(zero, _mm512_load_ps(x->sums), groups);
    return _mm512_fmadd_ps(groups, _mm512_mul_ps(scale, _mm512_load_ps(x->scale)), sum);
}

ROWS_INLINE float row_total(__m512 sum)
{
    return block_lanes_sum(_mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1)));
}

/** `ahead`: the prefetch distance in rows. What is read after the last step of a part lies in the next one, and meets zeros. */
static float multiply_row(const uint8_t *panel, size_t steps, size_t row, const struct pieces *x, size_t ahead)
{
    struct row_parts parts = row_parts(panel, steps, row), to_come = row_parts(panel, steps, row + ahead);
    bool shared = (row + ahead) % MIXED24_ROWS == 0;
    const struct shifts shifts = field_shifts();
    __m512 sum = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + STEPS_AT_ONCE <= steps; i += STEPS_AT_ONCE) {
        if (ahead)
            prefetch_steps(&to_come, STEPS_AT_ONCE, shared);
        sum = add_steps(sum, &parts, parts.scale2, parts.zero2, shifts, x++);
        advance(&parts, STEPS_AT_ONCE);
        advance(&to_come, STEPS_AT_ONCE);
    }
    if (i < steps) {
        uint8_t scale2[8 * STEPS_AT_ONCE] = {0}, zero2[4 * STEPS_AT_ONCE] = {0};
        memcpy(scale2, parts.scale2, 8 * (steps - i));
        memcpy(zero2, parts.zero2, 4 * (steps - i));
        sum = add_steps(sum, &parts, scale2, zero2, shifts, x);
    }
    return row_total(sum);
}

static void gemv(const struct gemv_slice *slice)
{
    size_t ahead = rows_ahead(slice);
    for (size_t panel = 0; panel < slice->panels; panel++) {
        for (size_t row = 0; row < MIXED24_ROWS; row++)
            slice->out_f32[panel * MIXED24_ROWS + row] =
                multiply_row(slice->weights + panel * slice->panel_bytes, slice->steps, row, slice->prepared, ahead);
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 16384,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
};

/* its gamma: four steps of a panel, row after row */
struct panel_sums {
    __m512 row[MIXED24_ROWS];
};

#define STEP_SUM         struct panel_sums
#define STEP_ACTIVATIONS struct pieces
#define STEP_SUMS_IN_MEMORY
#define STEP_ROWS         MIXED24_ROWS
#define STEP_COLUMNS      MIXED24_COLUMNS
#define STEP_BYTES        MIXED24_STEP_BYTES
#define STEPS_TOGETHER    STEPS_AT_ONCE
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct panel_sums step_zero(void)
{
    return (struct panel_sums){{{0}}};
}

ROWS_INLINE void add_into(struct panel_sums *sums, const uint8_t *weights, const struct pieces *activations)
{
    const struct shifts shifts = field_shifts();
    for (size_t row = 0; row < MIXED24_ROWS; row++) {
        struct row_parts parts = row_parts(weights, STEPS_AT_ONCE, row);
        ROWS_READ_AGAIN(parts.scale2); /* as another step of the same row */
        ROWS_READ_AGAIN(parts.zero2);
        ROWS_READ_AGAIN(activations);
        sums->row[row] = add_steps(sums->row[row], &parts, parts.scale2, parts.zero2, shifts, activations);
    }
}

ROWS_INLINE void step_finish(float *rows, const struct panel_sums *sums)
{
    for (size_t row = 0; row < MIXED24_ROWS; row++)
        rows[row] = row_total(sums->row[row]);
}

#include "micro/frames/gamma.h"
