/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The code of e2m1 whose value is nearest to a number: what quantizes to MXFP4 and NVFP4.
 */
#ifndef MICRO_FORMATS_MXFP4_NEAREST_H
#define MICRO_FORMATS_MXFP4_NEAREST_H

#include <math.h>
#include <stdint.h>

#include "micro/formats/mxfp4/scale.h"

enum { MXFP4_VALUES = 16 };

static const int8_t mxfp4_doubled[MXFP4_VALUES] = {MXFP4_TWICE};

/** doubled: twice the number. */
static inline uint32_t mxfp4_nearest(double doubled)
{
    uint32_t best = 0;
    for (uint32_t code = 1; code < MXFP4_VALUES; code++) {
        if (fabs(doubled - mxfp4_doubled[code]) < fabs(doubled - mxfp4_doubled[best]))
            best = code;
    }
    return best;
}

#endif
