/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/limit.h"

#include <math.h>

#include "unit_test.h"

static void expect(const char *limit, const char *wanted)
{
    if (wanted)
        assert_string_equal(limit, wanted);
    else
        assert_null(limit);
}

static void the_larger_term_is_the_limit_only_where_it_explains_the_time(void **state)
{
    (void)state;
    expect(limit_of("memory", 94, 100), "memory");
    expect(limit_of("up-convert", 70, 100), "up-convert");
    expect(limit_of("memory", 69.9, 100), limit_neither);
    expect(limit_of("memory", 37.3, 100), "neither");
    expect(limit_of("memory", 110, 100), "memory"); /* faster than the model allows */
}

static void what_is_not_known_is_not_judged(void **state)
{
    (void)state;
    expect(limit_of(NULL, 1, 10), NULL);
    expect(limit_of("memory", NAN, 10), "memory");
    expect(limit_of("memory", 1, NAN), "memory");
}

static void a_token_is_limited_by_the_largest_of_reading_joining_and_the_rest(void **state)
{
    (void)state;
    expect(limit_term_of_token(5, 1, 10), "memory");
    expect(limit_term_of_token(3, 1, 10), "computing");
    expect(limit_term_of_token(2, 6, 10), "synchronisation");
    expect(limit_term_of_token(11, 1, 10), "memory"); /* the roof beside the token is slower than that of the model */
    expect(limit_term_of_token(5, 0, 10), "memory");
    expect(limit_term_of_token(NAN, 1, 10), NULL);
    expect(limit_term_of_token(5, 1, NAN), NULL);
    expect(limit_term_of_token(-1, 1, 10), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_larger_term_is_the_limit_only_where_it_explains_the_time),
        cmocka_unit_test(what_is_not_known_is_not_judged),
        cmocka_unit_test(a_token_is_limited_by_the_largest_of_reading_joining_and_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
