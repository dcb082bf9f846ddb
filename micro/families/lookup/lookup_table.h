/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_LOOKUP_LOOKUP_TABLE_H
#define MICRO_FAMILIES_LOOKUP_LOOKUP_TABLE_H

#include "micro/sequences/sequence_reference.h"

/**
 * Scalar side of look-up sequences: what an index of a few weights stands for, and tables of what it adds. Activations
 * are int8, a sum of four has 10 bits, so that a table is either quantized to 8 bits or held as two of bytes.
 */
enum { TABLE_ENTRIES = 16 };

/** Sum that an index stands for, of this many activations as the format groups. */
typedef int32_t lookup_value(uint32_t index, const int8_t *activations);

/** TL1: two ternary weights, index 3 (w0 + 1) + w1 + 1; 9 … 15 are zeros. */
static inline int32_t tl1_value(uint32_t index, const int8_t *activations)
{
    return index > 8 ? 0 : ((int32_t)index / 3 - 1) * activations[0] + ((int32_t)index % 3 - 1) * activations[1];
}

/** TL2: three ternary weights, index |9 w0 + 3 w1 + w2| and a sign apart: the sum of the positive one; 14, 15 are
 * zeros. */
static inline int32_t tl2_value(uint32_t index, const int8_t *activations)
{
    int32_t digits = (int32_t)index + 13; /* in base 3: w + 1 */
    return index > 13 ? 0
                      : (digits / 9 - 1) * activations[0] + (digits / 3 % 3 - 1) * activations[1] +
                            (digits % 3 - 1) * activations[2];
}

/** ELUT(5, 2): two weights of -2 … 2, index |5 w0 + w1| and a sign apart: the sum of the positive one; 13 … 15 are zeros. */
static inline int32_t elut5_value(uint32_t index, const int8_t *activations)
{
    int32_t digits = (int32_t)index + 12; /* in base 5: w + 2 */
    return index > 12 ? 0 : (digits / 5 - 2) * activations[0] + (digits % 5 - 2) * activations[1];
}

/**
 * Sum that code `number` of eight stands for in row `row` of a tile of TL2 or of ELUT(5, 2), with its sign: registers 0 … 3 of
 * `rows` bytes hold index 2 q in their lower and 2 q + 1 in their upper nibbles, a fifth the sign of code j in bit 7 - j.
 */
static inline int32_t lookup_tile_value(const uint8_t *tile, uint32_t rows, uint32_t row, uint32_t number,
                                        lookup_value *value, const int8_t *activations)
{
    uint32_t nibbles = tile[number / 2 * rows + row], index = nibbles >> number % 2 * 4 & 15;
    int32_t sum = value(index, activations);
    return tile[4 * rows + row] >> (7 - number) & 1 ? -sum : sum;
}

/** Of a triple of TL2. */
static inline int32_t tl2_tile_value(const uint8_t *tile, uint32_t rows, uint32_t row, uint32_t triple,
                                     const int8_t *activations)
{
    return lookup_tile_value(tile, rows, row, triple, tl2_value, activations);
}

/** T-MAC: one bit each of four weights, a set bit adds and a clear one subtracts. */
static inline int32_t tmac_value(uint32_t index, const int8_t *activations)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        sum += index >> i & 1 ? activations[i] : -activations[i];
    return sum;
}

/** The same of set bits alone, less half the sum of all four (rounded down): of half the size and still exact. */
static inline int32_t tmac_half_value(uint32_t index, const int8_t *activations)
{
    int32_t all = activations[0] + activations[1] + activations[2] + activations[3];
    return (tmac_value(index, activations) + all) / 2 - (all >> 1);
}

/** Nearest multiple of the divisor, halves away from zero, divided by it. */
static inline int32_t lookup_quantize(int32_t value, int32_t divisor)
{
    return (2 * value + (value < 0 ? -divisor : divisor)) / (2 * divisor);
}

/** One table of 8 bits, quantized. */
static inline void lookup_table(uint8_t *entries, lookup_value *value, const int8_t *activations, int32_t divisor)
{
    for (uint32_t i = 0; i < TABLE_ENTRIES; i++)
        entries[i] = (uint8_t)lookup_quantize(value(i, activations), divisor);
}

/**
 * Two tables, exact: times * value = high * base + low. Of 16 bits (base 256) low is unsigned, else |low| <= base / 2.
 */
static inline void lookup_tables(uint8_t *low, uint8_t *high, lookup_value *value, const int8_t *activations,
                                 int32_t times, int32_t base)
{
    for (uint32_t i = 0; i < TABLE_ENTRIES; i++) {
        int32_t sum = times * value(i, activations);
        int32_t quotient = base == 256 ? sum >> 8 : lookup_quantize(sum, base);
        high[i] = (uint8_t)quotient;
        low[i] = (uint8_t)(sum - quotient * base);
    }
}

/** The same of values with a sign apart, at bit 4 of an index: low[32], high[32]. */
static inline void signed_lookup_tables(uint8_t *tables, lookup_value *value, const int8_t *activations, int32_t base)
{
    uint8_t low[TABLE_ENTRIES], high[TABLE_ENTRIES];
    lookup_tables(low, high, value, activations, 1, base);
    for (uint32_t i = 0; i < 4 * TABLE_ENTRIES; i++) {
        uint8_t entry = i < 2 * TABLE_ENTRIES ? low[i % TABLE_ENTRIES] : high[i % TABLE_ENTRIES];
        tables[i] = (uint8_t)(i / TABLE_ENTRIES % 2 ? -entry : entry);
    }
}

/** Row of 32 whose byte becomes word `word` of the lower (0) or upper (1) unpacked register of 256 bits. */
static inline uint32_t unpacked_row(uint32_t word, uint32_t upper)
{
    return word / 8 * 16 + upper * 8 + word % 8;
}

/**
 * Row of 64 whose four bytes of digits, unpacked twice, are double word `lane` of register `unpacked` of four: 512
 * bits.
 */
static inline uint32_t digits_row(uint32_t lane, uint32_t unpacked)
{
    return lane / 4 * 16 + unpacked * 4 + lane % 4;
}

#endif
