/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "micro/code_offsets.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

TEST(each_place_computes_what_the_sequence_does)
{
    struct cpuid_dump dump;
    size_t checked = 0;
    isa_features features = cpuid_dump_host(&dump) ? 0 : isa_features_of(&dump);
    for (const struct code_offsets *const *at = code_offsets_all(); *at; at++) {
        const struct sequence *sequence = sequence_find((*at)->sequence);
        assert_non_null(sequence);
        if (!isa_runs(isa_find(sequence->isa), features))
            continue;
        for (size_t i = 0; i < CODE_OFFSETS; i++) {
            _Alignas(64) uint8_t weights[SEQUENCE_WEIGHT_BYTES_MAX], activations[SEQUENCE_ACTIVATION_BYTES_MAX];
            _Alignas(64) uint8_t accumulators[SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX];
            const struct sequence_operands operands = {weights, activations, accumulators};
            const struct sequence_variant *variant = &sequence->variant[sequence->variants - 1];
            sequence_draw(sequence, i + 1, 1, weights, activations);
            memset(accumulators, 0x55, sizeof accumulators);
            (*at)->run[i](&operands, 1);
            assert_int_equal(sequence_compare(sequence, variant, 0, 1, &operands, NULL), 0);
            checked++;
        }
    }
    skip_if(!checked, "not on this machine: no sequence with CODE_OFFSETS runs here");
}

/** The loop begins after a constant prologue, so its distance from the entry grows by 4 bytes. */
TEST(each_place_is_another)
{
    for (const struct code_offsets *const *at = code_offsets_all(); *at; at++) {
        for (size_t i = 0; i < CODE_OFFSETS; i++) {
            assert_int_equal((uintptr_t)(*at)->run[i] % 64, 0);
            for (size_t j = 0; j < i; j++)
                assert_true((*at)->run[i] != (*at)->run[j]);
        }
    }
}

RUN_TESTS(NULL, NULL)
