/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every quantizer against the scalar one, bit for bit, and the scalar one against the definition.
 */
#include "harness/check/item_tests.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "micro/quantizer.h"
#include "platforms/memory/memory.h"

enum { N_EACH = 100, N_LONG = 4096, N_MOST = N_LONG };

/* ---------------------------------------------------------------- inputs */

static float draw_unit(uint64_t *random)
{
    return (float)((double)(draw(random) >> 11) * 0x1p-52 - 1); /* [-1, 1) */
}

static void random_values(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 3.7f * draw_unit(random);
}

static void zeros(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = draw(random) & 1 ? 0.0f : -0.0f;
}

static void the_largest_is_negative_and_last(float *x, size_t n, uint64_t *random)
{
    random_values(x, n, random);
    if (n)
        x[n - 1] = -11.3f;
}

static void denormals(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 0x1p-126f * draw_unit(random);
}

/** 127 / max would be infinite. */
static void tiny_values(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 0x1p-122f * draw_unit(random);
}

/** Just above what counts as zero. */
static void the_smallest_that_count(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 0x1p-119f * draw_unit(random);
    if (n)
        x[n / 2] = 0x1p-119f;
}

static void huge_values(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = FLT_MAX * draw_unit(random);
    if (n)
        x[n / 3] = -FLT_MAX;
}

/** Magnitudes from denormal to 1. */
static void all_magnitudes(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = ldexpf(draw_unit(random), -(int)(draw(random) % 140));
}

/** Halves, with a scale of 1: every one is a tie. */
static void ties(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(draw(random) % 253) - 126 + 0.5f;
    if (n)
        x[0] = 127;
}

static const struct input {
    const char *name;
    void (*fill)(float *x, size_t n, uint64_t *random);
} inputs[] = {
    {"random values", random_values},
    {"zeros", zeros},
    {"the largest is negative and last", the_largest_is_negative_and_last},
    {"denormals", denormals},
    {"tiny values", tiny_values},
    {"the smallest that count", the_smallest_that_count},
    {"huge values", huge_values},
    {"all magnitudes", all_magnitudes},
    {"ties", ties},
};
enum { INPUTS = sizeof inputs / sizeof inputs[0] };

static size_t next_n(size_t n)
{
    return n < N_EACH ? n + 1 : n == N_EACH ? N_LONG : N_MOST + 1;
}

