/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every gamma sequence computes what its facts say, in every variant, and a check with wrong facts fails.
 */
#include "harness/check/call/checked_call.h"
#include "harness/check/item_tests.h"
#include "harness/check/reference_once_testing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/sequence.h"
#include "platforms/memory/memory.h"

enum {
    SEEDS = 8,
    GROUPS_MAX = 4 * 256,
    ACCUMULATORS_BYTES = 2 * SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX
};

/** Operands on the heap, without a byte too many, so that sanitizers see what the scalar side touches; activations where they may lie. */
struct operands {
    const struct sequence *sequence;
    uint64_t groups;
    uint8_t *weights, *activations;
    _Alignas(64) uint8_t accumulators[ACCUMULATORS_BYTES];
};

static void operands_make(struct operands *values, const struct sequence *sequence, uint64_t groups)
{
    values->sequence = sequence;
    values->groups = groups;
    values->weights = malloc(groups * sequence->weight_bytes);
    if (posix_memalign((void **)&values->activations, 64, sequence->activation_bytes))
        values->activations = NULL;
    assert_true(values->weights && values->activations);
    memset(values->accumulators, 0x33, sizeof values->accumulators);
}

static void operands_release(struct operands *values)
{
    free(values->weights);
    free(values->activations);
}

static struct sequence_operands operands_of(struct operands *values)
{
    return (struct sequence_operands){values->weights, values->activations, values->accumulators};
}

static void draw_operands(struct operands *values, uint64_t seed)
{
    sequence_draw(values->sequence, seed, values->groups, values->weights, values->activations);
}

/* ---------------------------------------------------------------- worst cases */

enum { WEIGHT_CASES = 6, ACTIVATION_CASES = 5 };

static bool takes_any_weights(const struct sequence *sequence)
{
    return sequence->weight_values == SEQUENCE_BYTES;
}

static bool takes_any_activations(const struct sequence *sequence)
{
    return sequence->activation_values == SEQUENCE_BYTES || sequence->activation_values == SEQUENCE_INT8;
}

/** Weights that are any bytes: all bits clear, set, only the upper, … ; others stay as drawn. */
static void worst_weights(struct operands *values, unsigned which)
{
    static const uint8_t cases[WEIGHT_CASES] = {0x00, 0xff, 0x80, 0x7f, 0x55, 0xaa};
    if (takes_any_weights(values->sequence))
        memset(values->weights, cases[which], values->groups * values->sequence->weight_bytes);
}

/** Activations at their ends, alike or in turns. */
static void worst_activations(struct operands *values, unsigned which)
{
    static const int8_t integers[ACTIVATION_CASES][2] = {{-127, -127}, {127, 127}, {-127, 127}, {127, -127}, {0, 1}};
    static const uint8_t bytes[ACTIVATION_CASES][2] = {{0, 0}, {0xff, 0xff}, {0x80, 0x80}, {0x7f, 0x7f}, {0x80, 0x7f}};
    uint32_t kind = values->sequence->activation_values;
    for (uint32_t i = 0; i < values->sequence->activation_bytes; i++) {
        if (kind == SEQUENCE_INT8)
            values->activations[i] = (uint8_t)integers[which][i % 2];
        else if (kind == SEQUENCE_BYTES)
            values->activations[i] = bytes[which][i % 2];
    }
}

/* ---------------------------------------------------------------- exactness */

/** Wrong lanes over all variants. */
static size_t check_variants(const struct sequence *sequence, struct operands *values)
{
    struct sequence_operands operands = operands_of(values);
    size_t wrong = 0;
    for (uint64_t i = 0; i < sequence->variants; i++) {
        memset(values->accumulators, 0x33, sizeof values->accumulators);
        size_t here = sequence_check(sequence, &sequence->variant[i], &operands);
        if (here)
            print_message("# %s with %lu accumulators: %zu lanes are wrong\n", sequence->name,
                          (unsigned long)sequence->variant[i].accumulators, here);
        wrong += here;
    }
    return wrong;
}

static size_t check_streams(const struct sequence *sequence, struct operands *values)
{
    static const uint64_t distances[] = {64, 4096};
    struct sequence_operands operands = operands_of(values);
    size_t wrong = 0;
    bool few = emulator_stands_in(sequence->isa);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        for (uint64_t groups = variant->stream_groups; groups <= 2 * variant->stream_groups;
             groups += variant->stream_groups) {
            uint8_t right[sizeof values->accumulators];
            memset(values->accumulators, 0x33, sizeof values->accumulators);
            wrong += sequence_check_stream(sequence, variant, &operands, groups, 0);
            memcpy(right, values->accumulators, sizeof right);
            /* what is prefetched changes no sum, to the bit: the reference is as slow as all else */
            for (size_t d = few ? 1 : 0; d < sizeof distances / sizeof *distances; d++) {
                memset(values->accumulators, 0x33, sizeof values->accumulators);
                variant->stream_prefetch(&operands, groups, distances[d]);
                wrong += memcmp(values->accumulators, right, sizeof right) != 0;
            }
        }
    }
    return wrong;
}

