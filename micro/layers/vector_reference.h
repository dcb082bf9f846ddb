/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_VECTOR_REFERENCE_H
#define MICRO_LAYERS_VECTOR_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "micro/isa/half.h"

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

/** Sums of integers for caches of blocks (attention_blocks.c). */
typedef int32_t ivec;
typedef int32_t key_codes;   /* four bytes, which are four values of a position */
typedef int32_t value_codes; /* of a value two numbers of 16 bits, two positions */
enum { KEY_VECTORS = 1, VALUE_VECTORS = 1, KEY_OFFSET = 128 };

static inline ivec ivec_set(int32_t x)
{
    return x;
}

static inline ivec ivec_load_all(const void *four_bytes)
{
    ivec x;
    memcpy(&x, four_bytes, sizeof x);
    return x;
}

static inline vec vec_from_ivec(ivec a)
{
    return (float)a;
}

static inline vec vec_load_f16(const uint16_t *x)
{
    return half_to_float(*x);
}

/** To nearest, in 16 bits. */
static inline void vec_store_i16(int16_t *x, vec a)
{
    *x = (int16_t)rintf(a);
}

/** Whole numbers, in 8 bits. */
static inline void vec_store_i8(int8_t *x, vec a)
{
    *x = (int8_t)a;
}

/** Codes of keys are q + 128, and a sum of their dot products begins with KEY_OFFSET times that of the queries, negated. */
static inline key_codes keys_load(const uint8_t *codes)
{
    return ivec_load_all(codes);
}

/** Codes of two chunks, q + 8. */
static inline void keys_load_nibbles(const uint8_t *codes, key_codes *low, key_codes *high)
{
    *low = ivec_load_all(codes) & 0x0f0f0f0f;
    *high = ivec_load_all(codes) >> 4 & 0x0f0f0f0f;
}

static inline ivec keys_dot(ivec sum, key_codes codes, ivec query)
{
    uint8_t key[4];
    int8_t of[4];
    memcpy(key, &codes, sizeof key);
    memcpy(of, &query, sizeof of);
    return sum + key[0] * of[0] + key[1] * of[1] + key[2] * of[2] + key[3] * of[3];
}

static inline ivec nibbles_dot(ivec sum, key_codes codes, ivec query)
{
    return keys_dot(sum, codes, query);
}

static inline value_codes value_pair(int first, int second)
{
    int16_t pair[2] = {(int16_t)first, (int16_t)second};
    return ivec_load_all(pair);
}

/** Two positions of a value, in 16 bits. */
static inline value_codes values_load(const uint8_t *codes)
{
    return value_pair((int8_t)codes[0], (int8_t)codes[1]);
}

/** Two positions and two more. */
static inline void values_load_nibbles(const uint8_t *codes, value_codes *low, value_codes *high)
{
    *low = value_pair((codes[0] & 15) - 2 * (codes[0] & 8), (codes[1] & 15) - 2 * (codes[1] & 8));
    *high = value_pair((int8_t)codes[0] >> 4, (int8_t)codes[1] >> 4);
}

static inline ivec values_dot(ivec sum, value_codes values, ivec weights)
{
    int16_t value[2], weight[2];
    memcpy(value, &values, sizeof value);
    memcpy(weight, &weights, sizeof weight);
    return sum + value[0] * weight[0] + value[1] * weight[1];
}

#endif
