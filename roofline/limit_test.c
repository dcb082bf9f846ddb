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

TEST(the_larger_term_is_the_limit_only_where_it_explains_the_time)
{
    expect(limit_of("memory", 94, 100), "memory");
    expect(limit_of("up-convert", 70, 100), "up-convert");
    expect(limit_of("memory", 69.9, 100), limit_neither);
    expect(limit_of("memory", 37.3, 100), "neither");
    expect(limit_of("memory", 110, 100), "memory"); /* faster than the model allows */
}

TEST(what_is_not_known_is_not_judged)
{
    expect(limit_of(NULL, 1, 10), NULL);
    expect(limit_of("memory", NAN, 10), "memory");
    expect(limit_of("memory", 1, NAN), "memory");
}

TEST(a_token_is_limited_by_the_largest_of_reading_joining_and_the_rest)
{
    expect(limit_term_of_token(5, 1, 10), "memory");
    expect(limit_term_of_token(3, 1, 10), "computing");
    expect(limit_term_of_token(2, 6, 10), "synchronisation");
    expect(limit_term_of_token(11, 1, 10), "memory"); /* the roof beside the token is slower than that of the model */
    expect(limit_term_of_token(5, 0, 10), "memory");
    expect(limit_term_of_token(NAN, 1, 10), NULL);
    expect(limit_term_of_token(5, 1, NAN), NULL);
    expect(limit_term_of_token(-1, 1, 10), NULL);
}

TEST(cells_are_judged_from_above_and_from_below)
{
    static const struct {
        struct plausibility_facts facts;
        enum plausibility plausibility;
    } table[] = {
        {{1.04, 1, 1, 1}, PLAUSIBILITY_ABOVE_ROOF},
        {{1.03, 1, 1, 1}, PLAUSIBILITY_EXPECTED},
        {{0.5, 1, 0.81, 0.5}, PLAUSIBILITY_EXPECTED}, /* the kernel is slow, and predicted so */
        {{0.5, 1, 0.79, 0.9}, PLAUSIBILITY_FAR_BELOW},
        {{0.9, 1, NAN, 0.61}, PLAUSIBILITY_EXPECTED}, /* no omega: a looser bound */
        {{0.9, 1, NAN, 0.59}, PLAUSIBILITY_FAR_BELOW},
        {{NAN, 1, NAN, 0.59}, PLAUSIBILITY_FAR_BELOW}, /* warm */
        {{0.2, 1, NAN, NAN}, PLAUSIBILITY_NOT_JUDGED},
        {{0.2, NAN, 1, 1}, PLAUSIBILITY_NOT_JUDGED},
        {{1.1, NAN, NAN, NAN}, PLAUSIBILITY_ABOVE_ROOF},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (plausibility_of(&table[i].facts) != table[i].plausibility)
            fail_msg("row %zu: %d, not %d", i, (int)plausibility_of(&table[i].facts), (int)table[i].plausibility);
    }
}

RUN_TESTS(NULL, NULL)
