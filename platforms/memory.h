/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_MEMORY_H
#define PLATFORMS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/**
 * Memory to measure with: reserved huge pages when there are any, else transparent huge pages asked for, else what
 * comes; populated and filled with random bytes by the thread that will read it, so that it lies on that thread's node
 * and no page is the shared zero page. What was achieved is recorded, not assumed.
 */
enum memory_pages { MEMORY_HUGETLB, MEMORY_THP, MEMORY_BASE };

struct memory_block {
    unsigned char *bytes;    /* aligned to 2 MiB */
    size_t length;           /* as asked */
    size_t mapped;           /* length of the mapping, for memory_release */
    enum memory_pages pages; /* what was asked of the kernel successfully */
};

/**
 * Reserve address space; touches nothing.
 * @return 0, -ENOMEM
 */
int memory_reserve(size_t length, struct memory_block *block);

/** The same on pages of the base size, whatever the system offers. @return 0, -ENOMEM */
int memory_reserve_base(size_t length, struct memory_block *block);

/** Fill with random bytes (xorshift, never all zero), which populates it from the calling thread. */
void memory_fill_random(struct memory_block *block, uint64_t seed);

/** Fraction of the block that lies on huge pages now, from /proc/self/smaps; NaN if unknown. */
double memory_huge_fraction(const struct memory_block *block);

void memory_release(struct memory_block *block);

const char *memory_pages_name(enum memory_pages pages); /* "hugetlb", "thp", "base" */

/**
 * A buffer that ends (or begins) right at an unmapped page, so that one byte too many is a fault.
 * guard_at_end: bytes + length is the guard page; else bytes - 1 is. 0, or -ENOMEM with bytes NULL.
 */
struct memory_guarded {
    void *bytes;
    size_t length;
    void *mapping;
    size_t mapped;
};
int memory_guarded_reserve(size_t length, int guard_at_end, struct memory_guarded *buffer);
void memory_guarded_release(struct memory_guarded *buffer);

#endif
