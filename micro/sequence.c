/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/sequence.h"

#include <math.h>
#include <string.h>

/* sequence_frame.h writes these without a compiler's help */
_Static_assert(sizeof(struct sequence_variant) == 7 * 8, "a row of the frame");
_Static_assert(offsetof(struct sequence, vector_bytes) == 8 * 8, "the frame's strings and doubles");
_Static_assert(offsetof(struct sequence, dots) == 8 * 8 + 10 * 4, "the frame's numbers");
_Static_assert(sizeof(struct sequence) == 8 * 8 + 10 * 4 + 5 * 8, "the frame's pointers");

/** One accumulator register. */
struct accumulator {
    _Alignas(64) uint8_t bytes[SEQUENCE_VECTOR_BYTES_MAX];
    double magnitude[SEQUENCE_VECTOR_BYTES_MAX / 2]; /* sums of |terms|, float lanes */
};

static uint32_t lane_bytes(const struct sequence *sequence)
{
    return sequence->lane == SEQUENCE_INT16 ? 2 : 4;
}

uint32_t sequence_lanes(const struct sequence *sequence)
{
    return sequence->vector_bytes / lane_bytes(sequence);
}

double sequence_vectors_per_dot(const struct sequence *sequence)
{
    return (double)sequence->group_vectors / sequence->group_dots;
}

/** What element i of a dot product adds to its lane by the facts: multiplicand times activation, or a table's entry. */
static int32_t product(const struct sequence_dot *dot, const struct sequence_data *data, uint32_t i)
{
    const int8_t *activations = (const int8_t *)data->activations;
    switch (dot->kind) {
    case SEQUENCE_BITS: return (data->weights[i / 8] >> i % 8 & 1 ? dot->set : dot->bias) * activations[i];
    case SEQUENCE_LOOKUP: {
        int8_t entry = activations[i % 4 * 16 + ((data->weights[i] & dot->mask) >> dot->shift)];
        return dot->set ? entry : (uint8_t)entry;
    }
    default: break;
    }
    uint8_t byte = data->weights[i];
    int32_t field = dot->mask == SEQUENCE_SIGNED_BYTE ? (int8_t)byte : (int32_t)((byte & dot->mask) >> dot->shift);
    return (field + dot->bias) * activations[i];
}

static void add_by_facts(const struct sequence *sequence, const struct sequence_data *data, uint32_t dot,
                         struct accumulator *to)
{
    uint32_t *sum = (uint32_t *)(void *)to->bytes;
    for (uint32_t i = 0; i < sequence->vector_bytes; i++)
        sum[i / 4] += (uint32_t)product(&sequence->dots[dot], data, i);
}

static void add_dot(const struct sequence *sequence, const struct sequence_data *data, uint32_t dot,
                    struct accumulator *to)
{
    if (sequence->reference)
        sequence->reference(data, dot, to->bytes, sequence->lane == SEQUENCE_FLOAT32 ? to->magnitude : NULL);
    else
        add_by_facts(sequence, data, dot, to);
}

/** Lane of an accumulator as a number. */
static double lane_value(const struct sequence *sequence, const uint8_t *accumulator, uint32_t lane)
{
    int16_t word;
    int32_t integer;
    float real;
    const uint8_t *at = accumulator + (size_t)lane * lane_bytes(sequence);
    switch (sequence->lane) {
    case SEQUENCE_INT16: return memcpy(&word, at, sizeof word), word;
    case SEQUENCE_FLOAT32: return memcpy(&real, at, sizeof real), (double)real;
    default: return memcpy(&integer, at, sizeof integer), integer;
    }
}

static size_t count_wrong(const struct sequence *sequence, const struct accumulator *wanted, const uint8_t *got,
                          struct sequence_difference *first)
{
    size_t wrong = 0;
    for (uint32_t lane = 0; lane < sequence_lanes(sequence); lane++) {
        double want = lane_value(sequence, wanted->bytes, lane), have = lane_value(sequence, got, lane);
        double tolerated = sequence->lane == SEQUENCE_FLOAT32 ? sequence->tolerance * wanted->magnitude[lane] : 0;
        if (fabs(want - have) <= tolerated)
            continue;
        if (!wrong && first)
            *first = (struct sequence_difference){.lane = lane, .got = have, .wanted = want};
        wrong++;
    }
    return wrong;
}

/** What a loop has done: this many dot products an iteration, of weights that advance by `stride` bytes a group. */
struct work {
    uint64_t iterations, dots;
    size_t stride;
};

