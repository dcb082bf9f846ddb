/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: a reference of a sequence that is computed once. Include cmocka's headers first. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "micro/sequence.h"
#include "unit_test.h"

/**
 * What each dot product adds, of the operands of the moment: as many variants and numbers of groups as there are add the same, and the
 * reference takes nearly all of the time. Of lanes that wrap or round: lanes of 16 bits may saturate, which is no sum of what each adds.
 */
static struct {
    const struct sequence *sequence;
    const uint8_t *weights; /* of the first group */
    size_t dots;
    bool *is_known;     /* [groups][group_dots], and lanes of each: */
    uint32_t *sums;     /* or floats */
    double *magnitudes; /* of floats */
} remembered;

/** Of operands that are others than before. */
static inline void forget(void)
{
    if (!remembered.sequence)
        return;
    const size_t lanes = remembered.dots * sequence_lanes(remembered.sequence);
    memset(remembered.is_known, 0, remembered.dots * sizeof *remembered.is_known);
    memset(remembered.sums, 0, lanes * sizeof *remembered.sums);
    memset(remembered.magnitudes, 0, lanes * sizeof *remembered.magnitudes);
}

static inline void refer_once(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    const struct sequence *sequence = remembered.sequence;
    const size_t lanes = sequence_lanes(sequence);
    const size_t at =
        (size_t)(data->weights - remembered.weights) / sequence->weight_bytes * sequence->group_dots + dot;
    uint32_t *sums = remembered.sums + at * lanes;
    double *magnitudes = remembered.magnitudes + at * lanes;
    if (!remembered.is_known[at])
        sequence->reference(data, dot, sums, magnitude ? magnitudes : NULL);
    remembered.is_known[at] = true;
    for (size_t lane = 0; lane < lanes; lane++) {
        if (!magnitude) {
            ((uint32_t *)sum)[lane] += sums[lane];
            continue;
        }
        ((float *)sum)[lane] += ((const float *)(const void *)sums)[lane];
        magnitude[lane] += magnitudes[lane];
    }
}

static inline bool is_a_sum(const struct sequence *sequence)
{
    return sequence->lane == SEQUENCE_INT32 || (sequence->lane == SEQUENCE_FLOAT32 && sequence->tolerance > 0);
}

/** The sequence with such a reference of these operands; as it is where that cannot be. remembering_ends() after it. */
static inline struct sequence remembering(const struct sequence *sequence, const uint8_t *weights, uint64_t groups)
{
    struct sequence copy = *sequence;
    if (!copy.reference || !is_a_sum(&copy))
        return copy;
    remembered.sequence = sequence;
    remembered.weights = weights;
    remembered.dots = groups * copy.group_dots;
    const size_t lanes = remembered.dots * sequence_lanes(&copy);
    remembered.is_known = malloc(remembered.dots * sizeof *remembered.is_known);
    remembered.sums = malloc(lanes * sizeof *remembered.sums);
    remembered.magnitudes = malloc(lanes * sizeof *remembered.magnitudes);
    assert_true(remembered.is_known && remembered.sums && remembered.magnitudes);
    copy.reference = refer_once;
    return copy;
}

static inline void remembering_ends(void)
{
    free(remembered.is_known);
    free(remembered.sums);
    free(remembered.magnitudes);
    memset(&remembered, 0, sizeof remembered);
}
