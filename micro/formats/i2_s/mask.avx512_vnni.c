/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: each field stays where it is, its sums come out times a power of two and are shifted back at the end of the row. 4 ANDs and 4
 * dot products for 8 output vectors. Golden Cove: 8 uops on p05: >= 0.5. A register is two blocks, so the activations are put in the order of its
 * fields beforehand,
 *
 *     prepared, 256 bytes a pair of blocks = [field 4] of 32 of the first block, 32 of the second
 *
 * a last block without a neighbour [field 4] of 32. At -O2 gcc leaves loops over registers loops and their contents in
 * memory unless told otherwise: the pragmas are worth a fifth of the time.
 */
#include <immintrin.h>
#include <string.h>

#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

enum { FIELDS = 4 };

struct sums {
    __m512i field[FIELDS];
};

ROWS_INLINE __m512i load(const void *at)
{
    return _mm512_loadu_si512(at);
}

ROWS_INLINE void add_fields(struct sums *sum, __m512i weights, const __m512i *activations)
{
#pragma GCC unroll 4
    for (int f = 0; f < FIELDS; f++) {
        __m512i mask = _mm512_set1_epi8((char)(0xc0 >> 2 * f));
        sum->field[f] = _mm512_dpbusd_epi32(sum->field[f], _mm512_and_si512(weights, mask), activations[f]);
    }
}

ROWS_INLINE int32_t row_sum(const struct sums *sum)
{
    __m512i low = _mm512_add_epi32(_mm512_srai_epi32(sum->field[2], 2), sum->field[3]);
    __m512i high = _mm512_add_epi32(_mm512_srai_epi32(sum->field[0], 6), _mm512_srai_epi32(sum->field[1], 4));
    return _mm512_reduce_add_epi32(_mm512_add_epi32(low, high));
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct sums sum[ROWS_TOGETHER];
    const int8_t *activations = slice->prepared;
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
#pragma GCC unroll 4
        for (int f = 0; f < FIELDS; f++)
            sum[r].field[f] = _mm512_setzero_si512();
    }
    size_t block = 0;
    for (; block + 2 <= slice->steps; block += 2) {
        __m512i a[FIELDS];
#pragma GCC unroll 4
        for (int f = 0; f < FIELDS; f++)
            a[f] = load(activations + block * STEP_COLUMNS + 64 * f);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            const uint8_t *w = weights[r] + block * STEP_BYTES;
            rows_prefetch(w, 64, slice->prefetch_bytes);
            add_fields(&sum[r], load(w), a);
        }
    }
    if (block < slice->steps) {
        __m512i a[FIELDS];
#pragma GCC unroll 4
        for (int f = 0; f < FIELDS; f++)
            a[f] = _mm512_maskz_loadu_epi64(0xf, activations + block * STEP_COLUMNS + 32 * f);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            add_fields(&sum[r], _mm512_maskz_loadu_epi64(0xf, weights[r] + block * STEP_BYTES), a);
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out[row[r]] = add_wrapping(row_sum(&sum[r]), slice->correction);
}

ROWS_GEMV

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    int8_t *to = prepared;
    for (size_t left = k / STEP_COLUMNS, side; left > 0; left -= side) {
        side = left > 1 ? 2 : 1;
        for (size_t f = 0; f < FIELDS; f++) {
            for (size_t b = 0; b < side; b++, to += 32)
                memcpy(to, a + b * STEP_COLUMNS + f * 32, 32);
        }
        a += side * STEP_COLUMNS;
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = STEP_COLUMNS,
    .prepare = prepare,
};

/* its gamma: two blocks of a row */
struct step_activations {
    __m512i of[FIELDS];
    int8_t taken[2 * STEP_COLUMNS];
};

#define STEP_SUM                  struct sums
#define STEP_ACTIVATIONS          struct step_activations
#define STEP_LARGEST              127
#define STEP_ROWS                 ROWS
#define STEPS_TOGETHER            2
#define STEP_ACCUMULATORS         ROWS_TOGETHER
#define STEP_WEIGHTS(register_of) register_of(0, __m512i, blocks)
#include "micro/frames/step.h"

ROWS_INLINE struct sums step_zero(void)
{
    __m512i zero = _mm512_setzero_si512();
    return (struct sums){{zero, zero, zero, zero}};
}

ROWS_INLINE struct step_weights step_load(const uint8_t *weights)
{
    return (struct step_weights){load(weights)};
}

/** In their registers: gcc would copy them from one turn of the loop to the next. clang would not, but would keep these in memory. */
ROWS_INLINE void stay(struct sums *sum)
{
#ifdef __clang__
    (void)sum;
#else
    __asm__("" : "+v"(sum->field[0]), "+v"(sum->field[1]), "+v"(sum->field[2]), "+v"(sum->field[3]));
#endif
}

ROWS_INLINE struct sums step_add(struct sums sum, struct step_weights weights,
                                 const struct step_activations *activations)
{
    stay(&sum);
    add_fields(&sum, weights.blocks, activations->of);
    stay(&sum);
    return sum;
}

ROWS_INLINE void step_finish(int32_t *rows, struct sums sum)
{
    rows[0] = row_sum(&sum);
}

#include "micro/frames/gamma.h"
