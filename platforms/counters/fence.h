/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_COUNTERS_FENCE_H
#define PLATFORMS_COUNTERS_FENCE_H

/**
 * Wait until everything before has executed and let nothing after begin: rdtsc, rdpmc and mrs are not ordered by
 * themselves. lfence is dispatch-serializing on Intel, and on AMD since the kernel sets DE_CFG[1]; about 10 ns.
 */
static inline void counters_fence(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lfence" ::: "memory");
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
