/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/layer.h"

/** RMS norm: the squares in four sums, so that their additions do not wait for each other, then one pass of products. */
static void norm(const float *x, const float *gain, size_t n, float epsilon, float *y)
{
    enum { SUMS = 4, TURN = SUMS * LANES };
    size_t padded = (n + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD, i = 0;
    vec sums[SUMS];
    for (int s = 0; s < SUMS; s++)
        sums[s] = vec_set(0);
    for (; i + TURN <= padded; i += TURN) {
#pragma GCC unroll 4
        for (int s = 0; s < SUMS; s++) {
            vec a = vec_load(x + i + (size_t)s * LANES);
            sums[s] = vec_fma(a, a, sums[s]);
        }
    }
    for (; i < padded; i += LANES) {
        vec a = vec_load(x + i);
        sums[0] = vec_fma(a, a, sums[0]);
    }
    float total = vec_sum(vec_add(vec_add(sums[0], sums[1]), vec_add(sums[2], sums[3])));
    vec factor = vec_set(1 / sqrtf(total / (float)n + epsilon));
    for (i = 0; i < padded; i += LANES)
        vec_store(y + i, vec_mul(vec_mul(vec_load(x + i), factor), vec_load(gain + i)));
}

const struct layer_kernel SELF = {.name = SELF_NAME, .isa = SELF_ISA, .part = LAYER_NORM, .norm = norm};
