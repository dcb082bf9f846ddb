/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_EXPONENTIAL_H
#define MICRO_LAYERS_EXPONENTIAL_H

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

#endif
