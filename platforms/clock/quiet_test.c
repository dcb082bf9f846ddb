/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The proof of a quiet region: it trips over interrupts, faults and preemption, and hardly ever over nothing.
 *
 * timed: it looks at the clock of this machine; none of its claims needs a quiet one.
 */
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platforms/clock/clock.h"
#include "platforms/clock/quiet.h"
#include "unit_test.h"

/** The check needs a register that an interrupt leaves a trace in. */
static void require_sight(void)
{
    skip_if(interrupts_undetectable(), "not on this machine: %s", interrupts_undetectable());
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile unsigned char *fresh_page(void)
{
    void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    return page;
}

static void drop_page(volatile unsigned char *page)
{
    munmap((void *)(uintptr_t)page, (size_t)sysconf(_SC_PAGESIZE));
}

/* ---------------------------------------------------------------- interrupts */

TEST(an_empty_region_is_quiet)
{
    enum { TRIES = 1000 };
    int quiet = 0;
    for (int i = 0; i < TRIES; i++) {
        quiet_arm();
        quiet += !quiet_interrupted();
        quiet_disarm();
    }
    assert_true(quiet > TRIES * 9 / 10);
}

/** 20 ms hold several timer ticks; a core without ticks still has one a second. */
TEST(a_long_region_is_interrupted)
{
    require_sight();
    double begin_s = now_s();
    quiet_arm();
    while (now_s() - begin_s < 0.02)
        ;
    while (!quiet_interrupted() && now_s() - begin_s < 3)
        ;
    bool interrupted = quiet_interrupted();
    quiet_disarm();
    assert_true(interrupted);
}

TEST(a_page_fault_is_seen)
{
    require_sight();
    for (int i = 0; i < 20; i++) {
        volatile unsigned char *page = fresh_page();
        quiet_arm();
        *page = 1;
        bool interrupted = quiet_interrupted();
        quiet_disarm();
        drop_page(page);
        assert_true(interrupted);
    }
}

/** Arming again forgets what was before. */
TEST(arming_starts_afresh)
{
    require_sight();
    int quiet = 0;
    for (int i = 0; i < 100; i++) {
        volatile unsigned char *page = fresh_page();
        quiet_arm();
        *page = 1;
        quiet_arm();
        quiet += !quiet_interrupted();
        quiet_disarm();
        drop_page(page);
    }
    assert_true(quiet > 50);
}

TEST(disarmed_is_what_the_system_gave)
{
    require_sight();
#if defined(__x86_64__)
    uint32_t selector;
    quiet_arm();
    quiet_disarm();
    __asm__ volatile("mov %%es, %0" : "=r"(selector));
    assert_int_equal(selector & 0xffff, 0);
#endif
}

/* ---------------------------------------------------------------- preemption */

static cpu_set_t stay_on_this_cpu(void)
{
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    return before;
}

/** A child that spins on the CPU of its parent. */
static pid_t start_rival(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        double begin_s = now_s();
        while (now_s() - begin_s < 5)
            ;
        _exit(0);
    }
    return child;
}

/**
 * Spin in an armed region, without a system call, until the time jumps by a millisecond or so: the rival had the CPU.
 * A switch inside a system call would not be seen, since that returns by SYSRET.
 */
static bool interrupted_when_time_jumps(void)
{
    enum { JUMP_TICKS = 2000000 };
    double begin_s = now_s();
    quiet_arm();
    uint64_t before = tsc_end().ticks, ticks = before;
    while (ticks - before < JUMP_TICKS && now_s() - begin_s < 1) {
        before = ticks;
        ticks = tsc_end().ticks;
    }
    bool interrupted = quiet_interrupted();
    quiet_disarm();
    return interrupted;
}

TEST(being_preempted_is_seen_and_counted)
{
    require_sight();
    enum { ROUNDS = 10 };
    cpu_set_t before = stay_on_this_cpu();
    pid_t rival = start_rival();
    int interrupted = 0, switched = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct quiet_usage earlier = quiet_usage_read();
        bool seen = interrupted_when_time_jumps();
        if (quiet_usage_since(earlier, quiet_usage_read()).involuntary_switches > 0) {
            switched++;
            interrupted += seen;
        }
    }
    kill(rival, SIGKILL);
    assert_int_equal(waitpid(rival, NULL, 0), rival);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(switched > 0);
    assert_true(interrupted >= switched - 1); /* one may have come between the counts and the region */
}

/* ---------------------------------------------------------------- usage */

TEST(differences_are_field_by_field)
{
    struct quiet_usage since =
        quiet_usage_since((struct quiet_usage){1, 20, 300, 4000, 0.5}, (struct quiet_usage){8, 29, 311, 4013, 2});
    assert_int_equal(since.voluntary_switches, 7);
    assert_int_equal(since.involuntary_switches, 9);
    assert_int_equal(since.minor_faults, 11);
    assert_int_equal(since.major_faults, 13);
    assert_true(since.off_s == 1.5);
}

TEST(a_fault_is_counted_once)
{
    enum { PAGES = 10 };
    volatile unsigned char *pages[PAGES];
    struct quiet_usage earlier = quiet_usage_read(); /* its own pages are there now */
    for (int i = 0; i < PAGES; i++)
        pages[i] = fresh_page();
    earlier = quiet_usage_read();
    for (int i = 0; i < PAGES; i++)
        *pages[i] = 1;
    struct quiet_usage first = quiet_usage_since(earlier, quiet_usage_read());
    for (int i = 0; i < PAGES; i++)
        *pages[i] = 2;
    struct quiet_usage both = quiet_usage_since(earlier, quiet_usage_read());
    for (int i = 0; i < PAGES; i++)
        drop_page(pages[i]);
    /* neighbouring mappings may become one area, but a page is a fault of its own */
    assert_true(first.minor_faults >= PAGES);
    assert_true(both.minor_faults <= first.minor_faults + 1);
    assert_int_equal(both.major_faults, 0);
}

TEST(sleeping_is_a_voluntary_switch)
{
    struct quiet_usage earlier = quiet_usage_read();
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    assert_true(quiet_usage_since(earlier, quiet_usage_read()).voluntary_switches >= 1);
}

RUN_TESTS(NULL, NULL)
