/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The checks of sequences and their operands, on sequences written in C: every kind of lane and value, right and wrong.
 */
#include <math.h>
#include <string.h>

#include "micro/sequence.h"
#include "unit_test.h"

/* the C half's helpers, and this file's own SELF as make would give it */
#define SELF                 sequence_test
#define SEQUENCE_JOIN_(a, b) a##b
#define SEQUENCE_JOIN(a, b)  SEQUENCE_JOIN_(a, b)
#include "micro/sequences/sequence_reference.h"

/* A sequence of 128-bit registers: dot d of a group of 3 adds (d + 1) * weight * activation lane by lane. */
enum { VECTOR = 16, DOTS = 3, ITERATION_GROUPS = 5, GROUPS = 8, WEIGHTS = 16 };

/** What a run does wrong. */
enum fault { RIGHT, OFF_BY_ONE, FORGETS_LAST, NOT_A_NUMBER, STANDS_STILL };

struct machine {
    uint32_t lane;
    unsigned accumulators;
    enum fault fault;
};
/* What the runs below stand for: a sequence_run has no argument to say so. */
static struct machine machine;

static void add_float(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    float *lanes = sum;
    for (int i = 0; i < VECTOR / 4; i++) {
        float weight, activation;
        memcpy(&weight, data->weights + 4 * i, 4);
        memcpy(&activation, data->activations + 4 * i, 4);
        lanes[i] += (float)(dot + 1) * weight * activation;
        if (magnitude)
            magnitude[i] += fabs((double)((float)(dot + 1) * weight * activation));
    }
}

