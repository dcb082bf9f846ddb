/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_VECTOR_REFERENCE_H
#define MICRO_LAYERS_VECTOR_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/** Vectors of the parts beside this file, of one float: for any CPU. */
typedef float vec;
enum { LANES = 1, BLOCK_CHUNKS = 2, ROW_VECTORS = 2, SUMS_AT_ONCE = 4 };

static inline vec vec_set(float x)
{
    return x;
}

static inline vec vec_load(const float *x)
{
    return *x;
}

static inline void vec_store(float *x, vec a)
{
    *x = a;
}

static inline vec vec_from_i32(const int32_t *x)
{
    return (float)*x;
}

static inline vec vec_load_bf16(const uint16_t *x)
{
    uint32_t bits = (uint32_t)*x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** Of twice as many values those at even places and those at odd ones. */
static inline void vec_load_bf16_apart(const uint16_t *x, vec *even, vec *odd)
{
    *even = vec_load_bf16(x);
    *odd = vec_load_bf16(x + 1);
}

/** To nearest even; no NaN. */
static inline void vec_store_bf16(uint16_t *x, vec a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    *x = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline vec vec_add(vec a, vec b)
{
    return a + b;
}

static inline vec vec_sub(vec a, vec b)
{
    return a - b;
}

static inline vec vec_mul(vec a, vec b)
{
    return a * b;
}

static inline vec vec_div(vec a, vec b)
{
    return a / b;
}

static inline vec vec_max(vec a, vec b)
{
    return a > b ? a : b;
}

static inline vec vec_min(vec a, vec b)
{
    return a < b ? a : b;
}

/** a b + c */
static inline vec vec_fma(vec a, vec b, vec c)
{
    return fmaf(a, b, c);
}

static inline float vec_sum(vec a)
{
    return a;
}

/** The sum of each of SUMS_AT_ONCE registers, side by side. */
static inline void vec_store_sums(const vec a[SUMS_AT_ONCE], float *sums)
{
    for (int i = 0; i < SUMS_AT_ONCE; i++)
        sums[i] = a[i];
}

static inline float vec_most(vec a)
{
    return a;
}

/** The nearest integer, -126 … 127, and 2 to it. */
static inline vec vec_round(vec a)
{
    return rintf(a);
}

static inline vec vec_power_of_two(vec n)
{
    uint32_t bits = (uint32_t)((int)n + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/** Lane j of register i and lane i of register j change places: of one, nothing. */
static inline void vec_transpose(vec rows[LANES])
{
    (void)rows;
}

#endif
