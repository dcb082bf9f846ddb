/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/layer.h"
#include "micro/layers/softmax.h"

static void gate(enum layer_activation activation, const float *g, const float *up, size_t n, float *y)
{
    const vec one = vec_set(1), zero = vec_set(0);
    for (size_t i = 0; i < n; i += LANES) {
        vec a = vec_load(g + i), b = vec_load(up + i);
        if (activation == LAYER_SILU) {
            vec_store(y + i, vec_div(vec_mul(a, b), vec_add(one, vec_exponential(vec_sub(zero, a)))));
        } else {
            vec positive = vec_max(a, zero);
            vec_store(y + i, vec_mul(vec_mul(positive, positive), b));
        }
    }
}

const struct layer_kernel SELF = {.name = SELF_NAME, .isa = SELF_ISA, .part = LAYER_GATE, .gate = gate};
