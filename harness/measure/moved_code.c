/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/moved_code.h"

#include <errno.h>
#include <link.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/** The image being looked for, and its loaded segments. */
struct image {
    uintptr_t function, first, end;
    uintptr_t base;
    const ElfW(Phdr) * segment;
    size_t segments;
};

static void measure(const struct dl_phdr_info *info, uintptr_t *first, uintptr_t *end)
{
    *first = UINTPTR_MAX;
    *end = 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        *first = begin < *first ? begin : *first;
        *end = begin + segment->p_memsz > *end ? begin + segment->p_memsz : *end;
    }
}

static int holds(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct image *image = context;
    uintptr_t first, end;
    measure(info, &first, &end);
    if (image->function < first || image->function >= end)
        return 0;
    image->first = first / PAGE * PAGE;
    image->end = end;
    image->base = info->dlpi_addr;
    image->segment = info->dlpi_phdr;
    image->segments = info->dlpi_phnum;
    return 1;
}

/**
 * By hand: the sanitizers know of gaps between the objects of an image that memcpy may not read. A copy is the tool as a
 * whole, so by words; it lies as the image does within a word, and a segment begins and ends anywhere.
 */
__attribute__((no_sanitize("address", "undefined"))) static void copy_bytes(volatile uint8_t *to, const uint8_t *from,
                                                                            size_t count)
{
    typedef uint64_t __attribute__((aligned(1), may_alias)) word;
    size_t i = 0;
    for (; i + sizeof(word) <= count; i += sizeof(word))
        *(volatile word *)(to + i) = *(const word *)(from + i);
    for (; i < count; i++)
        to[i] = from[i];
}

static void copy(const struct image *image, uint8_t *to)
{
    for (size_t i = 0; i < image->segments; i++) {
        const ElfW(Phdr) *segment = &image->segment[i];
        uintptr_t begin = image->base + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_R)
            copy_bytes(to + (begin - image->first), (const void *)begin, segment->p_memsz);
    }
}

int moved_code_make(const void *function, size_t shift, struct moved_code *moved)
{
    struct image image = {.function = (uintptr_t)function};
    *moved = (struct moved_code){0};
    if (shift > MOVED_CODE_SHIFT_MOST || shift % 64)
        return -EINVAL;
    if (!dl_iterate_phdr(holds, &image))
        return -ENOENT;
    size_t length = (image.end - image.first + shift + PAGE - 1) / PAGE * PAGE;
    uint8_t *mapping = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (mapping == MAP_FAILED)
        return -ENOMEM;
    copy(&image, mapping + shift);
    if (mprotect(mapping, length, PROT_READ | PROT_EXEC)) {
        munmap(mapping, length);
        return -EACCES;
    }
    __builtin___clear_cache((char *)mapping, (char *)mapping + length);
    *moved = (struct moved_code){mapping, length, (ptrdiff_t)((uintptr_t)mapping + shift - image.first)};
    return 0;
}

void moved_code_release(struct moved_code *moved)
{
    if (moved->mapping)
        munmap(moved->mapping, moved->mapped);
    *moved = (struct moved_code){0};
}
