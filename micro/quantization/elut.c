/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/elut.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t bits_for(uint32_t values)
{
    uint32_t bits = 0;
    while (1u << bits < values)
        bits++;
    return bits;
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent--)
        result *= base;
    return result;
}

int elut_make(uint32_t cardinality, uint32_t group, struct elut *elut)
{
    if (cardinality < 2 || cardinality > ELUT_CARDINALITY_MOST || group < 1 || group > ELUT_GROUP_MOST)
        return -EINVAL;
    uint32_t sums = power(cardinality, group);
    bool mirrored = cardinality % 2 == 1 && sums > ELUT_TABLE;
    uint32_t entries = mirrored ? (sums + 1) / 2 : sums;
    *elut = (struct elut){cardinality, group, mirrored, entries, bits_for(entries)};
    return 0;
}

uint32_t elut_encode(const struct elut *elut, const int32_t *weights)
{
    int32_t number = 0;
    for (uint32_t i = 0; i < elut->group; i++)
        number =
            number * (int32_t)elut->cardinality + weights[i] + (elut->mirrored ? 0 : (int32_t)elut->cardinality / 2);
    return (uint32_t)abs(number) | (uint32_t)(number < 0) << elut->index_bits;
}

int32_t elut_decode(const struct elut *elut, uint32_t code, uint32_t position)
{
    uint32_t index = code & ((1u << elut->index_bits) - 1);
    if (index >= elut->entries)
        return 0;
    /* the number of a mirrored code, with all digits from 0: that of zero is in the middle */
    uint32_t digits = index + (elut->mirrored ? elut->entries - 1 : 0);
    uint32_t digit = digits / power(elut->cardinality, elut->group - 1 - position) % elut->cardinality;
    int32_t weight = (int32_t)digit - (int32_t)elut->cardinality / 2;
    return elut->mirrored && code >> elut->index_bits & 1 ? -weight : weight;
}

void elut_coefficients(const struct elut *elut, uint32_t position, int16_t coefficients[ELUT_TABLE])
{
    for (uint32_t i = 0; i < ELUT_TABLE; i++)
        coefficients[i] = (int16_t)(i < elut->entries ? elut_decode(elut, i, position) : 0);
}
