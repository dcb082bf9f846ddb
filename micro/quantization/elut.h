/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_ELUT_H
#define MICRO_QUANTIZATION_ELUT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * Element-wise look-up tables [bitnet-cpp, 3.1.1 and A.3]: a group of g weights of C values is one index into the table
 * of the C^g sums that g activations can have, so that bits per weight need not be whole.
 *
 * The weights are the C integers around zero, -floor(C/2) … ceil(C/2) - 1. The index is the group read as a number in
 * base C, first weight first. If C is odd and the C^g sums do not fit the TABLE of one byte shuffle, mirror
 * consolidation keeps those of non-negative numbers and a sign bit apart negates them:
 *
 *     mirrored:      code = sign, |sum_i w_i C^(g-1-i)|     entries (C^g + 1) / 2     C = 3, g = 3: table 6, TL2
 *     not mirrored:  code = sum_i (w_i + floor(C/2)) C^(g-1-i)      entries C^g       C = 3, g = 2: table 5, TL1
 *
 *     bits per weight = (ceil(log2 entries) + mirrored) / g                           table 3
 */
enum { ELUT_TABLE = 16, ELUT_CARDINALITY_MOST = 16, ELUT_GROUP_MOST = 4 };

struct elut {
    uint32_t cardinality, group; /* C, g */
    bool mirrored;
    uint32_t entries;    /* of the table */
    uint32_t index_bits; /* of an index, without the sign */
};

/* What a reference asks of each weight is inline: of a C and g that are known nothing is left of it but a few instructions. */

static inline uint32_t elut_bits_for(uint32_t values)
{
    uint32_t bits = 0;
    while (1u << bits < values)
        bits++;
    return bits;
}

static inline uint32_t elut_power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent--)
        result *= base;
    return result;
}

/** @return 0, or -EINVAL if C is not 2 … ELUT_CARDINALITY_MOST or g not 1 … ELUT_GROUP_MOST */
static inline int elut_make(uint32_t cardinality, uint32_t group, struct elut *elut)
{
    if (cardinality < 2 || cardinality > ELUT_CARDINALITY_MOST || group < 1 || group > ELUT_GROUP_MOST)
        return -EINVAL;
    uint32_t sums = elut_power(cardinality, group);
    bool mirrored = cardinality % 2 == 1 && sums > ELUT_TABLE;
    uint32_t entries = mirrored ? (sums + 1) / 2 : sums;
    *elut = (struct elut){cardinality, group, mirrored, entries, elut_bits_for(entries)};
    return 0;
}

/** Code of a group: its index, and above it (bit index_bits) the sign of a mirrored one. Zeros have no sign. */
static inline uint32_t elut_encode(const struct elut *elut, const int32_t *weights)
{
    int32_t number = 0;
    for (uint32_t i = 0; i < elut->group; i++)
        number =
            number * (int32_t)elut->cardinality + weights[i] + (elut->mirrored ? 0 : (int32_t)elut->cardinality / 2);
    return (uint32_t)(number < 0 ? -number : number) | (uint32_t)(number < 0) << elut->index_bits;
}

/** Weight `position` of a code; 0 where the index is invalid. */
static inline int32_t elut_decode(const struct elut *elut, uint32_t code, uint32_t position)
{
    uint32_t index = code & ((1u << elut->index_bits) - 1);
    if (index >= elut->entries)
        return 0;
    /* the number of a mirrored code, with all digits from 0: that of zero is in the middle */
    uint32_t digits = index + (elut->mirrored ? elut->entries - 1 : 0);
    for (uint32_t after = position + 1; after < elut->group; after++)
        digits /= elut->cardinality;
    int32_t weight = (int32_t)(digits % elut->cardinality) - (int32_t)elut->cardinality / 2;
    return elut->mirrored && code >> elut->index_bits & 1 ? -weight : weight;
}

/**
 * What activation `position` is multiplied with in each sum of a table: sum[i] = sum_p coefficients_p[i] a_p. Zeros
 * past the last entry. entries <= ELUT_TABLE.
 */
void elut_coefficients(const struct elut *elut, uint32_t position, int16_t coefficients[ELUT_TABLE]);

#endif
