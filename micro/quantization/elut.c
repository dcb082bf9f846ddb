/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/elut.h"

#include <stdlib.h>

uint32_t elut_encode(const struct elut *elut, const int32_t *weights)
{
    int32_t number = 0;
    for (uint32_t i = 0; i < elut->group; i++)
        number =
            number * (int32_t)elut->cardinality + weights[i] + (elut->mirrored ? 0 : (int32_t)elut->cardinality / 2);
    return (uint32_t)abs(number) | (uint32_t)(number < 0) << elut->index_bits;
}

void elut_coefficients(const struct elut *elut, uint32_t position, int16_t coefficients[ELUT_TABLE])
{
    for (uint32_t i = 0; i < ELUT_TABLE; i++)
        coefficients[i] = (int16_t)(i < elut->entries ? elut_decode(elut, i, position) : 0);
}
