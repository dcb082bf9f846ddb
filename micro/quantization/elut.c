/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/elut.h"

void elut_coefficients(const struct elut *elut, uint32_t position, int16_t coefficients[ELUT_TABLE])
{
    for (uint32_t i = 0; i < ELUT_TABLE; i++)
        coefficients[i] = (int16_t)(i < elut->entries ? elut_decode(elut, i, position) : 0);
}
