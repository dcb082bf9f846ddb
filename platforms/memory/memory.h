/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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
 * Reserve address space; touches nothing. The kernel grants more of it than there is memory, and kills a process once it is
 * touched: memory_populate() or memory_fill_random() come before the first touch.
 * @return 0, -ENOMEM
 */
int memory_reserve(size_t length, struct memory_block *block);

/** The same on pages of the base size, whatever the system offers. @return 0, -ENOMEM */
int memory_reserve_base(size_t length, struct memory_block *block);

/** Who says how much memory this process may still take, in bytes, UINT64_MAX if that is not known. */
struct memory_left {
    uint64_t (*available)(void *context);
    void *context;
};

/**
 * Between two looks at what is left so much is populated, a sixteenth of what was left at first is never taken, and at least
 * 32 MiB: several threads and processes do the same at once.
 */
enum { MEMORY_STEP = 16 << 20, MEMORY_KEPT_PART = 16, MEMORY_KEPT_LEAST = 32 << 20 };

/** Bytes that are left to others, of this many that were available before a block was populated. Pure. */
uint64_t memory_kept(uint64_t available_at_first);

/**
 * Bring in the pages of [first, first + length) of a block from the calling thread; their content stays. Every MEMORY_STEP it is
 * looked at what is left: it ends with an error before the kernel has to kill a process. Reserved huge pages are there already.
 * @param left  NULL: what this machine and the cgroups of this process leave
 * @return 0; -ENOMEM, and the block is to be released
 */
int memory_populate(struct memory_block *block, size_t first, size_t length, const struct memory_left *left);

/**
 * In a process that was forked: copy the pages of the heap now, and not where code that allocates first writes to one. Without glibc's heap, and
 * before Linux 5.14, it does nothing.
 */
void memory_own_heap(void);

/** Populate it all from the calling thread, and fill it with random bytes (xorshift, never all zero). @return as memory_populate */
int memory_fill_random(struct memory_block *block, uint64_t seed);

/**
 * Make a block longer, on the pages that it has; what is added is populated by the calling thread and filled with random bytes.
 * @return as memory_populate; the block is released on an error
 */
int memory_grow_random(struct memory_block *block, size_t length, uint64_t seed);

/**
 * Copy so that the caches have none of what was written, as if it had left them long ago: by stores that go to memory past
 * them. Where a CPU has no such store that a program may rely on, it copies as memcpy does, and what was written is in the caches.
 * @param to  a multiple of 64
 */
#ifdef __x86_64__
enum { MEMORY_COPIES_PAST_CACHES = 1 };
#else
enum { MEMORY_COPIES_PAST_CACHES = 0 };
#endif
void memory_copy_past_caches(unsigned char *to, const unsigned char *from, size_t bytes);

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
    int is_sealed;
};
int memory_guarded_reserve(size_t length, int guard_at_end, struct memory_guarded *buffer);
/** Make all that lies between the guard pages read-only, or writable again: no call of the system where it is so already. 0 or negative errno. */
int memory_guarded_seal(struct memory_guarded *buffer, int sealed);
void memory_guarded_release(struct memory_guarded *buffer);
