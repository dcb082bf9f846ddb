/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every gamma sequence computes what its facts say, in every variant, and a check with wrong facts fails.
 */
#include "harness/item_tests.h"
#include "harness/junk_call.h"

#include <stdlib.h>

#include "micro/kernel.h"
#include "micro/sequence.h"
#include "platforms/memory.h"

enum { REGISTER_BYTES = 64, SCRATCH_LANES = 64 * 16, TRIES = 40 };

struct operands {
    _Alignas(64) uint8_t weights[REGISTER_BYTES];
    _Alignas(64) int8_t activations[REGISTER_BYTES];
    _Alignas(64) int32_t accumulators[SCRATCH_LANES];
};

static struct sequence_operands operands_of(struct operands *values)
{
    return (struct sequence_operands){values->weights, values->activations, values->accumulators};
}

static void draw_operands(struct operands *values, uint64_t *random)
{
    for (int i = 0; i < REGISTER_BYTES; i++) {
        values->weights[i] = (uint8_t)draw(random);
        values->activations[i] = (int8_t)((int)(draw(random) % 255) - 127);
    }
}

static void set_operands(struct operands *values, uint8_t weights, int8_t even, int8_t odd)
{
    for (int i = 0; i < REGISTER_BYTES; i++) {
        values->weights[i] = weights;
        values->activations[i] = i % 2 ? odd : even;
    }
}

/** Wrong lanes over all variants. */
static size_t check_variants(const struct sequence *sequence, struct operands *values)
{
    struct sequence_operands operands = operands_of(values);
    size_t wrong = 0;
    for (uint64_t i = 0; i < sequence->variants; i++) {
        memset(values->accumulators, 0x33, sizeof values->accumulators);
        wrong += sequence_check(sequence, &sequence->variant[i], &operands);
    }
    return wrong;
}

static void is_exact(void **state)
{
    const struct sequence *sequence = *state;
    require_isa(sequence->name, sequence->isa);
    static const int8_t ends[] = {-127, 127, 0, 1};
    struct operands values;
    uint64_t random = 21;
    for (int i = 0; i < TRIES; i++) {
        draw_operands(&values, &random);
        assert_int_equal(check_variants(sequence, &values), 0);
    }
    for (int weights = 0; weights < 256; weights += 17) {
        for (int pair = 0; pair < 16; pair++) {
            set_operands(&values, (uint8_t)weights, ends[pair & 3], ends[pair >> 2]);
            assert_int_equal(check_variants(sequence, &values), 0);
        }
    }
}

/** n iterations make n times the sums of one: the loop counts right and nothing is carried over but sums. */
static void iterations_add_up(void **state)
{
    const struct sequence *sequence = *state;
    require_isa(sequence->name, sequence->isa);
    struct operands values;
    struct sequence_operands operands = operands_of(&values);
    uint64_t random = 22;
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        size_t lanes = variant->accumulators * sequence->lanes;
        int32_t once[SCRATCH_LANES];
        draw_operands(&values, &random);
        variant->run_u(&operands, 1);
        memcpy(once, values.accumulators, sizeof once);
        variant->run_u(&operands, 7);
        for (size_t lane = 0; lane < lanes; lane++)
            assert_int_equal((uint32_t)values.accumulators[lane], 7 * (uint32_t)once[lane]);
        variant->run_2u(&operands, 5);
        for (size_t lane = 0; lane < lanes; lane++)
            assert_int_equal((uint32_t)values.accumulators[lane], 10 * (uint32_t)once[lane]);
    }
}

static void call_guarded(const struct sequence *sequence, const struct sequence_variant *variant, sequence_run *run,
                         int guard_at_end)
{
    struct memory_guarded weights, activations, accumulators;
    size_t out = variant->accumulators * sequence->lanes * sizeof(int32_t);
    assert_int_equal(memory_guarded_reserve(REGISTER_BYTES, guard_at_end, &weights), 0);
    assert_int_equal(memory_guarded_reserve(REGISTER_BYTES, guard_at_end, &activations), 0);
    assert_int_equal(memory_guarded_reserve((out + 63) / 64 * 64, guard_at_end, &accumulators), 0);
    struct sequence_operands operands = {weights.bytes, activations.bytes, accumulators.bytes};
    struct junk_call call = {(const void *)(uintptr_t)run, {(uintptr_t)&operands, 2, 0, 0}};
    assert_int_equal(junk_call(&call), CALL_CLEAN);
    memory_guarded_release(&weights);
    memory_guarded_release(&activations);
    memory_guarded_release(&accumulators);
}