/** bfloat16 of a float, cut off; and back. */
static uint16_t bf16_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static float from_bf16(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---------------------------------------------------------------- checks */

static const struct quantizer *reference(void)
{
    for (const struct quantizer *const *each = quantizer_all(); *each; each++) {
        if (strcmp((*each)->name, "per_tensor.reference") == 0)
            return *each;
    }
    fail_msg("there is no per_tensor.reference");
    return NULL;
}

/** Guarded x and q of the largest n; shorter ones are placed against the same guard page. */
struct buffers {
    struct memory_guarded x, q;
    int guard_at_end;
};

static struct buffers reserve(int guard_at_end)
{
    struct buffers buffers = {.guard_at_end = guard_at_end};
    assert_int_equal(memory_guarded_reserve(N_MOST * sizeof(float), guard_at_end, &buffers.x), 0);
    assert_int_equal(memory_guarded_reserve(N_MOST + 1, guard_at_end, &buffers.q), 0);
    return buffers;
}

static void release(struct buffers *buffers)
{
    memory_guarded_release(&buffers->x);
    memory_guarded_release(&buffers->q);
}

static void *place(const struct buffers *buffers, const struct memory_guarded *buffer, size_t bytes)
{
    return (uint8_t *)buffer->bytes + (buffers->guard_at_end ? buffer->length - bytes : 0);
}

/** Run into guarded q; bytes around q must stay. Expected is what the reference gives for `wide`. */
static void must_equal_reference(const struct quantizer *quantizer, const struct buffers *buffers, const float *wide,
                                 size_t n, int half, const char *input)
{
    int8_t expected_q[N_MOST], *q = place(buffers, &buffers->q, n), *all = buffers->q.bytes;
    struct quantized expected = reference()->from_f32(wide, n, expected_q), result;
    memset(all, 0x66, buffers->q.length);
    if (half) {
        uint16_t *x = place(buffers, &buffers->x, n * sizeof *x);
        for (size_t i = 0; i < n; i++)
            x[i] = bf16_of(wide[i]);
        result = quantizer->from_bf16(x, n, q);
    } else {
        float *x = place(buffers, &buffers->x, n * sizeof *x);
        if (n)
            memcpy(x, wide, n * sizeof *x);
        result = quantizer->from_f32(x, n, q);
    }
    if (memcmp(&result.scale, &expected.scale, sizeof result.scale) != 0 || result.sum != expected.sum ||
        memcmp(q, expected_q, n) != 0)
        fail_msg("%s, n = %zu, %s: scale %a for %a, sum %d for %d", input, n, half ? "bf16" : "f32",
                 (double)result.scale, (double)expected.scale, result.sum, expected.sum);
    for (size_t i = 0; i < buffers->q.length; i++)
        assert_true((all + i >= q && all + i < q + n) || all[i] == 0x66);
}

static void equals_the_reference(const struct quantizer *quantizer, int half)
{
    float wide[N_MOST];
    uint64_t random = 31;
    require_isa(quantizer->isa);
    for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
        struct buffers buffers = reserve(guard_at_end);
        for (size_t input = 0; input < INPUTS; input++) {
            for (size_t n = 0; n <= N_MOST; n = next_n(n)) {
                inputs[input].fill(wide, n, &random);
                for (size_t i = 0; half && i < n; i++)
                    wide[i] = from_bf16(bf16_of(wide[i]));
                must_equal_reference(quantizer, &buffers, wide, n, half, inputs[input].name);
            }
        }
        release(&buffers);
    }
}

static void f32_equals_the_reference(void **state)
{
    equals_the_reference(*state, 0);
}

static void bf16_equals_the_reference(void **state)
{
    equals_the_reference(*state, 1);
}

/** Each place of a vector and of the tail can hold the largest. */
static void the_largest_is_found_anywhere(void **state)
{
    const struct quantizer *quantizer = *state;
    enum { N = 83 };
    require_isa(quantizer->isa);
    for (size_t n = 1; n <= N; n++) {
        for (size_t i = 0; i < n; i++) {
            float x[N];
            int8_t q[N];
            for (size_t j = 0; j < n; j++)
                x[j] = j == i ? -254.0f : 2.0f;
            struct quantized result = quantizer->from_f32(x, n, q);
            assert_true(result.scale == 2.0f);
            assert_int_equal(q[i], -127);
            assert_int_equal(result.sum, (int)n - 1 - 127);
        }
    }
}

static float ulp(float x)
{
    return nextafterf(fabsf(x), INFINITY) - fabsf(x);
}

/** From the header: scale, range, sum, distance. */
static void must_satisfy_definition(const float *x, size_t n)
{
    int8_t q[N_MOST];
    struct quantized result = reference()->from_f32(x, n, q);
    float most = 0;
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(x[i]));
    assert_true(result.scale == (most < QUANTIZER_LEAST ? 0.0f : most / 127));
    for (size_t i = 0; i < n; i++) {
        sum += q[i];
        assert_true(q[i] >= -127);
        if (most < QUANTIZER_LEAST) {
            assert_int_equal(q[i], 0);
            continue;
        }
        double error = fabs((double)x[i] - q[i] * (double)result.scale);
        /* two roundings of x / scale, one of scale */
        if (error > 0.5 * (double)result.scale + 2 * (double)ulp(x[i]))
            fail_msg("%a became %d of %a", (double)x[i], q[i], (double)result.scale);
        assert_true(fabsf(x[i]) < most || q[i] == (x[i] > 0 ? 127 : -127));
    }
    assert_int_equal(result.sum, sum);
}

