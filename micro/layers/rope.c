/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/layer.h"

/** Halves against each other, as in the files that models are published in: no value changes its lane. */
static void rope(const float *x, const float *cosine, const float *sine, size_t half, float *y)
{
    size_t i = 0;
    for (; i + LANES <= half; i += LANES) {
        vec a = vec_load(x + i), b = vec_load(x + half + i), c = vec_load(cosine + i), s = vec_load(sine + i);
        vec_store(y + i, vec_sub(vec_mul(a, c), vec_mul(b, s)));
        vec_store(y + half + i, vec_fma(b, c, vec_mul(a, s)));
    }
    for (; i < half; i++) {
        float a = x[i], b = x[half + i];
        y[i] = a * cosine[i] - b * sine[i];
        y[half + i] = b * cosine[i] + a * sine[i];
    }
}

const struct layer_kernel SELF = {.name = SELF_NAME, .isa = SELF_ISA, .part = LAYER_ROPE, .rope = rope};
