/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/call/cpu_state.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "unit_test.h"

static unsigned cpu;

static void bind_to(const cpu_set_t *set)
{
    assert_int_equal(sched_setaffinity(0, sizeof *set, set), 0);
}

static int bind_to_this_one(void **state)
{
    cpu_set_t one;
    (void)state;
    cpu = (unsigned)sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    bind_to(&one);
    return 0;
}

static void says(const struct cpu_state *left, const char *text)
{
    char said[160];
    cpu_state_describe(left, said, sizeof said);
    assert_non_null(strstr(said, text));
    assert_int_equal(said[0] == '\0', text[0] == '\0');
}

TEST_WITH(nothing_leaves_nothing, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    cpu_state_begin(&left);
    cpu_state_end(&left, cpu);
    says(&left, "");
    assert_false(left.vectors_in_use);
}

TEST_WITH(an_affinity_that_changed, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    cpu_state_begin(&left);
    bind_to(&all);
    cpu_state_end(&left, cpu);
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    if (CPU_COUNT(&allowed) > 1)
        says(&left, "other CPUs");
}

TEST_WITH(a_nice_value_that_changed, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    cpu_state_begin(&left);
    int before = getpriority(PRIO_PROCESS, 0);
    if (before == 19) /* there is none beyond */
        return;
    assert_int_equal(setpriority(PRIO_PROCESS, 0, before + 1), 0);
    cpu_state_end(&left, cpu);
    says(&left, "another scheduler class or nice value");
    setpriority(PRIO_PROCESS, 0, before); /* which only root may */
}

TEST_WITH(a_signal_that_is_blocked, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    cpu_state_begin(&left);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    cpu_state_end(&left, cpu);
    assert_int_equal(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
    says(&left, "other signals blocked");
}

#if defined(__x86_64__)
/** A call among those of a sample, which nothing looks after. */
TEST_WITH(what_changed_between_two_readings, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    uint32_t before = __builtin_ia32_stmxcsr();
    cpu_state_begin(&left);
    cpu_state_end(&left, cpu);
    says(&left, "");
    __builtin_ia32_ldmxcsr(before | 0x8040); /* flush to zero, denormals are zero */
    cpu_state_begin(&left);
    cpu_state_end(&left, cpu);
    says(&left, "rounding");
    assert_int_equal(__builtin_ia32_stmxcsr() & 0x8040, before & 0x8040);
}

TEST_WITH(the_control_word_of_the_x87, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    uint16_t single = 0x007f, now;
    cpu_state_begin(&left);
    __asm__ volatile("fldcw %0" ::"m"(single));
    cpu_state_end(&left, cpu);
    __asm__ volatile("fnstcw %0" : "=m"(now));
    says(&left, "rounding");
    assert_int_not_equal(now, single);
}

TEST_WITH(registers_of_the_x87_and_its_release, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    cpu_state_begin(&left);
    __asm__ volatile("fld1" ::: "st");
    cpu_state_end(&left, cpu);
    says(&left, "x87");
    left = (struct cpu_state){0};
    cpu_state_begin(&left);
    cpu_state_end(&left, cpu);
    says(&left, "");
}

TEST_WITH(the_direction_flag_and_that_it_is_cleared, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    cpu_state_begin(&left);
    __asm__ volatile("std" ::: "cc", "memory");
    cpu_state_end(&left, cpu);
    says(&left, "direction flag");
    assert_false(__builtin_ia32_readeflags_u64() & 1 << 10);
}

TEST_WITH(rounding_is_told_and_put_right, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    uint32_t before = __builtin_ia32_stmxcsr();
    cpu_state_begin(&left);
    __builtin_ia32_ldmxcsr(before | 0x8000);
    cpu_state_end(&left, cpu);
    says(&left, "rounding");
    assert_int_equal(__builtin_ia32_stmxcsr() & 0x8000, before & 0x8000);
}

TEST_WITH(upper_halves_are_told_and_break_no_rule, bind_to_this_one, NULL)
{
    struct cpu_state left = {0};
    if (!__builtin_cpu_supports("avx"))
        return;
    cpu_state_begin(&left);
    __asm__ volatile("pcmpeqd %%xmm9, %%xmm9; vinsertf128 $1, %%xmm9, %%ymm9, %%ymm9" ::: "xmm9");
    cpu_state_end(&left, cpu);
    assert_true(left.vectors_in_use);
    says(&left, "");
}
#endif

RUN_TESTS(NULL, NULL)
