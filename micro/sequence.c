/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/sequence.h"

double sequence_vectors_per_dot(const struct sequence *sequence)
{
    return (double)sequence->group_vectors / sequence->group_dots;
}

/** What lane element i of a dot product adds: multiplicand times activation, or a table's entry. */
static int32_t product(const struct sequence_dot *dot, const struct sequence_operands *operands, uint32_t i)
{
    uint8_t byte = operands->weights[i];
    int32_t activation = operands->activations[i];
    switch (dot->kind) {
    case SEQUENCE_BITS: return (operands->weights[i / 8] >> i % 8 & 1 ? dot->set : dot->bias) * activation;
    case SEQUENCE_LOOKUP: {
        int8_t entry = operands->activations[i % 4 * 16 + ((byte & dot->mask) >> dot->shift)];
        return dot->set ? entry : (uint8_t)entry;
    }
    default: break;
    }
    int32_t field = dot->mask == SEQUENCE_SIGNED_BYTE ? (int8_t)byte : (int32_t)((byte & dot->mask) >> dot->shift);
    return (field + dot->bias) * activation;
}

static int32_t lane_of(const struct sequence *sequence, const struct sequence_operands *operands, uint64_t accumulators,
                       uint64_t accumulator, uint32_t lane, uint64_t dots)
{
    uint32_t sum = 0;
    for (uint64_t d = accumulator; d < dots; d += accumulators) {
        const struct sequence_dot *dot = &sequence->dots[d % sequence->group_dots];
        for (uint32_t j = 0; j < 4; j++)
            sum += (uint32_t)product(dot, operands, lane * 4 + j);
    }
    return (int32_t)sum;
}

size_t sequence_check(const struct sequence *sequence, const struct sequence_variant *variant,
                      const struct sequence_operands *operands)
{
    size_t wrong = 0;
    for (int twice = 0; twice < 2; twice++) {
        (twice ? variant->run_2u : variant->run_u)(operands, 1);
        for (uint64_t a = 0; a < variant->accumulators; a++) {
            for (uint32_t lane = 0; lane < sequence->lanes; lane++) {
                int32_t expected = lane_of(sequence, operands, variant->accumulators, a, lane,
                                           twice ? 2 * SEQUENCE_DOTS : SEQUENCE_DOTS);
                wrong += operands->accumulators[a * sequence->lanes + lane] != expected;
            }
        }
    }
    return wrong;
}
