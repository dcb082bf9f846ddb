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

/**
 * count scores of each of `heads` heads, a constant up to 4, [heads][stride], become exp(score - highest), heads in turns, since one alone waits
 * for its own results. Behind them is room to a multiple of LAYER_PAD, which becomes e^-87 each: nothing beside the 1 of the largest.
 * @param highest  of each head what it is at least, and receives the largest of that and its scores
 * @param total    receives the sum of each
 */
static inline __attribute__((always_inline)) void softmax_heads(float *score, size_t stride, size_t count, int heads,
                                                                float *highest, float *total)
{
    const size_t padded = (count + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
    vec largest[4], sum[4];
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
        for (size_t i = count; i < padded; i++)
            score[(size_t)h * stride + i] = -INFINITY;
        largest[h] = vec_set(highest[h]);
        sum[h] = vec_set(0);
    }
    for (size_t i = 0; i < padded; i += LANES) {
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++)
            largest[h] = vec_max(largest[h], vec_load(score + (size_t)h * stride + i));
    }
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++) {
        highest[h] = vec_most(largest[h]);
        largest[h] = vec_set(highest[h]);
    }
    for (size_t i = 0; i < padded; i += LANES) {
#pragma GCC unroll 4
        for (int h = 0; h < heads; h++) {
            float *at = score + (size_t)h * stride + i;
            const vec weight = vec_exponential(vec_sub(vec_load(at), largest[h]));
            vec_store(at, weight);
            sum[h] = vec_add(sum[h], weight);
        }
    }
#pragma GCC unroll 4
    for (int h = 0; h < heads; h++)
        total[h] = vec_sum(sum[h]);
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