static void add_iteration(const struct sequence *sequence, uint64_t accumulator, uint64_t accumulators,
                          const struct work *work, const struct sequence_operands *operands, struct accumulator *to)
{
    for (uint64_t d = accumulator; d < work->dots; d += accumulators) {
        struct sequence_data data = {operands->weights + d / sequence->group_dots * work->stride,
                                     operands->activations};
        add_dot(sequence, &data, (uint32_t)(d % sequence->group_dots), to);
    }
}

/** Integers of 32 bits wrap, so that what a loop adds up is as many times what one turn adds. */
static void repeat_integers(uint32_t lanes, uint64_t times, struct accumulator *sums)
{
    uint32_t *sum = (uint32_t *)(void *)sums->bytes;
    for (uint32_t lane = 0; lane < lanes; lane++)
        sum[lane] *= (uint32_t)times;
}

/** What one step of a kernel in C has added, a float a row, as often as a loop adds it: its reference unpacks every weight, which takes long. */
static void repeat_floats(uint32_t lanes, uint64_t times, struct accumulator *sums)
{
    float *sum = (float *)(void *)sums->bytes;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        float adds = sum[lane];
        for (uint64_t i = 1; i < times; i++)
            sum[lane] += adds;
        sums->magnitude[lane] *= (double)times;
    }
}

static void repeat(const struct sequence *sequence, uint64_t times, struct accumulator *sums)
{
    if (sequence->lane == SEQUENCE_FLOAT32)
        repeat_floats(sequence_lanes(sequence), times, sums);
    else
        repeat_integers(sequence_lanes(sequence), times, sums);
}

/** Compare all accumulators. */
static size_t compare(const struct sequence *sequence, uint64_t accumulators, const struct work *work,
                      const struct sequence_operands *operands, struct sequence_difference *first)
{
    const uint8_t *got = operands->accumulators;
    bool steps_on_the_spot = sequence_is_step(sequence) && !work->stride;
    struct accumulator step = {0};
    size_t wrong = 0;
    if (steps_on_the_spot)
        add_dot(sequence, &(struct sequence_data){operands->weights, operands->activations}, 0, &step);
    for (uint64_t a = 0; a < accumulators; a++) {
        struct accumulator wanted = steps_on_the_spot ? step : (struct accumulator){0};
        if (steps_on_the_spot) {
            repeat(sequence, work->iterations * ((work->dots - a + accumulators - 1) / accumulators), &wanted);
        } else {
            for (uint64_t i = 0; i < (sequence->reference ? work->iterations : 1); i++)
                add_iteration(sequence, a, accumulators, work, operands, &wanted);
        }
        if (!sequence->reference)
            repeat(sequence, work->iterations, &wanted);
        size_t here = count_wrong(sequence, &wanted, got + a * sequence->vector_bytes, wrong ? NULL : first);
        if (here && !wrong && first)
            first->accumulator = a;
        wrong += here;
    }
    return wrong;
}

size_t sequence_compare(const struct sequence *sequence, const struct sequence_variant *variant, int twice,
                        uint64_t iterations, const struct sequence_operands *operands,
                        struct sequence_difference *first)
{
    const struct work work = {iterations, (twice ? 2 : 1) * variant->dots, 0};
    return compare(sequence, variant->accumulators, &work, operands, first);
}

size_t sequence_compare_stream(const struct sequence *sequence, const struct sequence_variant *variant,
                               const struct sequence_operands *operands, uint64_t groups,
                               struct sequence_difference *first)
{
    const struct work work = {1, groups * sequence->group_dots, sequence->weight_bytes};
    return compare(sequence, variant->accumulators, &work, operands, first);
}

size_t sequence_check(const struct sequence *sequence, const struct sequence_variant *variant,
                      const struct sequence_operands *operands)
{
    variant->run_u(operands, 1);
    size_t wrong = sequence_compare(sequence, variant, 0, 1, operands, NULL);
    variant->run_2u(operands, 1);
    return wrong + sequence_compare(sequence, variant, 1, 1, operands, NULL);
}

size_t sequence_check_stream(const struct sequence *sequence, const struct sequence_variant *variant,
                             const struct sequence_operands *operands, uint64_t groups, uint64_t prefetch_bytes)
{
    (prefetch_bytes ? variant->stream_prefetch : variant->stream)(operands, groups, prefetch_bytes);
    return sequence_compare_stream(sequence, variant, operands, groups, NULL);
}
