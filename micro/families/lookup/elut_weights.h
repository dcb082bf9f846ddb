/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What formats of element-wise look-ups of pairs share: ELUT(C, 2) of a float's nearest weights, and pairs drawn.
 */
#ifndef MICRO_FAMILIES_LOOKUP_ELUT_WEIGHTS_H
#define MICRO_FAMILIES_LOOKUP_ELUT_WEIGHTS_H

#include "micro/isa/random.h"
#include "micro/quantization/elut.h"

enum { ELUT_PAIR = 2 };

static inline struct elut elut_pairs(uint32_t cardinality)
{
    struct elut elut = {0};
    elut_make(cardinality, ELUT_PAIR, &elut);
    return elut;
}

/** The nearest of -floor(C/2) … ceil(C/2) - 1, halves away from zero. */
static inline int32_t elut_nearest(const struct elut *elut, float w)
{
    int32_t half = (int32_t)elut->cardinality / 2, most = (int32_t)elut->cardinality - 1 - half, nearest = 0;
    for (int32_t i = 1; i <= half; i++)
        nearest += (i <= most && w >= (float)i - 0.5f) - (w <= 0.5f - (float)i);
    return nearest;
}

/** Code of two neighbouring columns. */
static inline uint32_t elut_pair_of(const struct elut *elut, const float *w)
{
    return elut_encode(elut, (const int32_t[ELUT_PAIR]){elut_nearest(elut, w[0]), elut_nearest(elut, w[1])});
}

/** Code of a pair, all equally often. */
static inline uint32_t elut_random_pair(const struct elut *elut, uint64_t *random)
{
    uint32_t cardinality = elut->cardinality;
    uint32_t number = (uint32_t)((random_bits(random) >> 32) * cardinality * cardinality >> 32);
    int32_t half = (int32_t)cardinality / 2;
    return elut_encode(elut, (const int32_t[ELUT_PAIR]){(int32_t)(number / cardinality) - half,
                                                        (int32_t)(number % cardinality) - half});
}

#endif
