/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the float sums of one row to its result: pairs, so that rounding stays that of the partial sums.
 */
#ifndef MICRO_KERNELS_ROW_SUM_H
#define MICRO_KERNELS_ROW_SUM_H

/** raw[lanes], lanes a power of two, at most 32. */
static inline __attribute__((always_inline)) float row_sum(const float *raw, int lanes)
{
    float sum[32];
    for (int i = 0; i < lanes; i++)
        sum[i] = raw[i];
    for (int half = lanes / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++)
            sum[i] += sum[half + i];
    }
    return sum[0];
}

#endif
