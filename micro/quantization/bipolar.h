/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_BIPOLAR_H
#define MICRO_QUANTIZATION_BIPOLAR_H

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

/** Value of the bits u, 0 … 2^n - 1, and the bits of a value of n bits. */
int32_t bipolar_from_bits(uint32_t u, uint32_t bits);
uint32_t bipolar_to_bits(int32_t value, uint32_t bits);

/** Bits of a signed integer, -2^(n-1) … 2^(n-1) - 1, from its code in two's complement (n bits, those above ignored). */
uint32_t bipolar_bits_of_code(uint32_t code, uint32_t bits);

/** x = (x' - 1) / 2, the signed integer of a value. */
int32_t bipolar_to_signed(int32_t value);

/** What an integer stands for: W = scale * integer + zero. */
struct affine {
    double scale, zero;
};

/**
 * Scale and zero of the same real numbers once their signed integers are bipolar:
 *
 *     W = s x + z = (s/2) x' + (z - s/2)                                   [apt-llm, III-A]
 *
 * in double. Kept in a narrower type s/2 is exact but for the least of its numbers, the zero is not: it rounds
 * (`kneepoint quantize --bipolar` says to what effect).
 */
struct affine bipolar_affine_of_signed(struct affine of);

/**
 * The activations of a token as n bits, symmetric, one scale for all:
 *
 *     s_x = max|x| / (2^n - 1),  u = clamp(round((x / s_x + 2^n - 1) / 2), 0, 2^n - 1),  x ~ s_x x'
 *
 * Each operation is rounded to binary32, ties of round() go to even, so that vectors give the same bits. No x is further than s_x
 * (1 + 2^-14) from what it became. NaN and infinity are not allowed. Below BIPOLAR_LEAST an activation is zero: its scale would not
 * be a normal number. micro/quantization/bipolar_testing.h says all this in plain C, with the products that kernels must give.
 */
#define BIPOLAR_LEAST 0x1p-118f

#endif