static uint64_t most_stream_groups(const struct sequence *sequence)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < sequence->variants; i++)
        most = sequence->variant[i].stream_groups > most ? sequence->variant[i].stream_groups : most;
    return most;
}

static void is_exact_with(const struct sequence *sequence, uint64_t groups,
                          size_t (*check)(const struct sequence *sequence, struct operands *values))
{
    struct operands values;
    operands_make(&values, sequence, groups);
    const struct sequence copy = remembering(sequence, values.weights, values.groups);
    bool few = emulator_stands_in(sequence->isa); /* a hundred times as long */
    for (uint64_t seed = 1; seed <= (few ? 2 : SEEDS); seed++) {
        draw_operands(&values, seed);
        forget();
        assert_int_equal(check(&copy, &values), 0);
    }
    /* operands that stay as drawn are so once, and where all do they have been */
    bool weights_vary = takes_any_weights(sequence), activations_vary = takes_any_activations(sequence);
    unsigned first = few ? 1 : 0, last = !weights_vary ? first : few ? 2 : WEIGHT_CASES - 1;
    for (unsigned weights = first; (weights_vary || activations_vary) && weights <= last; weights++) {
        for (unsigned activations = 0; activations < (few || !activations_vary ? 1 : ACTIVATION_CASES); activations++) {
            worst_weights(&values, weights);
            worst_activations(&values, activations);
            forget();
            assert_int_equal(check(&copy, &values), 0);
        }
    }
    remembering_ends();
    operands_release(&values);
}

static void is_exact(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    is_exact_with(sequence, 1, check_variants);
}

static void streams_are_exact(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    is_exact_with(sequence, 2 * most_stream_groups(sequence), check_streams);
}

/** Lane `lane` of the accumulators as a number. */
static double lane_value(const struct sequence *sequence, const uint8_t *accumulators, size_t lane)
{
    const void *bytes = accumulators + lane * (sequence->vector_bytes / sequence_lanes(sequence));
    switch (sequence->lane) {
    case SEQUENCE_INT16: return *(const int16_t *)bytes;
    case SEQUENCE_FLOAT32: return (double)*(const float *)bytes;
    default: return *(const int32_t *)bytes;
    }
}

/** n iterations make n times the sums of one: the loop counts right and nothing is carried over but sums. Lanes of 16
 * bits may saturate and are left to the check of 2U. */
static void iterations_add_up(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    struct operands values;
    operands_make(&values, sequence, 1);
    struct sequence_operands operands = operands_of(&values);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        size_t lanes = variant->accumulators * sequence_lanes(sequence);
        uint8_t once[ACCUMULATORS_BYTES];
        draw_operands(&values, 22 + i);
        variant->run_u(&operands, 1);
        memcpy(once, values.accumulators, sizeof once);
        static const struct {
            bool twice;
            unsigned iterations, sums;
        } table[] = {{false, 7, 7}, {true, 5, 10}};
        for (size_t t = 0; t < 2; t++) {
            (table[t].twice ? variant->run_2u : variant->run_u)(&operands, table[t].iterations);
            for (size_t lane = 0; lane < lanes; lane++) {
                double one = lane_value(sequence, once, lane), many = lane_value(sequence, values.accumulators, lane);
                double slack = sequence->lane == SEQUENCE_FLOAT32 ? 1e-3 * (fabs(one) + 1000) * table[t].sums : 0;
                /* with a number of accumulators that 2U does not rotate through as U does, sums are dealt otherwise */
                if (table[t].twice && variant->dots % variant->accumulators)
                    continue;
                assert_true(fabs(many - table[t].sums * one) <= slack);
            }
        }
    }
    operands_release(&values);
}

/* ---------------------------------------------------------------- what it touches */

