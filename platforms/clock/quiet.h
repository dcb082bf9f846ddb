/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * Proof that nothing entered the operating system inside a timed region, without privileges.
 *
 * On x86 a return to user mode by IRET replaces a null selector with a non-zero RPL in %es by zero. A timed region that
 * leaves such a selector in place was therefore not interrupted: no timer tick, no device, no page fault. (System calls
 * return by SYSRET and are not seen; the region makes none. A pause imposed by a hypervisor is not seen either: that is
 * what the steal count around a cell and the clock readings are for.)
 *
 * On aarch64 no register that user code may write tells of an exception return. (A store-exclusive fails after one, but
 * also after its line left the cache, which streaming does: that proves nothing.) There interrupts_undetectable says
 * so, and a region never counts as interrupted; the entries into the kernel (os_entries.h) are counted for those who
 * ask for a proof.
 */

/** NULL, or why an interrupt inside a region cannot be seen on this architecture. */
const char *interrupts_undetectable(void);

#if defined(__x86_64__)
/** Arm before the region. */
static inline void quiet_arm(void)
{
    __asm__ volatile("mov %0, %%es" ::"r"((uint32_t)1) : "memory");
}

/** Whether an interrupt or fault was taken since quiet_arm. */
static inline bool quiet_interrupted(void)
{
    uint32_t selector;
    __asm__ volatile("mov %%es, %0" : "=r"(selector)::"memory");
    return (selector & 0xffff) != 1;
}

/** Leave %es as the operating system gave it. */
static inline void quiet_disarm(void)
{
    __asm__ volatile("mov %0, %%es" ::"r"((uint32_t)0) : "memory");
}
#else
static inline void quiet_arm(void)
{
}

static inline bool quiet_interrupted(void)
{
    return false;
}

static inline void quiet_disarm(void)
{
}
#endif

/** What getrusage(RUSAGE_THREAD) counts, as far as it disturbs, and how long the thread was on no CPU. */
struct quiet_usage {
    long voluntary_switches, involuntary_switches, minor_faults, major_faults;
    double off_s; /* time less CPU time of the thread: only a difference of two says something */
};

/** Usage of the calling thread so far. */
struct quiet_usage quiet_usage_read(void);

/** later - earlier, field by field. */
struct quiet_usage quiet_usage_since(struct quiet_usage earlier, struct quiet_usage later);
