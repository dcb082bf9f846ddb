/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_choice.h.
 */
#include "micro/mixed_choice.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

/* Kinds of a step's places. */
static const enum mixed_kind place_kind[MIXED_STEP_GROUPS] = {MIXED_BITS2_SCALE4, MIXED_BITS2_SCALE3,
                                                              MIXED_BITS2_SCALE3, MIXED_BITS4};

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

/** Put the groups of a kind to its places. @return whether there were enough */
static bool place(const uint8_t *kind, size_t groups, enum mixed_kind which, uint16_t *order, size_t *padding)
{
    const size_t places = (groups + MIXED_STEP_GROUPS - 1) / MIXED_STEP_GROUPS * MIXED_STEP_GROUPS;
    size_t g = 0;
    for (size_t p = 0; p < places; p++) {
        if (place_kind[p % MIXED_STEP_GROUPS] != which)
            continue;
        while (g < groups && kind[g] != which)
            g++;
        order[p] = (uint16_t)(g < groups ? g++ : (*padding)++);
    }
    while (g < groups && kind[g] != which)
        g++;
    return g == groups;
}

int mixed_order(const uint8_t *kind, size_t groups, uint16_t *order)
{
    size_t padding = groups;
    for (enum mixed_kind which = 0; which < MIXED_KINDS; which++) {
        if (!place(kind, groups, which, order, &padding))
            return -EINVAL;
    }
    return 0;
}
