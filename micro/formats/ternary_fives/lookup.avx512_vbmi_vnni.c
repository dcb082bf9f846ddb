/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of exact look-ups, 64 rows by one token at a time: of five activations the sums that the 122 numbers which are not negative can make are two tables
 * of 128 bytes, each of them two registers, which is what vpermi2b finds 64 entries in. Its index is the byte of the weights as it is, since bit 7, the sign, is
 * not looked at; the sign turns over what is found. Sums are 36 h + l in bytes, seven look-ups of each, and go to 32 bits by vpdpbusd
 * as in lookup_digits.avx512_vbmi_vnni.inc. Tables are loaded for two panels at once: of 4096x4096 and 64 tokens one thread of Zen 5 takes 142 operations
 * a cycle so; with four panels, or with seven look-ups unrolled, it takes fewer.
 *
 * A cut of K goes through CUT_PANELS panels and all tokens: tables of GEMM_TOKENS tokens stay in the first-level cache, and the weights of the cut in the
 * second. Sums of former cuts wait in out, in the order that registers have them. A step of two panels takes about 8 cycles and each cut 70 more, so long
 * cuts of few tokens are best until tables (24 runs of steps: 86 operations a cycle) or weights (16 runs of all panels of 14336 rows: 117) leave
 * their cache. gamma would let a step take 5.1: it has no table loads, and no sums that go to 32 bits every seven steps. lut_mm (github.com/tommyyliu/lut_mm), which has the idea, finds words in four registers
 * by two vpermt2w and a blend, and states 710 Gop/s on one core of a Ryzen 9 9950X.
 */
#include <immintrin.h>
#include <string.h>

#include "micro/formats/ternary_fives/ternary_fives_tables.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

extern const struct format SELF_FORMAT;

enum { GEMM_TOKENS = 2, GEMM_PANELS = 2, CUT = 8 * FIVES_STEPS, CUT_PANELS = 64, MIDDLE = 121, LANES = 16, SUMS = 4 };

/** Steps of some panels that all tokens pass. */
struct cut {
    size_t step, steps, panel, end;
    bool first, last;
};

/** Look-ups of one panel, at most FIVES_STEPS. */
struct found {
    __m512i low, high;
};

ROWS_INLINE void look_up(struct found *found, const uint8_t *weights, const __m512i *table)
{
    __m512i numbers = _mm512_loadu_si512(weights), zero = _mm512_setzero_si512();
    __mmask64 negative = _mm512_movepi8_mask(numbers);
    __m512i low = _mm512_permutex2var_epi8(table[0], numbers, table[1]);
    __m512i high = _mm512_permutex2var_epi8(table[2], numbers, table[3]);
    found->low = _mm512_add_epi8(found->low, _mm512_mask_sub_epi8(low, negative, zero, low));
    found->high = _mm512_add_epi8(found->high, _mm512_mask_sub_epi8(high, negative, zero, high));
}

/** Up to FIVES_STEPS steps of some panels. */
ROWS_INLINE void look_up_steps(struct found *found, const uint8_t *const *panel, size_t offset, size_t steps,
                               const uint8_t *tables, int panels)
{
#pragma GCC unroll 4
    for (int p = 0; p < panels; p++)
        found[p].low = found[p].high = _mm512_setzero_si512();
    for (size_t step = 0; step < steps; step++, tables += FIVES_BYTES) {
        __m512i table[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            table[i] = _mm512_load_si512(tables + 64 * i);
            ROWS_IN_REGISTER(table[i]);
        }
#pragma GCC unroll 4
        for (int p = 0; p < panels; p++)
            look_up(&found[p], panel[p] + offset + step * STEP_BYTES, table);
    }
}

/** Two such sums of a panel onto its 64 in `raw`: lane d of register s is row 16 (d / 4) + 4 s + d % 4. */
ROWS_INLINE void add_found(int32_t *raw, const struct found *one, const struct found *other)
{
    const __m512i digits = _mm512_set1_epi32(0x00010001 * (1 + 256 * FIVES_BASE));
    __m512i first = _mm512_unpacklo_epi8(one->low, one->high), second = _mm512_unpacklo_epi8(other->low, other->high);
    __m512i third = _mm512_unpackhi_epi8(one->low, one->high), fourth = _mm512_unpackhi_epi8(other->low, other->high);
    const __m512i four[SUMS] = {_mm512_unpacklo_epi16(first, second), _mm512_unpackhi_epi16(first, second),
                                _mm512_unpacklo_epi16(third, fourth), _mm512_unpackhi_epi16(third, fourth)};
#pragma GCC unroll 4
    for (int s = 0; s < SUMS; s++) {
        __m512i sum = _mm512_load_si512(raw + LANES * s);
        _mm512_store_si512(raw + LANES * s, _mm512_dpbusd_epi32(sum, digits, four[s]));
    }
}

