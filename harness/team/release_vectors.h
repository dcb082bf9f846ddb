/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_TEAM_RELEASE_VECTORS_H
#define HARNESS_TEAM_RELEASE_VECTORS_H

/** Release the upper halves of vector registers, where there is such a thing: SSE code after code that left them in use may be slow. */
static inline void release_vectors(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

#endif
