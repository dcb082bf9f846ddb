/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/call/cpu_state.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/** Bound to one CPU, and to that one. What cannot be read has not changed. */
static bool is_bound(unsigned cpu)
{
    cpu_set_t set[8]; /* one ends at CPU 1023 */
    if (sched_getaffinity(0, sizeof set, set))
        return true;
    return CPU_COUNT_S(sizeof set, set) == 1 && CPU_ISSET_S(cpu, sizeof set, set);
}

#if defined(__x86_64__)

enum { X87_EMPTY = 0xffff, MXCSR_FLAGS = 0x3f, DIRECTION_FLAG = 1 << 10 };

/** What says how the x87 is used, without what it computed. */
struct x87 {
    uint32_t control, status, tags, rest[4];
};

static uint64_t read_control(void)
{
    return __builtin_ia32_stmxcsr() & ~(uint64_t)MXCSR_FLAGS;
}

static void write_control(uint64_t control)
{
    __builtin_ia32_ldmxcsr((uint32_t)control);
}

static bool clear_direction(void)
{
    bool backwards = __builtin_ia32_readeflags_u64() & DIRECTION_FLAG;
    if (backwards)
        __asm__ volatile("cld" ::: "cc", "memory");
    return backwards;
}

static uint32_t read_x87_control(void)
{
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return control;
}

static void write_x87_control(uint32_t control)
{
    uint16_t word = (uint16_t)control;
    __asm__ volatile("fldcw %0" ::"m"(word));
}

static bool release_x87(void)
{
    struct x87 x87;
    __asm__ volatile("fnstenv %0" : "=m"(x87));
    __asm__ volatile("fldenv %0" ::"m"(x87)); /* storing it masked the exceptions */
    bool in_use = (x87.tags & X87_EMPTY) != X87_EMPTY;
    if (in_use)
        __asm__ volatile("emms" ::: "memory");
    return in_use;
}

/** Whether any upper half holds what is not zero; then they are released. Nothing that was compiled with AVX lies between. */
static bool release_vectors(void)
{
    uint8_t in_use = 0;
    if (!__builtin_cpu_supports("avx"))
        return false;
    __asm__ volatile("vextractf128 $1, %%ymm0, %%xmm0\n\t"
                     ".irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\t"
                     "vextractf128 $1, %%ymm\\number, %%xmm\\number\n\t"
                     "vorps %%xmm\\number, %%xmm0, %%xmm0\n\t"
                     ".endr\n\t"
                     "vptest %%xmm0, %%xmm0\n\t"
                     "setnz %0\n\t"
                     "vzeroupper"
                     : "=r"(in_use)
                     :
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    return in_use;
}

#elif defined(__aarch64__)

static uint64_t read_control(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

static void write_control(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(control));
}

static uint32_t read_x87_control(void)
{
    return 0;
}

static void write_x87_control(uint32_t control)
{
    (void)control;
}

static bool clear_direction(void)
{
    return false;
}

static bool release_x87(void)
{
    return false;
}

static bool release_vectors(void)
{
    return false;
}

#endif

static uint64_t blocked_signals(void)
{
    sigset_t set;
    uint64_t first = 0; /* Linux has 64 */
    if (pthread_sigmask(SIG_BLOCK, NULL, &set) == 0)
        memcpy(&first, &set, sizeof first);
    return first;
}

static void look_first(struct cpu_state *state)
{
    state->control = read_control();
    state->x87_control = read_x87_control();
    state->policy = sched_getscheduler(0);
    state->nice = getpriority(PRIO_PROCESS, 0);
    state->blocked = blocked_signals();
    state->begun = true;
}

/** Registers, told and put right. */
static void look(struct cpu_state *state)
{
    state->vectors_in_use |= release_vectors();
    state->x87_in_use |= release_x87();
    state->control_changed |= read_control() != state->control || read_x87_control() != state->x87_control;
    write_control(state->control);
    write_x87_control(state->x87_control);
}

void cpu_state_begin(struct cpu_state *state)
{
    if (state->begun) {
        look(state);
        return;
    }
    release_vectors();
    release_x87();
    look_first(state);
}

void cpu_state_end(struct cpu_state *state, unsigned cpu)
{
    state->backwards |= clear_direction(); /* first: it is the compiler's, too */
    look(state);
    state->affinity_changed |= !is_bound(cpu);
    state->scheduling_changed |= sched_getscheduler(0) != state->policy || getpriority(PRIO_PROCESS, 0) != state->nice;
    state->signals_changed |= blocked_signals() != state->blocked;
}

void cpu_state_describe(const struct cpu_state *state, char *text, size_t size)
{
    snprintf(text, size, "%s",
             state->affinity_changed     ? "leaves its thread bound to other CPUs than it was called on"
             : state->scheduling_changed ? "leaves its thread with another scheduler class or nice value"
             : state->signals_changed    ? "leaves other signals blocked than before"
             : state->backwards          ? "leaves the direction flag set (no cld before it returns)"
             : state->x87_in_use         ? "leaves x87 or MMX registers in use (no emms before it returns)"
             : state->control_changed    ? "leaves rounding or traps changed"
                                         : "");
}