static void keeps_to_its_operands_and_registers(void **state)
{
    const struct sequence *sequence = *state;
    require_isa(sequence->name, sequence->isa);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
            call_guarded(sequence, &sequence->variant[i], sequence->variant[i].run_u, guard_at_end);
            call_guarded(sequence, &sequence->variant[i], sequence->variant[i].run_2u, guard_at_end);
        }
    }
}

/** The check with one fact of one dot product changed. */
static size_t check_with(const struct sequence *sequence, uint32_t which, struct sequence_dot dot)
{
    struct sequence_dot dots[SEQUENCE_DOTS];
    struct sequence copy = *sequence;
    struct operands values;
    uint64_t random = 23;
    memcpy(dots, sequence->dots, sequence->group_dots * sizeof *dots);
    dots[which] = dot;
    copy.dots = dots;
    draw_operands(&values, &random);
    return check_variants(&copy, &values);
}

static void must_be_found(const struct sequence *sequence, uint32_t which, struct sequence_dot wrong, const char *what)
{
    if (check_with(sequence, which, wrong) == 0)
        fail_msg("a wrong %s of dot product %u passes", what, which);
}

static void wrong_facts_are_found(void **state)
{
    const struct sequence *sequence = *state;
    require_isa(sequence->name, sequence->isa);
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
    require_isa(sequence->name, sequence->isa);
    struct operands values;
    struct sequence_operands operands = operands_of(&values);
    uint64_t random = 24;
    draw_operands(&values, &random);
    memset(values.accumulators, 0, sizeof values.accumulators);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        struct sequence_variant variant = sequence->variant[i];
        variant.accumulators *= 2;
        assert_true(sequence_check(sequence, &variant, &operands) > 0);
    }
}

/* ---------------------------------------------------------------- facts */

static void dots_are_plausible(const struct sequence *sequence)
{
    uint32_t read_bits = 0, read_bytes = sequence->lanes * 4;
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
    uint64_t before = 0;
    assert_true(sequence->variants > 0);
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        assert_true(variant->accumulators > before);
        assert_int_equal(SEQUENCE_DOTS % variant->accumulators, 0);
        assert_true(variant->run_u && variant->run_2u && variant->run_u != variant->run_2u);
        before = variant->accumulators;
    }
    assert_true(sequence->least_accumulators >= 1 && sequence->least_accumulators <= before);
}

static void facts_are_plausible(void **state)
{
    const struct sequence *sequence = *state;
    char name[128];
    snprintf(name, sizeof name, "%s.%s.%s", sequence->format, sequence->sequence, sequence->isa);
    assert_string_equal(sequence->name, name); /* the name is the file's, the parts are declared inside */
    assert_ptr_equal(sequence_find(sequence->name), sequence);
    assert_non_null(isa_find(sequence->isa));
    assert_true(sequence->origin[0] && sequence->claimed_gamma >= 0 && sequence->claimed_gamma < 10);
    assert_true(sequence->lanes == 8 || sequence->lanes == 16);
    assert_true(sequence->group_dots >= 1 && SEQUENCE_DOTS % sequence->group_dots == 0);
    assert_true(sequence->group_uops >= sequence->group_dots);
    assert_true(sequence_vectors_per_dot(sequence) * sequence->group_dots == sequence->group_vectors);

    const struct format *format = format_find(sequence->format);
    assert_non_null(format);
    double bytes = 32.0 * format->step_bytes / (format->rows_per_panel * format->k_per_step);
    assert_true(sequence->bytes_per_vector == bytes);
    dots_are_plausible(sequence);
    variants_are_plausible(sequence);
}

static void names_are_found_and_sorted(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct sequence *const *each = sequence_all(); *each; each++, count++)
        assert_true(count == 0 || strcmp(each[-1]->name, (*each)->name) < 0);
    assert_true(count > 0);
    assert_null(sequence_find("int2_vnni4.paper"));
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
        item_tests_add(&suite, name, "iterations add up", iterations_add_up, *each);
        item_tests_add(&suite, name, "keeps to its operands and registers", keeps_to_its_operands_and_registers, *each);
        item_tests_add(&suite, name, "wrong facts are found", wrong_facts_are_found, *each);
        item_tests_add(&suite, name, "a wrong count of accumulators is found", a_wrong_count_of_accumulators_is_found,
                       *each);
    }
    return item_tests_run("sequences", &suite);
}
