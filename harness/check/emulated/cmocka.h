/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * In place of cmocka where it is not installed: tests built for another architecture and run by its emulator
 * (scripts/check_aarch64). As much of its interface as those tests use; results as TAP.
 */
struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    int (*setup_func)(void **state);
    int (*teardown_func)(void **state);
    void *initial_state;
};
typedef void (*CMUnitTestFunction)(void **state);

#define cmocka_unit_test(function)                                                                                     \
    {                                                                                                                  \
#function, function, NULL, NULL, NULL                                                                          \
    }
#define cmocka_unit_test_setup_teardown(function, setup, teardown)                                                     \
    {                                                                                                                  \
#function, function, setup, teardown, NULL                                                                     \
    }

enum emulated_end { EMULATED_FAILED = 1, EMULATED_SKIPPED };

/* Where a failed assertion returns to: it has no other way out of the functions between. */
static jmp_buf emulated_escape;

__attribute__((noreturn, format(printf, 3, 4))) static inline void emulated_fail(const char *file, int line,
                                                                                 const char *format, ...)
{
    va_list arguments;
    printf("# %s:%d: ", file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    longjmp(emulated_escape, EMULATED_FAILED);
}

#define fail_msg(...)      emulated_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()             longjmp(emulated_escape, EMULATED_SKIPPED)
#define print_message(...) printf(__VA_ARGS__)
#define print_error(...)   printf("# " __VA_ARGS__)

#define emulated_assert(holds, text)                                                                                   \
    do {                                                                                                               \
        if (!(holds))                                                                                                  \
            emulated_fail(__FILE__, __LINE__, "%s", text);                                                             \
    } while (0)
#define emulated_integer(value) ((uintmax_t)(value))

#define assert_true(value)               emulated_assert(value, #value)
#define assert_false(value)              emulated_assert(!(value), "not: " #value)
#define assert_non_null(pointer)         emulated_assert((pointer) != NULL, #pointer " is NULL")
#define assert_null(pointer)             emulated_assert((pointer) == NULL, #pointer " is not NULL")
#define assert_ptr_equal(a, b)           emulated_assert((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_memory_equal(a, b, n)     emulated_assert(memcmp(a, b, n) == 0, #a " holds what " #b " holds")
#define assert_memory_not_equal(a, b, n) emulated_assert(memcmp(a, b, n) != 0, #a " differs from " #b)

#define assert_int_equal(a, b)     emulated_compare(emulated_integer(a), emulated_integer(b), true, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) emulated_compare(emulated_integer(a), emulated_integer(b), false, __FILE__, __LINE__)
#define assert_in_range(value, least, most)                                                                            \
    emulated_range(emulated_integer(value), emulated_integer(least), emulated_integer(most), __FILE__, __LINE__)
#define assert_string_equal(a, b) emulated_strings(a, b, __FILE__, __LINE__)

static inline void emulated_compare(uintmax_t a, uintmax_t b, bool equal, const char *file, int line)
{
    if ((a == b) != equal)
        emulated_fail(file, line, "%" PRIdMAX " %s %" PRIdMAX, (intmax_t)a, equal ? "!=" : "==", (intmax_t)b);
}

static inline void emulated_range(uintmax_t value, uintmax_t least, uintmax_t most, const char *file, int line)
{
    if (value < least || value > most)
        emulated_fail(file, line, "%" PRIuMAX " is not in %" PRIuMAX " ... %" PRIuMAX, value, least, most);
}

static inline void emulated_strings(const char *a, const char *b, const char *file, int line)
{
    if (strcmp(a, b) != 0)
        emulated_fail(file, line, "\"%s\" != \"%s\"", a, b);
}

/** One test from setup to teardown. @return 0 passed, else enum emulated_end */
static inline int emulated_run(const struct CMUnitTest *test)
{
    void *state = test->initial_state;
    volatile int end = setjmp(emulated_escape);
    if (end == 0) {
        if (test->setup_func && test->setup_func(&state) != 0)
            return EMULATED_FAILED;
        test->test_func(&state);
    }
    if (test->teardown_func && test->teardown_func(&state) != 0 && end == 0)
        return EMULATED_FAILED;
    return end;
}

static inline int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                          int (*setup)(void **state), int (*teardown)(void **state))
{
    int failed = 0;
    (void)group, (void)setup, (void)teardown;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was said before a crash counts */
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        int end = emulated_run(&tests[i]);
        printf("%sok %zu - %s%s\n", end == EMULATED_FAILED ? "not " : "", i + 1, tests[i].name,
               end == EMULATED_SKIPPED ? " # SKIP" : "");
        failed += end == EMULATED_FAILED;
    }
    return failed;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    _cmocka_run_group_tests(#tests, tests, sizeof tests / sizeof tests[0], setup, teardown)
