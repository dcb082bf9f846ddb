/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_LOOKUP_DIGIT_TABLES_H
#define MICRO_FAMILIES_LOOKUP_DIGIT_TABLES_H

#include <stdint.h>

#include "micro/sequence.h"

/**
 * Exact sums of activations by byte look-ups, for sequences that add the found bytes lane by lane.
 *
 * A code of F fields of b bits stands for the sum of F weights u times activations a. Its offset from the least sum
 * that these activations can have,
 *
 *     v(code) = sum u a - least,     0 <= v <= (2^b - 1) sum |a| = (2^b - 1) 127 F,
 *
 * is looked up as two digits, low = v mod radix and high = v div radix, each a byte. n of each fit one byte's sum if
 *
 *     n (radix - 1) <= 255   and   n (largest v div radix) <= 255,
 *
 * so only one look-up in n is followed by widening adds. The result is
 *
 *     sum u a = sum low + radix sum high + sum least,
 *
 * exact, the last a number of the activations alone. Taking the offset from the least sum of *these* activations, not
 * of all activations, halves the digits' range: twice as many fit.
 *
 * Widening takes three uops for a register of sums, not four: added to words whole, a register gives even + 256 odd
 * (mod 2^16); shifted right by 8, the odd bytes alone.
 */

/** The least sum that `fields` activations can have with weights 0 … 2^bits - 1. */
static inline int32_t digit_tables_least(const int8_t *activations, unsigned fields, unsigned bits)
{
    int32_t least = 0;
    for (unsigned i = 0; i < fields; i++)
        least += activations[i] < 0 ? activations[i] * ((1 << bits) - 1) : 0;
    return least;
}

/** v of a code: field i, from bit i * bits, is the weight of activation i. */
static inline uint32_t digit_tables_offset(const int8_t *activations, unsigned fields, unsigned bits, unsigned code)
{
    int32_t sum = 0;
    for (unsigned i = 0; i < fields; i++)
        sum += (int32_t)(code >> i * bits & ((1u << bits) - 1)) * activations[i];
    return (uint32_t)(sum - digit_tables_least(activations, fields, bits));
}

/** The tables of all 2^(fields * bits) codes. */
static inline void digit_tables_fill(uint8_t *low, uint8_t *high, const int8_t *activations, unsigned fields,
                                     unsigned bits, unsigned radix)
{
    for (unsigned code = 0; code < 1u << fields * bits; code++) {
        uint32_t offset = digit_tables_offset(activations, fields, bits, code);
        low[code] = (uint8_t)(offset % radix);
        high[code] = (uint8_t)(offset / radix);
    }
}

/** Activations -127 … 127, a quarter of the seeds with nothing but these two: the widest sums there are. */
static inline void digit_tables_draw(int8_t *activations, unsigned count, uint64_t seed)
{
    uint64_t state = seed;
    for (unsigned i = 0; i < count; i++) {
        uint64_t random = sequence_random(&state);
        int32_t any = (int32_t)(random % 255), end = random >> 63 ? 254 : 0;
        activations[i] = (int8_t)((seed % 4 == 0 ? end : any) - 127);
    }
}

/**
 * Add to 16-bit lanes what the widening dot product `dot` of a group adds: 0 the low digits whole, 1 their odd bytes, 2
 * and 3 the same of the high digits.
 * @param codes        [steps][lanes * 2] codes of one byte lane each
 * @param activations  [steps][fields]
 */
static inline void digit_tables_refer(uint16_t *sum, unsigned lanes, uint32_t dot, const uint8_t *codes,
                                      const int8_t *activations, unsigned steps, unsigned fields, unsigned bits,
                                      unsigned radix)
{
    for (unsigned lane = 0; lane < 2 * lanes; lane++) {
        uint32_t digits = 0;
        for (unsigned step = 0; step < steps; step++) {
            uint32_t offset =
                digit_tables_offset(activations + step * fields, fields, bits, codes[step * 2 * lanes + lane]);
            digits += dot < 2 ? offset % radix : offset / radix;
        }
        if (lane % 2)
            sum[lane / 2] = (uint16_t)(sum[lane / 2] + (dot % 2 ? digits : digits << 8));
        else if (dot % 2 == 0)
            sum[lane / 2] = (uint16_t)(sum[lane / 2] + digits);
    }
}

#endif