static void the_reference_is_the_definition(void **state)
{
    (void)state;
    float x[N_MOST];
    uint64_t random = 32;
    for (size_t input = 0; input < INPUTS; input++) {
        for (size_t n = 0; n <= N_MOST; n = next_n(n)) {
            inputs[input].fill(x, n, &random);
            must_satisfy_definition(x, n);
        }
    }
}

static void ties_go_to_even(void **state)
{
    const struct quantizer *quantizer = *state;
    require_isa(quantizer->isa);
    float x[] = {127, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f, -126.5f, 3.4999998f, 3.5000002f};
    static const int8_t expected[] = {127, 0, 2, 2, 0, -2, -2, 126, -126, 3, 4};
    int8_t q[sizeof expected];
    struct quantized result = quantizer->from_f32(x, sizeof expected, q);
    assert_true(result.scale == 1.0f);
    assert_memory_equal(q, expected, sizeof expected);
}

static void nothing_and_less_than_the_least_are_zero(void **state)
{
    const struct quantizer *quantizer = *state;
    require_isa(quantizer->isa);
    float x[] = {0x1p-149f, -0x1.fffffep-120f, 0};
    int8_t q[] = {1, 2, 3};
    struct quantized result = quantizer->from_f32(x, 0, q);
    assert_true(result.scale == 0 && result.sum == 0 && q[0] == 1);
    result = quantizer->from_f32(x, 3, q);
    assert_true(result.scale == 0 && result.sum == 0);
    assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0);
}

/* ---------------------------------------------------------------- back: sums of rows */

enum { ROWS = 70 };

/** To nearest even by another way than the quantizers': by the distances of both neighbours, in double. */
static uint16_t nearest_bf16(float value)
{
    uint16_t towards_zero = bf16_of(value);
    double below = fabs((double)from_bf16(towards_zero)), exact = fabs((double)value);
    double above = fabs((double)from_bf16((uint16_t)(towards_zero + 1)));
    bool up = above - exact < exact - below || (above - exact == exact - below && (towards_zero & 1));
    return (uint16_t)(towards_zero + up);
}

/** Small sums, those that a float does not hold, both ends; scales of either sign, with a product of one: ties of bf16 too. */
static void draw_rows(int32_t *sums, float *row_scales, size_t n, uint64_t *random)
{
    static const int32_t chosen[] = {0, 1, -1, 257, 259, -257, 16777217, 16777219, INT32_MAX, INT32_MIN};
    for (size_t row = 0; row < n; row++) {
        sums[row] = draw(random) & 1 ? chosen[draw(random) % (sizeof chosen / sizeof *chosen)]
                                     : (int32_t)(uint32_t)draw(random) >> draw(random) % 31;
        row_scales[row] = draw(random) & 1 ? 2.0f : ldexpf(draw_unit(random), -(int)(draw(random) % 100));
    }
}

static void rows_are_as_defined(void **state)
{
    const struct quantizer *quantizer = *state;
    require_isa(quantizer->isa);
    uint64_t random = 37;
    int32_t sums[ROWS];
    float row_scales[ROWS];
    for (size_t n = 0; n < 2 * ROWS; n++) {
        size_t rows = n % ROWS;
        float y[ROWS + 1], scale = n < ROWS ? 0.5f : 0.0123f;
        uint16_t half[ROWS + 1];
        memset(y, 0x66, sizeof y);
        memset(half, 0x66, sizeof half);
        draw_rows(sums, row_scales, rows, &random);
        quantizer->rows_to_f32(sums, row_scales, scale, rows, y);
        quantizer->rows_to_bf16(sums, row_scales, scale, rows, half);
        for (size_t row = 0; row < rows; row++) {
            float row_scale = (float)((double)row_scales[row] * (double)scale), sum = (float)sums[row];
            float expected = (float)((double)row_scale * (double)sum);
            if (memcmp(&y[row], &expected, sizeof expected) != 0 || half[row] != nearest_bf16(expected))
                fail_msg("row %zu of %zu: %d times %a became %a and %04x, not %a and %04x", row, rows, sums[row],
                         (double)row_scale, (double)y[row], half[row], (double)expected, nearest_bf16(expected));
        }
        for (size_t byte = rows * sizeof *y; byte < sizeof y; byte++)
            assert_int_equal(((uint8_t *)y)[byte], 0x66);
        for (size_t byte = rows * sizeof *half; byte < sizeof half; byte++)
            assert_int_equal(((uint8_t *)half)[byte], 0x66);
    }
}

