/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_SOFTMAX_H
#define MICRO_LAYERS_SOFTMAX_H

#include <math.h>

#include "micro/layers/layer.h"

/**
 * e^x of the vectors of vector_<isa>.h, which comes before this: e^x = 2^n e^r with n = round(x log2 e) and r at most half a
 * ln 2 away from 0, where the first eight terms of the series leave 4e-9. Within 2 units in the last place for x in
 * [-87, 87]; beyond, e^-87 and e^87: what softmax and a gate add to nothing.
 */
static inline vec vec_exponential(vec x)
{
    x = vec_min(vec_max(x, vec_set(-87)), vec_set(87));
    vec n = vec_round(vec_mul(x, vec_set(0x1.715476p+0f)));
    vec r = vec_fma(n, vec_set(-0x1.62e4p-1f), x); /* ln 2 in two parts: n times the first is exact */
    r = vec_fma(n, vec_set(-0x1.7f7d1cp-20f), r);
    vec sum = vec_set(1.0f / 5040);
    sum = vec_fma(sum, r, vec_set(1.0f / 720));
    sum = vec_fma(sum, r, vec_set(1.0f / 120));
    sum = vec_fma(sum, r, vec_set(1.0f / 24));
    sum = vec_fma(sum, r, vec_set(1.0f / 6));
    sum = vec_fma(sum, r, vec_set(0.5f));
    sum = vec_fma(sum, r, vec_set(1));
    sum = vec_fma(sum, r, vec_set(1));
    return vec_mul(sum, vec_power_of_two(n));
}

/** The largest of `most` and of count scores; behind these is room to a multiple of LAYER_PAD, which becomes -infinity. */
static inline float softmax_most(float *score, size_t count, float most)
{
    const size_t padded = (count + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
    for (size_t i = count; i < padded; i++)
        score[i] = -INFINITY;
    vec largest = vec_set(most);
    for (size_t i = 0; i < padded; i += LANES)
        largest = vec_max(largest, vec_load(score + i));
    return vec_most(largest);
}

/** Scores and what is behind them become exp(score - most). @return their sum; what is past count is e^-87 each, beside the 1 of the largest nothing */
static inline float softmax_weights(float *score, size_t count, float most)
{
    vec total = vec_set(0);
    for (size_t i = 0; i < count; i += LANES) {
        vec e = vec_exponential(vec_sub(vec_load(score + i), vec_set(most)));
        vec_store(score + i, e);
        total = vec_add(total, e);
    }
    for (size_t i = (count + LANES - 1) / LANES * LANES; i % LAYER_PAD; i += LANES)
        vec_store(score + i, vec_set(0));
    return vec_sum(total);
}

/** layer_kernel.attention.merge */
static inline void softmax_merge(const struct layer_attention_part *parts, size_t count, size_t size, float *y)
{
    float most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        most = parts[i].most > most ? parts[i].most : most;
    for (size_t i = 0; i < count; i++)
        sum += expf(parts[i].most - most) * parts[i].sum;
    for (size_t i = 0; i < count; i++) {
        vec share = vec_set(expf(parts[i].most - most) / sum);
        for (size_t at = 0; at < size; at += LANES) {
            vec part = vec_mul(share, vec_load(parts[i].out + at));
            vec_store(y + at, i ? vec_add(vec_load(y + at), part) : part);
        }
    }
}

#endif
