/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers for the fill() of formats: splitmix64, any state is a seed.
 */
#ifndef MICRO_ISA_RANDOM_H
#define MICRO_ISA_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/** In [-1, 1), of 24 bits. */
static inline float random_float(uint64_t *state)
{
    return (float)(int32_t)(random_bits(state) >> 40) * 0x1p-23f - 1;
}

static inline void random_bytes(uint8_t *bytes, size_t count, uint64_t *state)
{
    uint64_t word;
    for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
        word = random_bits(state);
        memcpy(bytes, &word, sizeof word);
    }
    if (count) {
        word = random_bits(state);
        memcpy(bytes, &word, count);
    }
}

#endif