ROWS_INLINE void look_up_both(int32_t (*raw)[ROWS], const uint8_t *const *panel, size_t step, size_t one, size_t other,
                              const uint8_t *tables, int panels)
{
    struct found found[2][GEMM_PANELS];
    look_up_steps(found[0], panel, step * STEP_BYTES, one, tables, panels);
    look_up_steps(found[1], panel, (step + one) * STEP_BYTES, other, tables + one * FIVES_BYTES, panels);
#pragma GCC unroll 4
    for (int p = 0; p < panels; p++)
        add_found(raw[p], &found[0][p], &found[1][p]);
}

static inline float *out_of(const struct gemm_slice *slice, size_t panel, size_t token)
{
    return slice->out + token * slice->out_stride + panel * ROWS;
}

/** Sums of former cuts, which are integers. */
ROWS_INLINE void take_sums(const struct gemm_slice *slice, const struct cut *cut, size_t panel, size_t token,
                           int32_t *raw)
{
    const float *former = out_of(slice, panel, token);
#pragma GCC unroll 4
    for (int s = 0; s < SUMS; s++) {
        __m512i sum = cut->first ? _mm512_setzero_si512() : _mm512_loadu_si512(former + LANES * s);
        _mm512_store_si512(raw + LANES * s, sum);
    }
}

ROWS_INLINE void give_sums(const struct gemm_slice *slice, const struct cut *cut, size_t panel, size_t token,
                           const int32_t *raw)
{
    float *out = out_of(slice, panel, token);
    if (!cut->last) {
#pragma GCC unroll 4
        for (int s = 0; s < SUMS; s++)
            _mm512_storeu_si512(out + LANES * s, _mm512_load_si512(raw + LANES * s));
        return;
    }
    for (size_t row = 0; row < ROWS; row++) {
        size_t at = row / 4 % SUMS * LANES + row / LANES * 4 + row % 4;
        out[row] = (float)add_wrapping(raw[at], slice->corrections[token]) * slice->scales[token];
    }
}

ROWS_INLINE void multiply(const struct gemm_slice *slice, const struct cut *cut, size_t first, size_t token, int panels)
{
    const size_t k_bytes = slice->k / STEP_COLUMNS * FIVES_BYTES;
    const uint8_t *tables = (const uint8_t *)slice->prepared + token * k_bytes + cut->step * FIVES_BYTES;
    const uint8_t *panel[GEMM_PANELS];
    _Alignas(64) int32_t raw[GEMM_PANELS][ROWS];
    for (int p = 0; p < panels; p++) {
        panel[p] = slice->weights + (first + (size_t)p) * slice->panel_bytes + cut->step * STEP_BYTES;
        take_sums(slice, cut, first + (size_t)p, token, raw[p]);
    }
    for (size_t step = 0; step < cut->steps; step += 2 * FIVES_STEPS) {
        size_t left = cut->steps - step;
        size_t one = left < FIVES_STEPS ? left : FIVES_STEPS, other = left - one;
        look_up_both(raw, panel, step, one, other < FIVES_STEPS ? other : FIVES_STEPS, tables + step * FIVES_BYTES,
                     panels);
    }
    for (int p = 0; p < panels; p++)
        give_sums(slice, cut, first + (size_t)p, token, raw[p]);
}