static void call_guarded(const struct sequence *sequence, uint64_t accumulators, const void *function, uint64_t count,
                         uint64_t groups, uint64_t prefetch_bytes, int guard_at_end)
{
    struct memory_guarded weights, activations, out;
    size_t out_bytes = accumulators * sequence->vector_bytes;
    assert_int_equal(memory_guarded_reserve(groups * sequence->weight_bytes, guard_at_end, &weights), 0);
    assert_int_equal(memory_guarded_reserve(sequence->activation_bytes, guard_at_end, &activations), 0);
    assert_int_equal(memory_guarded_reserve(out_bytes, guard_at_end, &out), 0);
    sequence_draw(sequence, 25, groups, weights.bytes, activations.bytes);
    struct sequence_operands operands = {weights.bytes, activations.bytes, out.bytes};
    struct checked_call call = {function, {(uintptr_t)&operands, count, prefetch_bytes, 0}};
    struct checked_call_report report;
    checked_call_report_of(&call, sequence->isa, &report);
    if (report.fault != CALL_CLEAN)
        fail_msg("%s with %lu accumulators: %s", sequence->name, (unsigned long)accumulators,
                 call_fault_name(report.fault));
    memory_guarded_release(&weights);
    memory_guarded_release(&activations);
    memory_guarded_release(&out);
}

static void keeps_to_its_operands_and_registers(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        uint64_t groups = 2 * variant->stream_groups;
        for (int at_end = 0; at_end < 2; at_end++) {
            const uint64_t a = variant->accumulators;
            call_guarded(sequence, a, (const void *)(uintptr_t)variant->run_u, 2, 1, 0, at_end);
            call_guarded(sequence, a, (const void *)(uintptr_t)variant->run_2u, 2, 1, 0, at_end);
            call_guarded(sequence, a, (const void *)(uintptr_t)variant->stream, groups, groups, 0, at_end);
            call_guarded(sequence, a, (const void *)(uintptr_t)variant->stream_prefetch, groups, groups, 64, at_end);
            call_guarded(sequence, a, (const void *)(uintptr_t)variant->stream_prefetch, groups, groups, 4096, at_end);
        }
    }
}

/* ---------------------------------------------------------------- what is wrong is found */

/** Stands in front of the reference of a sequence and leaves out one dot product of a group. */
struct forgetful {
    const struct sequence *sequence;
    uint32_t dot;
};
static struct forgetful forgetful;

static void refer_forgetfully(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    if (dot != forgetful.dot)
        forgetful.sequence->reference(data, dot, sum, magnitude);
}

static void wrong_references_are_found(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    struct sequence copy = *sequence;
    struct operands values;
    operands_make(&values, sequence, 2 * most_stream_groups(sequence));
    draw_operands(&values, 26);
    struct sequence_operands operands = operands_of(&values);
    copy.reference = refer_forgetfully;
    for (uint32_t i = 0; i < sequence->group_dots; i++) {
        forgetful = (struct forgetful){sequence, i};
        for (uint64_t v = 0; v < sequence->variants; v++) {
            const struct sequence_variant *variant = &sequence->variant[v];
            if (sequence_check(&copy, variant, &operands) == 0 ||
                sequence_check_stream(&copy, variant, &operands, variant->stream_groups, 0) == 0)
                fail_msg("%lu accumulators without dot product %u pass", (unsigned long)variant->accumulators, i);
        }
    }
    operands_release(&values);
}

/** The check with one fact of one dot product changed. */
static size_t check_with(const struct sequence *sequence, uint32_t which, struct sequence_dot dot)
{
    struct sequence_dot *dots = calloc(sequence->group_dots, sizeof *dots);
    struct sequence copy = *sequence;
    struct operands values;
    size_t wrong = 0;
    assert_non_null(dots);
    memcpy(dots, sequence->dots, sequence->group_dots * sizeof *dots);
    dots[which] = dot;
    copy.dots = dots;
    operands_make(&values, sequence, 1);
    draw_operands(&values, 23);
    struct sequence_operands operands = operands_of(&values);
    for (uint64_t i = 0; i < sequence->variants; i++)
        wrong += sequence_check(&copy, &sequence->variant[i], &operands);
    operands_release(&values);
    free(dots);
    return wrong;
}

static void must_be_found(const struct sequence *sequence, uint32_t which, struct sequence_dot wrong, const char *what)
{
    if (check_with(sequence, which, wrong) == 0)
        fail_msg("a wrong %s of dot product %u passes", what, which);
}

static void wrong_facts_are_found(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    for (uint32_t i = 0; i < sequence->group_dots; i++) {
        struct sequence_dot right = sequence->dots[i], wrong;
        assert_int_equal(check_with(sequence, i, right), 0);
        if (right.kind != SEQUENCE_LOOKUP) {
            wrong = right, wrong.bias += 1;
            must_be_found(sequence, i, wrong, "bias");
        }
        if (right.kind != SEQUENCE_FIELD) {
            wrong = right, wrong.set = right.kind == SEQUENCE_LOOKUP ? !right.set : right.set - 1;
            must_be_found(sequence, i, wrong, "set");
        }
        if (right.kind != SEQUENCE_BITS && right.mask != SEQUENCE_SIGNED_BYTE) {
            wrong = right, wrong.mask ^= 1u << right.shift;
            must_be_found(sequence, i, wrong, "mask");
            wrong = right, wrong.shift += 1;
            must_be_found(sequence, i, wrong, "shift");
        }
    }
}

