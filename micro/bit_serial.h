/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_BIT_SERIAL_H
#define MICRO_BIT_SERIAL_H

#include <stddef.h>
#include <stdint.h>

/**
 * Products of bit planes of any number of bits [apt-llm, III-B], in plain C: what kernels of w<p>, compiled for their pair or any, say
 * for p, q <= BIPOLAR_BITS_MOST. A plane is `words` words of 64 elements, planes lie one behind the other, and bits past
 * K are zero in both: padding differs nowhere and has no bit in common, so that it is free as long as K is the true one.
 */
struct bit_planes {
    const uint64_t *words; /* [bits][words of a plane] */
    uint32_t bits;
};

/** Planes of k bytes of bits (micro/bipolar.h) in ceil(k / 64) words each. */
void bit_planes_make(const uint8_t *u, size_t k, uint32_t bits, uint64_t *planes);

/** sum W' x' of bipolar integers by exclusive ors: K (2^p - 1) (2^q - 1) - 2 sum 2^(i + j) popcount(W_i ^ X_j). Exact. */
int64_t bit_serial_xor(struct bit_planes w, struct bit_planes x, size_t k);

/**
 * The same by ands, the products of unsigned integers, which take the sums of both as well:
 *
 *     4 sum 2^(i + j) popcount(W_i & X_j) - 2 (2^q - 1) sum U_w - 2 (2^p - 1) sum U_x + K (2^p - 1) (2^q - 1)
 */
int64_t bit_serial_and(struct bit_planes w, struct bit_planes x, size_t k);

#endif
