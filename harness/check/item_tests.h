/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <fnmatch.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/check/call/emulator.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

/** For tests only: the same cmocka tests for every entry of a registry, so that a new file is tested by being there. */
enum { ITEM_TESTS_MAX = 4000 };

struct item_tests {
    struct CMUnitTest tests[ITEM_TESTS_MAX];
    char names[ITEM_TESTS_MAX][96];
    size_t count;
};

/** Of every item, or of those whose name matches the shell pattern KNEEPOINT_TEST_ITEMS. */
static inline void item_tests_add(struct item_tests *suite, const char *item, const char *what,
                                  CMUnitTestFunction function, const void *entry)
{
    const char *wanted = getenv("KNEEPOINT_TEST_ITEMS");
    if (wanted && fnmatch(wanted, item, 0) != 0)
        return;
    if (suite->count == ITEM_TESTS_MAX) {
        fprintf(stderr, "more than %d tests: raise ITEM_TESTS_MAX\n", ITEM_TESTS_MAX);
        _exit(1);
    }
    snprintf(suite->names[suite->count], sizeof suite->names[0], "%s %s", item, what);
    suite->tests[suite->count] = (struct CMUnitTest){
        .name = suite->names[suite->count],
        .test_func = function,
        .initial_state = (void *)(uintptr_t)entry,
    };
    suite->count++;
}

static inline int item_tests_run(const char *group, struct item_tests *suite)
{
    /* each test of thousands takes and frees megabytes, which would be mapped, touched and unmapped each time */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    return _cmocka_run_group_tests(group, suite->tests, suite->count, NULL, NULL);
}

/** What CPUID says of this machine, asked once: in a guest each of its leaves traps. */
static inline const struct cpuid_dump *item_tests_cpu(void)
{
    static struct cpuid_dump dump;
    static bool is_read;
    if (!is_read)
        assert_int_equal(cpuid_dump_host(&dump), 0);
    is_read = true;
    return &dump;
}

/** Skip the test, with the reason as scripts/run_tests reads it, if this CPU cannot run code of an ISA. */
static inline void require_isa(const char *isa)
{
    char why[160];
    const struct isa *row = isa_find(isa);
    assert_non_null(row);
    isa_missing(row, item_tests_cpu(), why, sizeof why);
    skip_if(why[0], "not on this machine: %s", why);
}

/**
 * The same of code that is called through checked_call_report_of() alone: instructions that are emulated are no reason to
 * skip, what else it needs is.
 */
static inline void require_isa_or_emulator(const char *isa)
{
    const struct isa *row = isa_find(isa);
    assert_non_null(row);
    if (!emulator_stands_in(isa)) {
        require_isa(isa);
        return;
    }
    struct isa rest = *row;
    rest.required &= ~emulator_features(isa);
    char why[160];
    isa_missing(&rest, item_tests_cpu(), why, sizeof why);
    skip_if(why[0], "not on this machine: %s", why);
}

static inline void item_tests_on_illegal(int number, siginfo_t *info, void *context)
{
    const char *why;
    (void)info;
    if (emulator_execute(context, &why) != TILE_EMULATED)
        signal(number, SIG_DFL); /* the instruction is executed again, and ends the test */
}

/** As require_isa_or_emulator(), of code that the test also calls as it is, in this process. @return whether it is emulated */
static inline bool require_isa_or_emulate(const char *isa)
{
    require_isa_or_emulator(isa);
    const struct sigaction emulated = {.sa_sigaction = item_tests_on_illegal, .sa_flags = SA_SIGINFO};
    bool emulates = emulator_stands_in(isa);
    if (emulates)
        sigaction(SIGILL, &emulated, NULL);
    else
        signal(SIGILL, SIG_DFL);
    return emulates;
}

/** Deterministic random numbers: splitmix64. */
static inline uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
