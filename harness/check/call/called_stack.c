/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/call/checked_call.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* a multiple of every size that pages have, so that a page is all guard */
enum { GUARD_BYTES = 1 << 16, PATTERN = 0x6b };

/* of the program, not of the heap: nothing to fail, and what is not touched takes no memory */
static struct {
    _Alignas(GUARD_BYTES) uint8_t below[GUARD_BYTES];
    uint8_t stack[CALLED_STACK_BYTES];
    uint8_t above[GUARD_BYTES];
} called;

static uint8_t *frame(void)
{
    return called.stack + CALLED_STACK_BYTES - CALLED_STACK_FRAME_BYTES;
}

static bool protect(int protection)
{
    return mprotect(called.below, GUARD_BYTES, protection) == 0 && mprotect(called.above, GUARD_BYTES, protection) == 0;
}

#ifdef __SANITIZE_ADDRESS__
/** LeakSanitizer reads all data of the program when that has ended. */
static void unguard(void)
{
    protect(PROT_READ | PROT_WRITE);
}
#endif

uint8_t *called_stack_begin(void)
{
    static bool guarded;
    if (!guarded) {
#ifdef __SANITIZE_ADDRESS__
        atexit(unguard);
#endif
        guarded = protect(PROT_NONE);
    }
    if (!guarded)
        return NULL;
#ifdef __SANITIZE_ADDRESS__
    /* of a callee that a fault ended */
    extern void __asan_unpoison_memory_region(void const volatile *address, size_t size);
    __asan_unpoison_memory_region(called.stack, sizeof called.stack);
#endif
    memset(frame(), PATTERN, CALLED_STACK_FRAME_BYTES);
    return frame();
}

bool called_stack_is_spoiled(void)
{
    const uint8_t *bytes = frame();
    return bytes[0] != PATTERN || memcmp(bytes, bytes + 1, CALLED_STACK_FRAME_BYTES - 1) != 0;
}

enum called_stack_place called_stack_place(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    if (at - (uintptr_t)called.below < GUARD_BYTES)
        return CALLED_STACK_BELOW;
    return at - (uintptr_t)called.above < GUARD_BYTES ? CALLED_STACK_ABOVE : CALLED_STACK_ELSEWHERE;
}
