/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * A function at another address. What moves is a copy of the whole image (executable or shared object) that holds it, its
 * constants and its data with it, so that all that is addressed relative to the instruction pointer is found in the copy. Where
 * a function lies within a line, and in which page, is decided by the linker and by the loader, and not by who wrote it.
 *
 * A shift is a multiple of 64, since constants must stay aligned. Places within a line: micro/code_offsets.h.
 */
struct moved_code {
    void *mapping;
    size_t mapped;
    ptrdiff_t delta; /* of every address in the image */
};

enum { MOVED_CODE_SHIFT_MOST = 4032 };

/**
 * Copy the image that holds a function to fresh pages, `shift` bytes further within its page.
 * @return 0, -EINVAL no such shift, -ENOENT no image holds it, -ENOMEM, -EACCES this system lets no copy be executed
 */
int moved_code_make(const void *function, size_t shift, struct moved_code *moved);
void moved_code_release(struct moved_code *moved);

/** Where a function of that image is in the copy. */
static inline uintptr_t moved_code_at(const struct moved_code *moved, uintptr_t function)
{
    return function + (uintptr_t)moved->delta;
}
