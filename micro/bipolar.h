/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_BIPOLAR_H
#define MICRO_BIPOLAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Bipolar-INT [apt-llm, III-A, Fig. 4]: integers of n bits of which each counts as -1 or 1, where unsigned ones count it as 0 or 1,
 *
 *     x' = sum_i (2 u_i - 1) 2^i = 2u + 1 - 2^n          all odd numbers in +-(2^n - 1); 0 is none of them
 *
 * A signed integer x in two's complement, as the n-bit code q, becomes one by flipping its sign bit: u = q ^ 2^(n-1) = x + 2^(n-1),
 * so that x' = 2x + 1. Here u are the bits as they are stored and multiplied, in a byte, the bits above n zero. n is 1 to 8
 * (BIPOLAR_BITS_MOST) everywhere; outside of it results are meaningless.
 */
enum { BIPOLAR_BITS_MOST = 8 };

/** Largest value, 2^n - 1; the least is its negative. */
int32_t bipolar_most(uint32_t bits);

/** Whether an integer is a value of n bits. */
bool bipolar_has(int32_t value, uint32_t bits);

/** Value of the bits u, 0 … 2^n - 1, and the bits of a value that bipolar_has(). */
int32_t bipolar_from_bits(uint32_t u, uint32_t bits);
uint32_t bipolar_to_bits(int32_t value, uint32_t bits);

/** Bits of a signed integer, -2^(n-1) … 2^(n-1) - 1, from its code in two's complement (n bits, those above ignored), and back. */
uint32_t bipolar_bits_of_code(uint32_t code, uint32_t bits);
uint32_t bipolar_code_of_bits(uint32_t u, uint32_t bits);

/** x' = 2x + 1 of a signed integer, and x = (x' - 1) / 2. */
int32_t bipolar_from_signed(int32_t x);
int32_t bipolar_to_signed(int32_t value);

/** x' = 2x + 1 - 2^n of an unsigned integer 0 … 2^n - 1, whose bits are u themselves, and back. */
int32_t bipolar_from_unsigned(uint32_t x, uint32_t bits);
uint32_t bipolar_to_unsigned(int32_t value, uint32_t bits);

/** What an integer stands for: W = scale * integer + zero. */
struct affine {
    double scale, zero;
};

/**
 * Scale and zero of the same real numbers once their integers are bipolar:
 *
 *     signed     W = s x + z = (s/2) x' + (z - s/2)                        [apt-llm, III-A]
 *     unsigned   W = s x + z = (s/2) x' + (z + s/2 (2^n - 1))
 *
 * in double. Kept in a narrower type s/2 is exact but for the least of its numbers, the zero is not: it rounds
 * (`kneepoint quantize --bipolar` says to what effect).
 */
struct affine bipolar_affine_of_signed(struct affine of);
struct affine bipolar_affine_of_unsigned(struct affine of, uint32_t bits);

/** Back: parameters of the signed, of the unsigned integers with the same real numbers. */
struct affine bipolar_affine_to_signed(struct affine of);
struct affine bipolar_affine_to_unsigned(struct affine of, uint32_t bits);

/**
 * A row of W x where both are bipolar, weights with scale and zero, activations with a scale:
 *
 *     y = s_x (s/2 Y + (z - s/2) sum x'),  Y = sum W' x'
 *
 * @param weights  of the bipolar integers, as bipolar_affine_of_signed() gives it
 * @param product  Y, exact
 * @param sum      sum x'
 */
double bipolar_output(struct affine weights, double activation_scale, int64_t product, int64_t sum);

/** Y from bits: the exact integer that every kernel of bit planes must give. W, x: k bytes of bits each, of w_bits and x_bits. */
int64_t bipolar_product(const uint8_t *w, uint32_t w_bits, const uint8_t *x, uint32_t x_bits, size_t k);

/** Activations below it are zero: their scale would not be a normal number. */
#define BIPOLAR_LEAST 0x1p-118f

struct bipolar_quantized {
    float scale; /* s_x; 0 if every |x| is below BIPOLAR_LEAST (then every x' is 1, since there is no 0) */
    int32_t sum; /* sum x' of all k; k below 2^23 */
};

/**
 * Quantize the activations of a token to n bits, symmetric, one scale for all:
 *
 *     s_x = max|x| / (2^n - 1),  u = clamp(round((x / s_x + 2^n - 1) / 2), 0, 2^n - 1),  x ~ s_x x'
 *
 * Each operation is rounded to binary32, ties of round() go to even, so that vectors give the same bits. No x is further than s_x
 * (1 + 2^-14) from what it became. NaN and infinity are not allowed.
 *
 * @param x  k floats
 * @param u  k bytes
 */
struct bipolar_quantized bipolar_quantize(const float *x, size_t k, uint32_t bits, uint8_t *u);

#endif
