/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFLINE_GROUP_BITS_H
#define ROOFLINE_GROUP_BITS_H

/**
 * Bits per weight of group-wise quantization, scales and zeros included [mixed-2-4-16, 2.2, 2.3, 3.3]. The equations are reconstructed, since the
 * paper's text lost them: (6) and (7) from what they are of, (10) from the 2.84 bits that come out. Pure.
 */

/** What is stored for groups of weights: bits each, and sizes of groups. */
struct group_bits {
    double weight; /* N: of a code */
    double group;  /* g: weights that share a zero and a scale */
    double zero,
        scale; /* of these; zero is N bits, scale 16, or as many as its code has. Both 0: there is a second order alone */
    double group2; /* groups that share a second-order scale and zero; 0: there is none */
    double zero2, scale2;
};

/** (6) without a second order, N + (scale + zero) / g; (7) with one, (scale2 + zero2) / (g group2) more. */
double group_bits(const struct group_bits *of);

/** (10): so much of the weights in groups of 4 bits, 0 … 1, the others in those of 2. */
double group_bits_mixed(const struct group_bits *low, const struct group_bits *high, double share_of_high);

/** What outliers add: 16 bits of value and 16 of column each, and 32 a row of k weights (2.3). */
double group_bits_outliers(double ratio, double k);

/**
 * The paper's groups as they are laid out: 16 weights a group, 16 rows. 2 bits: zeros of 2 bits, scales of 4, 3 and 3; 4 bits: no
 * scale or zero of the first order. Second-order scales have 16 bits, zeros 4 that are padded to 8.
 */
extern const struct group_bits group_bits_mixed_low, group_bits_mixed_high;

#endif
