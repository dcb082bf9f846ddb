/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/** cmocka, and what it wants before it: for tests, and for what several of them share. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/** Skip a test where this holds, and say why: "not on this machine: …" or "noise: …", as printf. */
#define skip_if(holds, ...)                                                                                            \
    do {                                                                                                               \
        if (holds) {                                                                                                   \
            print_message("# " __VA_ARGS__);                                                                           \
            print_message("\n");                                                                                       \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

/**
 * The tests of a file run in the order in which they are written:
 *
 *     TEST(what_holds)
 *     {
 *         assert_true(…);
 *     }
 *
 *     TEST_WITH(what_holds_of_a_folder, make_folder, remove_folder) // before and after it, cmocka's **state between them; NULL: neither
 *     {
 *         assert_true(…, *state);
 *     }
 *
 *     TEST_GIVEN_BY(what_holds_of_a_bench, struct bench *bench, open_bench, close_bench) // which have set *state to one
 *     {
 *         assert_true(…, bench);
 *     }
 *
 *     TEST_GIVEN(what_holds_of_the_bench, struct bench *bench) // of all tests
 *
 *     RUN_TESTS(NULL, NULL) // before and after all of them
 */
enum { UNIT_TESTS_MOST = 64 };

struct unit_tests {
    struct CMUnitTest of[UNIT_TESTS_MOST];
    int line[UNIT_TESTS_MOST];
    size_t count;
};

/** By line, since constructors have no order. */
static inline void unit_test_add(struct unit_tests *tests, int line, struct CMUnitTest test)
{
    if (tests->count == UNIT_TESTS_MOST)
        abort();
    size_t at = tests->count++;
    for (; at && tests->line[at - 1] > line; at--) {
        tests->of[at] = tests->of[at - 1];
        tests->line[at] = tests->line[at - 1];
    }
    tests->of[at] = test;
    tests->line[at] = line;
}

#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)                                                                             \
    static struct unit_tests unit_tests;                                                                               \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void name##_is_a_test(void)                                                    \
    {                                                                                                                  \
        unit_test_add(&unit_tests, __LINE__, (struct CMUnitTest){#name, name, set_up, tear_down, NULL});               \
    }                                                                                                                  \
    static void name(__attribute__((unused)) void **state)

#define TEST_GIVEN(name, given) TEST_GIVEN_BY(name, given, NULL, NULL)
#define TEST_GIVEN_BY(name, given, set_up, tear_down)                                                                  \
    static void name##_given(given);                                                                                   \
    TEST_WITH(name, set_up, tear_down)                                                                                 \
    {                                                                                                                  \
        name##_given(*state);                                                                                          \
    }                                                                                                                  \
    static void name##_given(given)

#define RUN_TESTS(set_up, tear_down)                                                                                   \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        return _cmocka_run_group_tests("tests", unit_tests.of, unit_tests.count, set_up, tear_down);                   \
    }
