/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Quantizers of blocks of 256 whose 16 groups of 16 columns have signed scales and no minimum, for the block.h of such a format: the weight
 * of a group that is largest of magnitude becomes the lowest code, of which there is one more than of the highest, so that its step has
 * that weight's sign; the largest step of a block becomes the lowest scale likewise.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_GROUP_STEPS_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_GROUP_STEPS_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/isa/random.h"

enum { GROUP_STEPS = 16, GROUP_COLUMNS = 16 };

static float group_extreme(const float *values, size_t count)
{
    float extreme = 0;
    for (size_t i = 0; i < count; i++) {
        if (fabsf(values[i]) > fabsf(extreme))
            extreme = values[i];
    }
    return extreme;
}

/** The whole number of units next to a value; 0 of no unit. */
static int32_t group_nearest(float value, float unit, float least, float most)
{
    return unit != 0 ? (int32_t)fmaxf(least, fminf(most, roundf(value / unit))) : 0;
}

/**
 * What each group needs, and of what they are multiples.
 * @param w       [256]
 * @param lowest  minus the lowest weight in steps, and minus the lowest scale
 * @param steps   [16]
 * @return d of the block
 */
static float group_steps(const float *w, int lowest, int lowest_scale, float *steps)
{
    for (size_t group = 0; group < GROUP_STEPS; group++)
        steps[group] = 0 - group_extreme(w + group * GROUP_COLUMNS, GROUP_COLUMNS) / (float)lowest;
    return 0 - group_extreme(steps, GROUP_STEPS) / (float)lowest_scale;
}

#endif
