/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "harness/measure/moved_code.h"
#include "micro/sequence.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

static const int32_t table[4] = {3, 5, 7, 11};
static int counted;

/** Needs a constant, a library, and data that the copy has of its own. */
__attribute__((noinline)) static int looked_up(int i)
{
    counted++;
    char text[8] = "abc";
    return table[i & 3] + (int)strnlen(text, (size_t)(4 + i)) + counted;
}

typedef int of_int(int);

TEST(a_moved_function_computes_the_same)
{
    for (size_t shift = 0; shift < 4096; shift += 1024) {
        struct moved_code moved;
        counted = 10;
        assert_int_equal(moved_code_make((const void *)(uintptr_t)looked_up, shift, &moved), 0);
        of_int *there = (of_int *)moved_code_at(&moved, (uintptr_t)looked_up);
        assert_ptr_not_equal(there, looked_up);
        assert_int_equal((uintptr_t)there % 4096, ((uintptr_t)looked_up + shift) % 4096);
        assert_int_equal(looked_up(1), 5 + 3 + 11);
        moved_code_release(&moved);
        assert_null(moved.mapping);
    }
}

TEST(what_lies_in_no_image_is_refused)
{
    struct moved_code moved;
    int here = 0;
    assert_int_equal(moved_code_make(&here, 0, &moved), -ENOENT);
    assert_int_equal(moved_code_make((const void *)(uintptr_t)looked_up, MOVED_CODE_SHIFT_MOST + 64, &moved), -EINVAL);
    assert_int_equal(moved_code_make((const void *)(uintptr_t)looked_up, 4, &moved), -EINVAL);
}

/** Wherever the loop lies, it computes what it did. */
TEST(moved_sequences_are_right)
{
    struct cpuid_dump dump;
    size_t moved_any = 0;
    skip_if(cpuid_dump_host(&dump), "not on this machine: no CPUID");
    isa_features features = isa_features_of(&dump);
    for (const struct sequence *const *at = sequence_all(); *at; at++) {
        const struct sequence *sequence = *at;
        if (strcmp(sequence->sequence, "envelope") != 0 || !isa_runs(isa_find(sequence->isa), features))
            continue;
        for (size_t shift = 0; shift < 4096; shift += 1024) {
            _Alignas(64) uint8_t weights[SEQUENCE_WEIGHT_BYTES_MAX], activations[SEQUENCE_ACTIVATION_BYTES_MAX];
            _Alignas(64) uint8_t accumulators[SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX];
            struct sequence_variant variant = sequence->variant[sequence->variants - 1];
            struct moved_code moved;
            assert_int_equal(moved_code_make((const void *)(uintptr_t)variant.run_u, shift, &moved), 0);
            variant.run_u = (__typeof__(variant.run_u))moved_code_at(&moved, (uintptr_t)variant.run_u);
            variant.run_2u = (__typeof__(variant.run_2u))moved_code_at(&moved, (uintptr_t)variant.run_2u);
            sequence_draw(sequence, 1, 1, weights, activations);
            const struct sequence_operands operands = {weights, activations, accumulators};
            assert_int_equal(sequence_check(sequence, &variant, &operands), 0);
            moved_code_release(&moved);
            moved_any++;
        }
    }
    skip_if(!moved_any, "not on this machine: no sequence of the paper runs here");
}

RUN_TESTS(NULL, NULL)
