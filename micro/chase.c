/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/chase.h"

#include "micro/sequence.h"

/** Scatters the bits of a number, so that the line of a stretch can be asked for twice. */
static size_t line_of(size_t stretch, size_t apart, uint64_t seed)
{
    uint64_t state = seed ^ (stretch + 1) * 0x9e3779b97f4a7c15u;
    state = (state ^ state >> 31) * 0xbf58476d1ce4e5b9u;
    return stretch * apart + (size_t)((state >> 32) * apart >> 32);
}

const void *chase_link(void *memory, size_t lines, size_t apart, uint32_t *next, uint64_t seed)
{
    const uint64_t drawn = seed;
    for (size_t i = 0; i < lines; i++)
        next[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = (size_t)((sequence_random(&seed) >> 32) * i >> 32);
        uint32_t swap = next[i];
        next[i] = next[j];
        next[j] = swap;
    }
    for (size_t i = 0; i < lines; i++)
        *(void **)((char *)memory + line_of(i, apart, drawn) * CHASE_LINE) =
            (char *)memory + line_of(next[i], apart, drawn) * CHASE_LINE;
    return (char *)memory + line_of(0, apart, drawn) * CHASE_LINE;
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
