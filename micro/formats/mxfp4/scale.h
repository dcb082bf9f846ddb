/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales of MXFP4, bytes e of 2^(e - 127), halved: kernels multiply twice the value of a code, which is whole. Binary32 has all
 * of them, the two smallest without a leading one. e = 255, not a number to the standard, is 2^128 to llama.cpp and here.
 */
#ifndef MICRO_FORMATS_MXFP4_SCALE_H
#define MICRO_FORMATS_MXFP4_SCALE_H

#include <stdint.h>

/** The bits of 2^(e - 128) in binary32. */
#define MXFP4_HALF_SCALE(e) ((e) < 2 ? UINT32_C(0x200000) << (e) : UINT32_C(0x800000) * (uint32_t)((e)-1))

#define MXFP4_HALF_SCALES_4(e)                                                                                         \
    MXFP4_HALF_SCALE(e), MXFP4_HALF_SCALE((e) + 1), MXFP4_HALF_SCALE((e) + 2), MXFP4_HALF_SCALE((e) + 3)
#define MXFP4_HALF_SCALES_16(e)                                                                                        \
    MXFP4_HALF_SCALES_4(e), MXFP4_HALF_SCALES_4((e) + 4), MXFP4_HALF_SCALES_4((e) + 8), MXFP4_HALF_SCALES_4((e) + 12)
#define MXFP4_HALF_SCALES_64(e)                                                                                        \
    MXFP4_HALF_SCALES_16(e), MXFP4_HALF_SCALES_16((e) + 16), MXFP4_HALF_SCALES_16((e) + 32),                           \
        MXFP4_HALF_SCALES_16((e) + 48)

/** Of every byte e, one load away. */
#define MXFP4_HALF_SCALES                                                                                              \
    {                                                                                                                  \
        MXFP4_HALF_SCALES_64(0), MXFP4_HALF_SCALES_64(64), MXFP4_HALF_SCALES_64(128), MXFP4_HALF_SCALES_64(192)        \
    }

/** Twice the value of each code. */
#define MXFP4_TWICE 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12

/** And 12 more, unsigned. */
#define MXFP4_TWICE_OFFSET 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

#endif