static void a_wrong_count_of_accumulators_is_found(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    struct operands values;
    operands_make(&values, sequence, 1);
    struct sequence_operands operands = operands_of(&values);
    draw_operands(&values, 24);
    memset(values.accumulators, 0, sizeof values.accumulators);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        struct sequence_variant variant = sequence->variant[i];
        variant.accumulators *= 2;
        assert_true(sequence_check(sequence, &variant, &operands) > 0);
    }
    operands_release(&values);
}

/** A stream that loaded the same weights for each group would pass for fast. */
static void a_stream_that_stands_still_is_found(void **state)
{
    const struct sequence *sequence = *state;
    require_isa_or_emulate(sequence->isa);
    struct operands values;
    uint64_t groups = 2 * most_stream_groups(sequence);
    operands_make(&values, sequence, groups);
    struct sequence_operands operands = operands_of(&values);
    draw_operands(&values, 27);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        struct sequence still = *sequence; /* its reference takes the first group for each */
        still.weight_bytes = 0;
        assert_true(sequence_check_stream(&still, variant, &operands, variant->stream_groups * 2, 0) > 0);
    }
    operands_release(&values);
}

/* ---------------------------------------------------------------- facts */

static void dots_are_plausible(const struct sequence *sequence)
{
    uint32_t read_bits = 0, read_bytes = sequence->vector_bytes;
    for (uint32_t i = 0; i < sequence->group_dots; i++) {
        const struct sequence_dot *dot = &sequence->dots[i];
        assert_in_range(dot->kind, SEQUENCE_FIELD, SEQUENCE_LOOKUP);
        if (dot->kind == SEQUENCE_BITS) {
            assert_int_not_equal(dot->bias, dot->set);
            assert_int_equal(sequence->group_dots, 1);
            read_bits = 1;
        } else {
            assert_in_range(dot->mask, 1, SEQUENCE_SIGNED_BYTE);
            assert_true(dot->shift < 8 && (dot->mask >> dot->shift) != 0);
            read_bits |= dot->mask & 0xff;
        }
    }
    /* the bits that a group reads are the packed bytes of the vectors that it claims to make */
    double packed_bytes = read_bytes * (unsigned)__builtin_popcount(read_bits) / 8.0;
    assert_true(packed_bytes == sequence->group_vectors * sequence->bytes_per_vector);
}

static void variants_are_plausible(const struct sequence *sequence)
{
    assert_in_range(sequence->variants, 1, SEQUENCE_ACCUMULATORS_MAX);
    assert_in_range(sequence->least_accumulators, 1, sequence->variant[sequence->variants - 1].accumulators);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        assert_true(variant->accumulators > (i ? variant[-1].accumulators : 0));
        assert_true(variant->dots > 0);
        assert_int_equal(variant->dots % sequence->group_dots, 0);
        /* the smallest op caches in use hold 1536 uops: a longer loop would measure the decoders */
        uint64_t body_uops = 2 * variant->dots / sequence->group_dots * sequence_uops(sequence);
        assert_true(body_uops <= 1536 || variant->dots < variant->accumulators + sequence->group_dots);
        assert_true(variant->dots >= variant->accumulators);
        assert_true(variant->run_u && variant->run_2u && variant->run_u != variant->run_2u);
        assert_true(variant->stream && variant->stream_prefetch && variant->stream != variant->stream_prefetch);
        assert_in_range(variant->stream_groups, 1, GROUPS_MAX);
        /* the rotation through the accumulators ends with the loop's body, so that it can begin anew */
        assert_int_equal(variant->stream_groups * sequence->group_dots % variant->accumulators, 0);
    }
}

static bool is_an_origin(const char *name)
{
    static const char *const origins[] = {"envelope",  "bitnet-cpp", "arm-kernels-codebooks", "apt-llm", "mixed-2-4-16",
                                          "llama.cpp", "kneepoint"};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        if (strcmp(origins[i], name) == 0)
            return true;
    }
    return false;
}

