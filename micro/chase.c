/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/chase.h"

#include "micro/sequence.h"

void chase_link(void *memory, size_t lines, uint32_t *next, uint64_t seed)
{
    for (size_t i = 0; i < lines; i++)
        next[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = (size_t)((sequence_random(&seed) >> 32) * i >> 32);
        uint32_t swap = next[i];
        next[i] = next[j];
        next[j] = swap;
    }
    for (size_t i = 0; i < lines; i++)
        *(void **)((char *)memory + i * CHASE_LINE) = (char *)memory + (size_t)next[i] * CHASE_LINE;
}

const void *chase_walk(const void *at, uint64_t hops)
{
    /* volatile: every load is made, and each waits for the address that the one before read */
    const void *const volatile *place = at;
    for (uint64_t i = 0; i < hops; i += CHASE_STEP) {
        place = *place, place = *place, place = *place, place = *place;
        place = *place, place = *place, place = *place, place = *place;
    }
    return (const void *)place;
}