static void add_int16(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    int16_t *lanes = sum;
    assert_null(magnitude);
    for (int i = 0; i < VECTOR / 2; i++) {
        int value = lanes[i] + (int)(dot + 1) * (data->weights[i] & 7) * (int8_t)data->activations[i];
        lanes[i] = (int16_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
    }
}

static void add(const struct sequence_data *data, uint32_t dot, void *sum)
{
    if (machine.lane == SEQUENCE_FLOAT32)
        add_float(data, dot, sum, NULL);
    else
        add_int16(data, dot, sum, NULL);
}

static void run_groups(const struct sequence_operands *operands, uint64_t groups, size_t stride)
{
    uint8_t *accumulators = operands->accumulators;
    uint64_t dots = groups * DOTS;
    memset(accumulators, 0, (size_t)machine.accumulators * VECTOR);
    if (machine.fault == STANDS_STILL)
        stride = 0;
    for (uint64_t d = 0; d < dots - (machine.fault == FORGETS_LAST); d++) {
        struct sequence_data data = {operands->weights + d / DOTS * stride, operands->activations};
        add(&data, (uint32_t)(d % DOTS), accumulators + d % machine.accumulators * VECTOR);
    }
    if (machine.fault == OFF_BY_ONE)
        accumulators[0] ^= 1;
    if (machine.fault == NOT_A_NUMBER)
        memset(accumulators, 0xff, 4);
}

static void run_u(const struct sequence_operands *operands, uint64_t iterations)
{
    assert_int_equal(iterations, 1);
    run_groups(operands, ITERATION_GROUPS, 0);
}

static void run_2u(const struct sequence_operands *operands, uint64_t iterations)
{
    assert_int_equal(iterations, 1);
    run_groups(operands, 2 * ITERATION_GROUPS, 0);
}

static void stream(const struct sequence_operands *operands, uint64_t groups, uint64_t prefetch_bytes)
{
    assert_int_equal(prefetch_bytes, 0);
    run_groups(operands, groups, WEIGHTS);
}

static void stream_prefetch(const struct sequence_operands *operands, uint64_t groups, uint64_t prefetch_bytes)
{
    assert_int_equal(prefetch_bytes, 128);
    run_groups(operands, groups, WEIGHTS);
}

static struct sequence_variant variant_of(unsigned accumulators)
{
    return (struct sequence_variant){accumulators, ITERATION_GROUPS * DOTS, run_u, run_2u, 1, stream, stream_prefetch};
}

static struct sequence sequence_of(uint32_t lane)
{
    bool is_float = lane == SEQUENCE_FLOAT32;
    return (struct sequence){
        .name = "test",
        .tolerance = is_float ? 1e-5 : 0,
        .vector_bytes = VECTOR,
        .group_dots = DOTS,
        .group_uops = 1,
        .weight_bytes = WEIGHTS,
        .activation_bytes = VECTOR,
        .weight_values = is_float ? SEQUENCE_F32 : SEQUENCE_BYTES,
        .activation_values = is_float ? SEQUENCE_F32 : SEQUENCE_INT8,
        .lane = lane,
        .reference = is_float ? add_float : add_int16,
    };
}

/** Wrong lanes of all checks. */
static size_t check(const struct sequence *sequence, unsigned accumulators, enum fault fault)
{
    uint8_t weights[GROUPS * WEIGHTS], activations[VECTOR];
    _Alignas(64) uint8_t sums[SEQUENCE_ACCUMULATORS_MAX * VECTOR];
    struct sequence_variant variant = variant_of(accumulators);
    struct sequence_operands operands = {weights, activations, sums};
    machine = (struct machine){sequence->lane, accumulators, fault};
    sequence_draw(sequence, 5, GROUPS, weights, activations);
    size_t wrong = 0;
    if (fault != STANDS_STILL)
        wrong += sequence_check(sequence, &variant, &operands);
    wrong += sequence_check_stream(sequence, &variant, &operands, GROUPS, 0);
    return wrong + sequence_check_stream(sequence, &variant, &operands, GROUPS, 128);
}

TEST(what_is_right_passes_with_every_number_of_accumulators)
{
    for (uint32_t lane = SEQUENCE_INT16; lane <= SEQUENCE_FLOAT32; lane++) {
        struct sequence sequence = sequence_of(lane);
        for (unsigned accumulators = 1; accumulators <= SEQUENCE_ACCUMULATORS_MAX; accumulators++)
            assert_int_equal(check(&sequence, accumulators, RIGHT), 0);
    }
}

TEST(what_is_wrong_is_counted)
{
    for (uint32_t lane = SEQUENCE_INT16; lane <= SEQUENCE_FLOAT32; lane++) {
        struct sequence sequence = sequence_of(lane);
        for (unsigned accumulators = 1; accumulators <= SEQUENCE_ACCUMULATORS_MAX; accumulators++) {
            assert_true(check(&sequence, accumulators, FORGETS_LAST) > 0);
            assert_true(check(&sequence, accumulators, STANDS_STILL) > 0);
        }
        sequence.tolerance = 0;
        assert_int_equal(check(&sequence, 3, OFF_BY_ONE), 4); /* one lane of each of four runs */
    }
}

TEST(a_bit_within_the_tolerance_passes_and_not_a_number_never)
{
    struct sequence sequence = sequence_of(SEQUENCE_FLOAT32);
    assert_int_equal(check(&sequence, 2, OFF_BY_ONE), 0);
    assert_int_equal(check(&sequence, 2, NOT_A_NUMBER), 4);
    sequence.tolerance = 1e-12;
    assert_int_equal(check(&sequence, 2, OFF_BY_ONE), 4);
}

TEST(lanes_follow_the_register)
{
    struct sequence sequence = {.vector_bytes = 64, .lane = SEQUENCE_INT16, .group_dots = 4, .group_vectors = 3};
    assert_int_equal(sequence_lanes(&sequence), 32);
    sequence.lane = SEQUENCE_FLOAT32;
    assert_int_equal(sequence_lanes(&sequence), 16);
    sequence.lane = SEQUENCE_INT32;
    assert_int_equal(sequence_lanes(&sequence), 16);
    assert_true(sequence_vectors_per_dot(&sequence) == 0.75);
}

/* ---- operands ---- */

enum { DRAWN = 1024 };

static void draw_as(uint32_t values, uint64_t seed, uint8_t weights[DRAWN], uint8_t activations[DRAWN])
{
    struct sequence sequence = {
        .weight_bytes = DRAWN, .activation_bytes = DRAWN, .weight_values = values, .activation_values = values};
    sequence_draw(&sequence, seed, 1, weights, activations);
}

TEST(the_same_seed_draws_the_same)
{
    uint8_t a[2][DRAWN], b[2][DRAWN];
    for (uint32_t values = SEQUENCE_BYTES; values < SEQUENCE_OWN; values++) {
        draw_as(values, 1, a[0], a[1]);
        draw_as(values, 1, b[0], b[1]);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_not_equal(a[0], a[1], DRAWN);
        draw_as(values, 2, b[0], b[1]);
        assert_memory_not_equal(a, b, sizeof a);
    }
}

TEST(bytes_take_every_value_and_integers_all_but_the_least)
{
    bool any[256] = {0}, integer[256] = {0};
    uint8_t weights[DRAWN], activations[DRAWN];
    for (uint64_t seed = 0; seed < 20; seed++) {
        draw_as(SEQUENCE_BYTES, seed, weights, activations);
        for (int i = 0; i < DRAWN; i++)
            any[weights[i]] = true;
        draw_as(SEQUENCE_INT8, seed, weights, activations);
        for (int i = 0; i < DRAWN; i++)
            integer[activations[i]] = true;
    }
    for (int i = 0; i < 256; i++) {
        assert_true(any[i]);
        assert_int_equal(integer[i], i != 0x80);
    }
}

static double drawn_float(uint32_t values, const uint8_t *bytes)
{
    uint16_t half;
    float single;
    if (values == SEQUENCE_F32) {
        memcpy(&single, bytes, sizeof single);
        return (double)single;
    }
    memcpy(&half, bytes, sizeof half);
    return (double)(values == SEQUENCE_F16 ? reference_f16(half) : reference_bf16(half));
}

TEST(floats_stay_within_a_sixteenth_and_sixteen)
{
    uint8_t weights[DRAWN], activations[DRAWN];
    for (uint32_t values = SEQUENCE_F32; values <= SEQUENCE_BF16; values++) {
        double least = INFINITY, most = 0, sum = 0, total = 0;
        draw_as(values, 3, weights, activations);
        for (size_t i = 0; i < DRAWN; i += values == SEQUENCE_F32 ? 4 : 2) {
            double value = drawn_float(values, weights + i);
            least = fmin(least, fabs(value));
            most = fmax(most, fabs(value));
            sum += value;
            total += fabs(value);
        }
        assert_true(least >= 1.0 / 16 && least < 1.0 / 8 && most < 16 && most >= 8);
        assert_true(fabs(sum) < 0.5 * total); /* of either sign */
    }
}

static void fill_own(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    memset(weights, (int)(seed & 0x7f) + 1, WEIGHTS);
    memset(activations, 0xee, VECTOR);
}

TEST(own_fills_are_used_for_what_they_are_for)
{
    struct sequence sequence = sequence_of(SEQUENCE_INT16);
    uint8_t weights[GROUPS * WEIGHTS], activations[VECTOR], all_ee[VECTOR];
    memset(all_ee, 0xee, sizeof all_ee);
    sequence.fill = fill_own;
    sequence.weight_values = SEQUENCE_OWN;
    sequence_draw(&sequence, 9, GROUPS, weights, activations);
    assert_memory_not_equal(activations, all_ee, VECTOR);
    bool differ = false;
    for (int group = 0; group < GROUPS; group++) {
        for (int i = 1; i < WEIGHTS; i++)
            assert_int_equal(weights[group * WEIGHTS + i], weights[group * WEIGHTS]);
        differ |= weights[group * WEIGHTS] != weights[0];
    }
    assert_true(differ);
    sequence.activation_values = SEQUENCE_OWN;
    sequence_draw(&sequence, 9, GROUPS, weights, activations);
    assert_memory_equal(activations, all_ee, VECTOR);
    sequence.weight_values = SEQUENCE_BYTES;
    sequence_draw(&sequence, 9, GROUPS, weights, activations);
    assert_memory_equal(activations, all_ee, VECTOR);
    assert_memory_not_equal(weights, weights + 1, WEIGHTS - 1);
}

static bool was_aligned;

static void fill_whole_vectors(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    was_aligned &= (uintptr_t)activations % 64 == 0;
    fill_own(weights, activations, seed);
}

/* what a kernel's prepare() stores needs 64, and an array on the stack has it or not */
TEST(own_fills_have_aligned_activations_wherever_the_callers_lie)
{
    struct sequence sequence = sequence_of(SEQUENCE_INT16);
    sequence.fill = fill_whole_vectors;
    sequence.weight_values = sequence.activation_values = SEQUENCE_OWN;
    was_aligned = true;
    for (int shift = 0; shift < 64; shift++) {
        _Alignas(64) uint8_t activations[64 + VECTOR + 1] = {0};
        uint8_t weights[GROUPS * WEIGHTS];
        sequence_draw(&sequence, 9, GROUPS, weights, activations + shift);
        assert_true(was_aligned);
        for (int i = 0; i < (int)sizeof activations; i++)
            assert_int_equal(activations[i], i >= shift && i < shift + VECTOR ? 0xee : 0);
    }
}

TEST(halves_are_converted_exactly)
{
    static const struct {
        uint16_t bits;
        float value;
    } f16[] = {{0x0000, 0},
               {0x3c00, 1},
               {0xbc00, -1},
               {0x7bff, 65504},
               {0x0001, 0x1p-24f},
               {0x8001, -0x1p-24f},
               {0x03ff, 1023 * 0x1p-24f},
               {0x0400, 0x1p-14f},
               {0x3555, 0x1.554p-2f}},
      bf16[] = {{0x0000, 0}, {0x3f80, 1}, {0xc000, -2}, {0x7f7f, 0x1.fep127f}, {0x0001, 0x1p-133f}};
    for (size_t i = 0; i < sizeof f16 / sizeof *f16; i++)
        assert_true(reference_f16(f16[i].bits) == f16[i].value);
    for (size_t i = 0; i < sizeof bf16 / sizeof *bf16; i++)
        assert_true(reference_bf16(bf16[i].bits) == bf16[i].value);
    assert_true(signbit(reference_f16(0x8000)) && reference_f16(0x8000) == 0);
    assert_true(isinf(reference_f16(0x7c00)) && isinf(reference_f16(0xfc00)) && isnan(reference_f16(0x7c01)));
    assert_true(isinf(reference_bf16(0x7f80)) && isnan(reference_bf16(0x7fc0)));
}

RUN_TESTS(NULL, NULL)