static void values_are_plausible(const struct sequence *sequence)
{
    assert_in_range(sequence->weight_bytes, 1, SEQUENCE_WEIGHT_BYTES_MAX);
    assert_in_range(sequence->activation_bytes, 1, SEQUENCE_ACTIVATION_BYTES_MAX);
    assert_in_range(sequence->weight_values, SEQUENCE_BYTES, SEQUENCE_OWN);
    assert_in_range(sequence->activation_values, SEQUENCE_BYTES, SEQUENCE_OWN);
    assert_in_range(sequence->lane, SEQUENCE_INT32, SEQUENCE_FLOAT32);
    assert_true(sequence->tolerance >= 0 && sequence->tolerance <= 0.01);
    assert_true(sequence->tolerance == 0 || sequence->lane == SEQUENCE_FLOAT32);
    assert_true(!sequence->dots != !sequence->reference);
    bool own = sequence->weight_values == SEQUENCE_OWN || sequence->activation_values == SEQUENCE_OWN;
    assert_true(own == (sequence->fill != NULL));
}

static void facts_are_plausible(void **state)
{
    const struct sequence *sequence = *state;
    char name[128];
    snprintf(name, sizeof name, "%s.%s.%s", sequence->format, sequence->sequence, sequence->isa);
    assert_string_equal(sequence->name, name); /* the name is the file's, the parts are declared inside */
    assert_ptr_equal(sequence_find(sequence->name), sequence);
    assert_non_null(isa_find(sequence->isa));
    assert_true(is_an_origin(sequence->origin));
    assert_true(sequence->claimed_gamma >= 0 && sequence->claimed_gamma < 100);
    assert_true(sequence->vector_bytes == 16 || sequence->vector_bytes == 32 || sequence->vector_bytes % 64 == 0);
    assert_in_range(sequence->vector_bytes, 16, SEQUENCE_VECTOR_BYTES_MAX);
    assert_true(sequence->group_dots >= 1 && sequence->group_vectors >= 1);
    assert_true(sequence_uops(sequence) >= sequence->group_dots);

    /* the bytes that a group loads are the packed bytes of the vectors that it claims to make; 1% for a rounded B */
    double packed_bytes = sequence->group_vectors * sequence->bytes_per_vector;
    if (fabs(packed_bytes / sequence->weight_bytes - 1) > 0.01)
        fail_msg("a group loads %u bytes, but %u vectors of %g bytes are %g", sequence->weight_bytes,
                 sequence->group_vectors, sequence->bytes_per_vector, packed_bytes);
    const struct format *format = format_find(sequence->format);
    enum { COLUMNS = 12288 }; /* of whole blocks and groups of every format */
    if (format && format_is_uniform(format))
        assert_true(sequence->bytes_per_vector ==
                    32.0 * format->step_bytes / (format->rows_per_panel * format->k_per_step));
    if (format && !format_is_uniform(format)) /* parts of different layout */
        assert_true(fabs(32.0 * (double)format_panel_bytes(format, COLUMNS) / (format->rows_per_panel * COLUMNS) /
                             sequence->bytes_per_vector -
                         1) < 1e-4);
    if (sequence->dots)
        dots_are_plausible(sequence);
    values_are_plausible(sequence);
    variants_are_plausible(sequence);
}

static void names_are_found_and_sorted(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct sequence *const *each = sequence_all(); *each; each++, count++)
        assert_true(count == 0 || strcmp(each[-1]->name, (*each)->name) < 0);
    assert_true(count > 0);
    assert_null(sequence_find("int2_vnni4.envelope"));
    assert_null(sequence_find(""));
}

int main(void)
{
    static struct item_tests suite;
    item_tests_add(&suite, "sequences", "are found and sorted", names_are_found_and_sorted, NULL);
    for (const struct sequence *const *each = sequence_all(); *each; each++) {
        const char *name = (*each)->name;
        item_tests_add(&suite, name, "facts are plausible", facts_are_plausible, *each);
        item_tests_add(&suite, name, "is exact", is_exact, *each);
        item_tests_add(&suite, name, "streams are exact", streams_are_exact, *each);
        if ((*each)->lane != SEQUENCE_INT16)
            item_tests_add(&suite, name, "iterations add up", iterations_add_up, *each);
        item_tests_add(&suite, name, "keeps to its operands and registers", keeps_to_its_operands_and_registers, *each);
        if ((*each)->dots)
            item_tests_add(&suite, name, "wrong facts are found", wrong_facts_are_found, *each);
        else
            item_tests_add(&suite, name, "wrong references are found", wrong_references_are_found, *each);
        item_tests_add(&suite, name, "a stream that stands still is found", a_stream_that_stands_still_is_found, *each);
        item_tests_add(&suite, name, "a wrong count of accumulators is found", a_wrong_count_of_accumulators_is_found,
                       *each);
    }
    return item_tests_run("sequences", &suite);
}
