/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/memory/memory.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "platforms/system/host.h"

enum { HUGE_PAGE = 2 << 20 };

static size_t round_up(size_t value, size_t to)
{
    return (value + to - 1) / to * to;
}

static void *map(size_t length, int flags)
{
    return mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

/** With an advice on transparent huge pages, which a kernel without them does not take. */
static int reserve_advised(size_t length, int advice, enum memory_pages pages, struct memory_block *block)
{
    *block = (struct memory_block){0};
    if (length > SIZE_MAX / 2)
        return -ENOMEM; /* rounding up would wrap around */
    size_t mapped = round_up(length ? length : 1, HUGE_PAGE);
    unsigned char *wide = map(mapped + HUGE_PAGE, 0);
    if (wide == MAP_FAILED)
        return -ENOMEM;
    unsigned char *aligned = (unsigned char *)round_up((size_t)wide, HUGE_PAGE);
    if (aligned != wide)
        munmap(wide, (size_t)(aligned - wide));
    munmap(aligned + mapped, (size_t)(wide + HUGE_PAGE - aligned));
    *block = (struct memory_block){.bytes = aligned, .length = length, .mapped = mapped, .pages = MEMORY_BASE};
    if (madvise(aligned, mapped, advice) == 0)
        block->pages = pages;
    return 0;
}

int memory_reserve(size_t length, struct memory_block *block)
{
    if (length > SIZE_MAX / 2) {
        *block = (struct memory_block){0};
        return -ENOMEM; /* rounding up would wrap around */
    }
    size_t mapped = round_up(length ? length : 1, HUGE_PAGE);
    *block = (struct memory_block){.length = length, .mapped = mapped, .pages = MEMORY_HUGETLB};

    /* Reserved pages are only used if they hold the whole block: the map itself fails otherwise (no NORESERVE). */
    void *bytes = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    if (bytes != MAP_FAILED) {
        block->bytes = bytes;
        return 0;
    }

    return reserve_advised(length, MADV_HUGEPAGE, MEMORY_THP, block);
}

int memory_reserve_base(size_t length, struct memory_block *block)
{
    return reserve_advised(length, MADV_NOHUGEPAGE, MEMORY_BASE, block);
}

/* ---------------------------------------------------------------- populating */

static uint64_t left_here(void *context)
{
    (void)context;
    return host_memory_available("");
}

uint64_t memory_kept(uint64_t available_at_first)
{
    uint64_t part = available_at_first / MEMORY_KEPT_PART;
    return part > MEMORY_KEPT_LEAST ? part : MEMORY_KEPT_LEAST;
}

/** Kernels before 5.14 do not know the advice. No other thread writes there yet. */
static int touch(unsigned char *bytes, size_t length)
{
    if (madvise(bytes, length, MADV_POPULATE_WRITE) == 0)
        return 0;
    if (errno != EINVAL)
        return -ENOMEM;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile unsigned char *touched = bytes;
    for (size_t at = 0; at < length; at += page)
        touched[at] = touched[at];
    return 0;
}

int memory_populate(struct memory_block *block, size_t first, size_t length, const struct memory_left *left)
{
    static const struct memory_left here = {.available = left_here};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), end = round_up(first + length, page);
    const bool looks = block->pages != MEMORY_HUGETLB;
    uint64_t kept = 0;
    left = left ? left : &here;
    for (size_t at = first / page * page; at < end;) {
        size_t step = end - at < MEMORY_STEP ? end - at : MEMORY_STEP;
        uint64_t available = looks ? left->available(left->context) : UINT64_MAX;
        if (!kept)
            kept = memory_kept(available);
        if (available < kept || available - kept < step || touch(block->bytes + at, step))
            return -ENOMEM;
        at += step;
    }
    return 0;
}

void memory_own_heap(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), length = mallinfo2().arena / page * page;
    uintptr_t end = (uintptr_t)sbrk(0) / page * page;
    if (length && length < end)
        madvise((void *)(end - length), length, MADV_POPULATE_WRITE);
}

/** Words from `first` bytes on. */
static int fill_from(struct memory_block *block, size_t first, uint64_t seed)
{
    uint64_t state = (seed * 0x9e3779b97f4a7c15u) | 1; /* xorshift never leaves 0 */
    uint64_t *words = (uint64_t *)(void *)block->bytes;
    int error = memory_populate(block, first, block->mapped - first, NULL);
    for (size_t i = first / sizeof *words; !error && i < block->mapped / sizeof *words; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words[i] = state;
    }
    return error;
}

int memory_fill_random(struct memory_block *block, uint64_t seed)
{
    return fill_from(block, 0, seed);
}

/**
 * The pages of a block become the first of a longer one. The same call makes its mapping as long as that one: a block stays one
 * mapping, and kernels before 6.17 cannot move two at once.
 * @return 0 or -ENOMEM; the old one is gone in either case
 */