/** A cut with tokens first … end. */
static void multiply_tokens(const struct gemm_slice *slice, const struct cut *cut, size_t first, size_t end)
{
    size_t panel = cut->panel;
    for (; panel + GEMM_PANELS <= cut->end; panel += GEMM_PANELS) {
        for (size_t token = first; token < end; token++)
            multiply(slice, cut, panel, token, GEMM_PANELS);
    }
    for (; panel < cut->end; panel++) {
        for (size_t token = first; token < end; token++)
            multiply(slice, cut, panel, token, 1);
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void run(const struct gemm_slice *slice)
{
    size_t steps = slice->k / STEP_COLUMNS;
    for (size_t step = 0; step < steps; step += CUT) {
        for (size_t panel = 0; panel < slice->panels; panel += CUT_PANELS) {
            const struct cut cut = {.step = step,
                                    .steps = least(CUT, steps - step),
                                    .panel = panel,
                                    .end = least(panel + CUT_PANELS, slice->panels),
                                    .first = step == 0,
                                    .last = steps - step <= CUT};
            for (size_t token = 0; token < slice->tokens; token += GEMM_TOKENS)
                multiply_tokens(slice, &cut, token, least(token + GEMM_TOKENS, slice->tokens));
        }
    }
}

static size_t prepared_bytes(size_t k)
{
    return k / STEP_COLUMNS * FIVES_BYTES;
}

/* ---- tables ---- */

/** One more than the digit of a number that counts `power`, in balanced ternary; 1, which adds nothing, where a table has no number. */
#define DIGIT(number, power) ((number) > MIDDLE ? 1 : ((number) + MIDDLE) / (power) % 3)

#define PAIR(number, power)   DIGIT(number, power), DIGIT(number, (power) / 3)
#define SINGLE(number, power) DIGIT(number, power), 0

#define EIGHT(of, number, power)                                                                                       \
    of((number), power), of((number) + 1, power), of((number) + 2, power), of((number) + 3, power),                    \
        of((number) + 4, power), of((number) + 5, power), of((number) + 6, power), of((number) + 7, power)

/** Of 32 numbers, which vpackuswb brings into their order with the 32 that begin 8 later. */
#define DIGITS_OF(of, number, power)                                                                                   \
    {                                                                                                                  \
        EIGHT(of, number, power), EIGHT(of, (number) + 16, power), EIGHT(of, (number) + 32, power),                    \
            EIGHT(of, (number) + 48, power)                                                                            \
    }

#define DIGITS(number)                                                                                                 \
    {                                                                                                                  \
        DIGITS_OF(PAIR, number, 81), DIGITS_OF(PAIR, number, 9), DIGITS_OF(SINGLE, number, 1)                          \
    }

/** What activations 0 and 1, 2 and 3, and 4 are multiplied with. */
static const _Alignas(64) uint8_t digits_of[4][3][64] = {DIGITS(0), DIGITS(8), DIGITS(64), DIGITS(72)};

enum {
    HIGH_MORE = 20, /* what makes h of all sums positive: they are within 5 * 128 */
    ONE_36TH = 1821 /* of 65536, rounded up by 20 / 36: quotients are exact below 65536 / 20 */
};

struct activations {
    __m512i pairs[3];
    __m512i start; /* words: less their sum, since digits are one more; and what rounds h and makes it positive */
};

ROWS_INLINE struct activations spread(const int8_t *a)
{
    int16_t pairs[2];
    memcpy(pairs, a, sizeof pairs);
    int start = FIVES_BASE / 2 + HIGH_MORE * FIVES_BASE - (a[0] + a[1] + a[2] + a[3] + a[4]);
    return (struct activations){
        {_mm512_set1_epi16(pairs[0]), _mm512_set1_epi16(pairs[1]), _mm512_set1_epi16((uint8_t)a[4])},
        _mm512_set1_epi16((int16_t)start)};
}

/** Words: h and HIGH_MORE more, l and half of FIVES_BASE more, of 32 numbers. */
ROWS_INLINE struct found sums_of(const struct activations *a, const uint8_t (*digits)[64])
{
    __m512i sum = a->start;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++)
        sum = _mm512_add_epi16(sum, _mm512_maddubs_epi16(_mm512_load_si512(digits[i]), a->pairs[i]));
    __m512i high = _mm512_mulhi_epu16(sum, _mm512_set1_epi16(ONE_36TH));
    __m512i multiple = _mm512_mullo_epi16(high, _mm512_set1_epi16(FIVES_BASE));
    return (struct found){.low = _mm512_sub_epi16(sum, multiple), .high = high};
}

static inline void make_tables(const int8_t *activations, uint8_t *to)
{
    const struct activations a = spread(activations);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        struct found one = sums_of(&a, digits_of[2 * half]), other = sums_of(&a, digits_of[2 * half + 1]);
        __m512i low = _mm512_packus_epi16(one.low, other.low), high = _mm512_packus_epi16(one.high, other.high);
        _mm512_store_si512(to + FIVES_LOW + 64 * half, _mm512_sub_epi8(low, _mm512_set1_epi8(FIVES_BASE / 2)));
        _mm512_store_si512(to + FIVES_HIGH + 64 * half, _mm512_sub_epi8(high, _mm512_set1_epi8(HIGH_MORE)));
    }
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *to = prepared;
    (void)stride, (void)tokens; /* a group is one token */
    for (size_t i = 0; i < k; i += STEP_COLUMNS, to += FIVES_BYTES)
        make_tables(a + i, to);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .lossless = true,
    .gemm = {.run = run,
             .prepare_many = prepare_many,
             .tokens_per_group = 1,
             .prepared_bytes = prepared_bytes,
             .multiply = SELF_NAME},
};
