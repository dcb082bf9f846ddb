/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random operands of a sequence.
 */
#include "micro/sequence.h"

#include <string.h>

/** Either sign, 2^-4 … 2^4, of a binary format with this many bits of fraction. */
static uint32_t draw_float(uint64_t random, unsigned bits, unsigned fraction_bits, uint32_t exponent_of_one)
{
    uint32_t sign = (uint32_t)(random >> 63), exponent = exponent_of_one - 4 + (uint32_t)(random >> 60 & 7);
    uint32_t fraction = (uint32_t)random & ((1u << fraction_bits) - 1);
    return sign << (bits - 1) | exponent << fraction_bits | fraction;
}

static void fill(uint8_t *bytes, size_t length, uint32_t values, uint64_t *state)
{
    size_t size = values == SEQUENCE_F32 ? 4 : values == SEQUENCE_F16 || values == SEQUENCE_BF16 ? 2 : 1;
    for (size_t i = 0; i + size <= length; i += size) {
        uint64_t random = sequence_random(state);
        uint32_t value;
        switch (values) {
        case SEQUENCE_F32: value = draw_float(random, 32, 23, 127); break;
        case SEQUENCE_F16: value = draw_float(random, 16, 10, 15); break;
        case SEQUENCE_BF16: value = draw_float(random, 16, 7, 127); break;
        case SEQUENCE_INT8: value = (uint32_t)((int32_t)((random >> 32) % 255) - 127); break;
        default: value = (uint32_t)(random >> 56);
        }
        memcpy(bytes + i, &value, size); /* little-endian, as all that Kneepoint runs on */
    }
}

void sequence_draw(const struct sequence *sequence, uint64_t seed, uint64_t groups, uint8_t *weights,
                   uint8_t *activations)
{
    _Alignas(64) uint8_t drawn[SEQUENCE_ACTIVATION_BYTES_MAX]; /* a kernel's prepare() may store whole vectors */
    uint64_t state = seed;
    for (uint64_t group = 0; sequence->fill && group < groups; group++) {
        sequence->fill(weights + group * sequence->weight_bytes, drawn, sequence_random(&state));
        if (!group)
            memcpy(activations, drawn, sequence->activation_bytes);
    }
    if (sequence->activation_values != SEQUENCE_OWN)
        fill(activations, sequence->activation_bytes, sequence->activation_values, &state);
    for (uint64_t group = 0; sequence->weight_values != SEQUENCE_OWN && group < groups; group++)
        fill(weights + group * sequence->weight_bytes, sequence->weight_bytes, sequence->weight_values, &state);
}