static int move_pages(struct memory_block *block, struct memory_block *longer)
{
    void *moved = mremap(block->bytes, block->mapped, longer->mapped, MREMAP_MAYMOVE | MREMAP_FIXED, longer->bytes);
    if (moved != MAP_FAILED) {
        *block = *longer;
        return 0;
    }
    memory_release(block);
    memory_release(longer);
    return -ENOMEM;
}

int memory_grow_random(struct memory_block *block, size_t length, uint64_t seed)
{
    struct memory_block longer;
    size_t first = block->mapped;
    int error = 0;
    if (block->bytes && length <= block->mapped) {
        block->length = length > block->length ? length : block->length;
        return 0;
    }
    if (block->bytes && block->pages == MEMORY_HUGETLB) {
        memory_release(block); /* pages that are reserved are not moved */
        first = 0;
    }
    if (!block->bytes) {
        error = memory_reserve(length, block);
        first = 0;
    } else {
        error = reserve_advised(length, MADV_HUGEPAGE, MEMORY_THP, &longer);
        error = error ? error : move_pages(block, &longer);
    }
    if (!error)
        error = fill_from(block, first, seed + first);
    if (error)
        memory_release(block);
    return error;
}

/* ---------------------------------------------------------------- past the caches */

#ifdef __x86_64__
/** A line in a cache that such a store meets is written back and evicted. */
void memory_copy_past_caches(unsigned char *to, const unsigned char *from, size_t bytes)
{
    enum { LINE = 64, STORE = sizeof(__m128i) };
    size_t lines = bytes / LINE * LINE;
    for (size_t at = 0; at < lines; at += STORE)
        _mm_stream_si128((__m128i *)(void *)(to + at), _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
    _mm_sfence();
    memcpy(to + lines, from + lines, bytes - lines);
}
#else
void memory_copy_past_caches(unsigned char *to, const unsigned char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

/* ---------------------------------------------------------------- what was achieved */

double memory_huge_fraction(const struct memory_block *block)
{
    if (block->pages == MEMORY_HUGETLB)
        return 1;
    FILE *maps = fopen("/proc/self/smaps", "re");
    if (!maps)
        return NAN;
    uintptr_t wanted_first = (uintptr_t)block->bytes, wanted_end = wanted_first + block->mapped;
    char line[512];
    uintptr_t first, end;
    double huge_kib = 0;
    int inside = 0;
    unsigned long kib;
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
            inside = first < wanted_end && end > wanted_first;
        else if (inside && sscanf(line, "AnonHugePages: %lu kB", &kib) == 1)
            huge_kib += (double)kib;
    }
    fclose(maps);
    double fraction = huge_kib * 1024 / (double)block->mapped;
    return fraction > 1 ? 1 : fraction; /* a neighbouring block may share the kernel's area */
}

void memory_release(struct memory_block *block)
{
    if (block->bytes)
        munmap(block->bytes, block->mapped);
    *block = (struct memory_block){0};
}

const char *memory_pages_name(enum memory_pages pages)
{
    return pages == MEMORY_HUGETLB ? "hugetlb" : pages == MEMORY_THP ? "thp" : "base";
}

int memory_guarded_reserve(size_t length, int guard_at_end, struct memory_guarded *buffer)
{
    *buffer = (struct memory_guarded){0};
    if (length > SIZE_MAX / 2)
        return -ENOMEM;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = round_up(length ? length : 1, page);
    unsigned char *mapping = mmap(NULL, body + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return -ENOMEM;
    if (mprotect(mapping + page, body, PROT_READ | PROT_WRITE)) {
        int error = errno;
        munmap(mapping, body + 2 * page);
        return -error;
    }
    if (body >= 2 * HUGE_PAGE) /* small pages would each be a fault, again whenever it was sealed */
        madvise(mapping + page, body, MADV_HUGEPAGE);
    *buffer = (struct memory_guarded){.bytes = guard_at_end ? mapping + page + body - length : mapping + page,
                                      .length = length,
                                      .mapping = mapping,
                                      .mapped = body + 2 * page};
    return 0;
}

int memory_guarded_seal(struct memory_guarded *buffer, int sealed)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (buffer->is_sealed == sealed)
        return 0;
    if (mprotect((unsigned char *)buffer->mapping + page, buffer->mapped - 2 * page,
                 sealed ? PROT_READ : PROT_READ | PROT_WRITE))
        return -errno;
    buffer->is_sealed = sealed;
    return 0;
}

void memory_guarded_release(struct memory_guarded *buffer)
{
    if (buffer->mapping)
        munmap(buffer->mapping, buffer->mapped);
    *buffer = (struct memory_guarded){0};
}
