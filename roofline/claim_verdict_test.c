/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/claim_verdict.h"
#include "unit_test.h"

TEST(the_first_reading_that_meets_decides)
{
    const struct interval stated = {2.845, 2.855}, gb = {3.01, 3.1}, gib = {2.80, 2.89}, other = {2.85, 2.851};
    size_t which;
    struct claim_reading readings[] = {{gib, stated}, {gb, stated}, {gb, stated}};
    assert_int_equal(claim_verdict_of(readings, 3, &which), CLAIM_HOLDS);
    assert_int_equal(which, 0);
    readings[0].recomputed = gb;
    assert_int_equal(claim_verdict_of(readings, 3, &which), CLAIM_DIFFERS);
    assert_int_equal(which, 0);
    readings[2].recomputed = gib;
    assert_int_equal(claim_verdict_of(readings, 3, &which), CLAIM_HOLDS_WITH);
    assert_int_equal(which, 2);
    readings[1].recomputed = other;
    assert_int_equal(claim_verdict_of(readings, 3, &which), CLAIM_HOLDS_WITH);
    assert_int_equal(which, 1);
    assert_int_equal(claim_verdict_of(readings, 1, &which), CLAIM_DIFFERS);
}

TEST(a_limit_between_the_ends_is_undecided)
{
    const struct interval least = {1, INFINITY}, most = {-INFINITY, 1};
    static const struct {
        struct interval recomputed;
        enum claim_verdict least, most;
    } table[] = {
        {{0.99, 1.01}, CLAIM_UNDECIDED, CLAIM_UNDECIDED}, {{1.01, 1.02}, CLAIM_HOLDS, CLAIM_DIFFERS},
        {{0.98, 0.99}, CLAIM_DIFFERS, CLAIM_HOLDS},       {{1, 1}, CLAIM_HOLDS, CLAIM_HOLDS},
        {{1, 1.01}, CLAIM_HOLDS, CLAIM_DIFFERS}, /* an end in common is not to meet */
    };
    size_t which;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct claim_reading at_least = {table[i].recomputed, least}, at_most = {table[i].recomputed, most};
        assert_int_equal(claim_verdict_of(&at_least, 1, &which), table[i].least);
        assert_int_equal(claim_verdict_of(&at_most, 1, &which), table[i].most);
    }
    const struct claim_reading readings[] = {{{0.5, 0.6}, least}, {{0.9, 1.1}, least}, {{2, 3}, least}};
    assert_int_equal(claim_verdict_of(readings, 3, &which), CLAIM_UNDECIDED);
    assert_int_equal(which, 1);
}

TEST(an_unknown_value_never_holds)
{
    const struct claim_reading reading = {{NAN, NAN}, {1, 2}};
    size_t which;
    assert_int_equal(claim_verdict_of(&reading, 1, &which), CLAIM_DIFFERS);
}

TEST(the_difference_is_a_share_of_what_is_stated)
{
    assert_true(fabs(claim_difference(6.25, 6.1) - 0.0245901639) < 1e-9);
    assert_true(fabs(claim_difference(1, 4) + 0.75) < 1e-12);
    assert_true(isnan(claim_difference(1, 0)));
}

TEST(verdicts_have_names)
{
    for (unsigned verdict = 0; verdict < CLAIM_VERDICTS; verdict++)
        assert_int_equal(claim_verdict_named(claim_verdict_name((enum claim_verdict)verdict)), verdict);
    assert_int_equal(claim_verdict_named("hold"), CLAIM_VERDICTS);
    assert_int_equal(claim_verdict_named(""), CLAIM_VERDICTS);
}

RUN_TESTS(NULL, NULL)
