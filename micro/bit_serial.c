/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/bit_serial.h"

#include <string.h>

static size_t words_of(size_t k)
{
    return (k + 63) / 64;
}

void bit_planes_make(const uint8_t *u, size_t k, uint32_t bits, uint64_t *planes)
{
    memset(planes, 0, bits * words_of(k) * sizeof *planes);
    for (size_t i = 0; i < k; i++) {
        for (uint32_t bit = 0; bit < bits; bit++)
            planes[bit * words_of(k) + i / 64] |= (uint64_t)(u[i] >> bit & 1) << i % 64;
    }
}

static int64_t most_of(struct bit_planes planes)
{
    return ((int64_t)1 << planes.bits) - 1;
}

/** Set bits of planes i and j, where they differ or in common. */
static int64_t count(struct bit_planes w, uint32_t i, struct bit_planes x, uint32_t j, size_t words, int differing)
{
    int64_t sum = 0;
    for (size_t n = 0; n < words; n++) {
        uint64_t a = w.words[i * words + n], b = x.words[j * words + n];
        sum += __builtin_popcountll(differing ? a ^ b : a & b);
    }
    return sum;
}

static int64_t all_pairs(struct bit_planes w, struct bit_planes x, size_t k, int differing)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < w.bits; i++) {
        for (uint32_t j = 0; j < x.bits; j++)
            sum += count(w, i, x, j, words_of(k), differing) << (i + j);
    }
    return sum;
}

/** Sum of the unsigned integers. */
static int64_t total(struct bit_planes of, size_t k)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < of.bits; i++)
        sum += count(of, i, of, i, words_of(k), 0) << i;
    return sum;
}

int64_t bit_serial_xor(struct bit_planes w, struct bit_planes x, size_t k)
{
    return (int64_t)k * most_of(w) * most_of(x) - 2 * all_pairs(w, x, k, 1);
}

int64_t bit_serial_and(struct bit_planes w, struct bit_planes x, size_t k)
{
    return 4 * all_pairs(w, x, k, 0) - 2 * most_of(x) * total(w, k) - 2 * most_of(w) * total(x, k) +
           (int64_t)k * most_of(w) * most_of(x);
}
