/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_choice.h.
 */
#include "micro/quantization/mixed_choice.h"

#include <math.h>

void mixed_sensitivity(const float *w, size_t m, size_t k, const double *inverse_diagonal, double *sensitivity)
{
    for (size_t g = 0; g < k / MIXED_GROUP; g++)
        sensitivity[g] = 0;
    for (size_t r = 0; r < m; r++) {
        for (size_t c = 0; c < k; c++) {
            const double ratio = (double)w[r * k + c] / inverse_diagonal[c];
            sensitivity[c / MIXED_GROUP] += ratio * ratio;
        }
    }
}

size_t mixed_count(double share, size_t groups)
{
    const double count =
        ceil(share * (double)groups * (1 - 0x1p-40)); /* 0.1 of 10 is one, though 0.1 is more than a tenth */
    return count < (double)groups ? (size_t)count : groups;
}

void mixed_raise(const double *value, size_t groups, size_t count, enum mixed_kind from, enum mixed_kind to,
                 uint8_t *kind)
{
    for (size_t i = 0; i < count; i++) {
        size_t best = groups;
        for (size_t g = 0; g < groups; g++) {
            if (kind[g] == from && (best == groups || value[g] > value[best]))
                best = g;
        }
        if (best < groups)
            kind[best] = (uint8_t)to;
    }
}