/** Against a page that cannot be read or written. */
static void rows_stay_within_theirs(void **state)
{
    const struct quantizer *quantizer = *state;
    require_isa(quantizer->isa);
    uint64_t random = 38;
    struct memory_guarded sums, row_scales, y;
    assert_int_equal(memory_guarded_reserve(ROWS * 4, 1, &sums), 0);
    assert_int_equal(memory_guarded_reserve(ROWS * 4, 1, &row_scales), 0);
    assert_int_equal(memory_guarded_reserve(ROWS * 4, 1, &y), 0);
    for (size_t rows = 0; rows <= ROWS; rows++) {
        int32_t *from = (int32_t *)(void *)((uint8_t *)sums.bytes + sums.length) - rows;
        float *scales = (float *)(void *)((uint8_t *)row_scales.bytes + row_scales.length) - rows;
        draw_rows(from, scales, rows, &random);
        quantizer->rows_to_f32(from, scales, 1, rows, (float *)(void *)((uint8_t *)y.bytes + y.length) - rows);
        quantizer->rows_to_bf16(from, scales, 1, rows, (uint16_t *)(void *)((uint8_t *)y.bytes + y.length) - rows);
    }
    memory_guarded_release(&sums);
    memory_guarded_release(&row_scales);
    memory_guarded_release(&y);
}

/** Past the largest there is infinity, not a number of another sign. */
static void what_bf16_cannot_hold_is_infinite(void **state)
{
    const struct quantizer *quantizer = *state;
    require_isa(quantizer->isa);
    int32_t sums[ROWS];
    float row_scales[ROWS];
    uint16_t half[ROWS];
    for (size_t row = 0; row < ROWS; row++) {
        sums[row] = row % 2 ? -1 : 1;
        row_scales[row] = row % 3 ? FLT_MAX : 0x1.fcp127f;
    }
    quantizer->rows_to_bf16(sums, row_scales, 1, ROWS, half);
    for (size_t row = 0; row < ROWS; row++)
        assert_int_equal(half[row], (row % 3 ? 0x7f80 : 0x7f7e) | (row % 2 ? 0x8000 : 0));
}

int main(void)
{
    static struct item_tests suite;
    item_tests_add(&suite, "the reference", "is the definition", the_reference_is_the_definition, NULL);
    for (const struct quantizer *const *each = quantizer_all(); *each; each++) {
        const char *name = (*each)->name;
        item_tests_add(&suite, name, "f32 equals the reference", f32_equals_the_reference, *each);
        item_tests_add(&suite, name, "bf16 equals the reference", bf16_equals_the_reference, *each);
        item_tests_add(&suite, name, "the largest is found anywhere", the_largest_is_found_anywhere, *each);
        item_tests_add(&suite, name, "ties go to even", ties_go_to_even, *each);
        item_tests_add(&suite, name, "nothing and less than the least are zero",
                       nothing_and_less_than_the_least_are_zero, *each);
        item_tests_add(&suite, name, "rows are as defined", rows_are_as_defined, *each);
        item_tests_add(&suite, name, "rows stay within theirs", rows_stay_within_theirs, *each);
        item_tests_add(&suite, name, "what bf16 cannot hold is infinite", what_bf16_cannot_hold_is_infinite, *each);
    }
    return item_tests_run("quantizers", &suite);
}
