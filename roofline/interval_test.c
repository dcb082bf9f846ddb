/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "roofline/interval.h"
#include "unit_test.h"

static void assert_interval(struct interval is, double low, double high)
{
    bool right =
        isnan(low) ? !interval_is_valid(is)
                   : (is.low == low || fabs(is.low - low) < 1e-12) && (is.high == high || fabs(is.high - high) < 1e-12);
    if (!right)
        fail_msg("[%.17g, %.17g], not [%g, %g]", is.low, is.high, low, high);
}

TEST(operations_give_the_range_of_their_operands)
{
    const struct interval a = {1, 2}, b = {3, 5}, c = {-2, 1}, zero = {-1, 1}, open = {4, INFINITY};
    assert_interval(interval_add(a, b), 4, 7);
    assert_interval(interval_subtract(a, b), -4, -1);
    assert_interval(interval_multiply(a, b), 3, 10);
    assert_interval(interval_multiply(c, b), -10, 5);
    assert_interval(interval_multiply(c, c), -2, 4);
    assert_interval(interval_divide(b, a), 1.5, 5);
    assert_interval(interval_divide(c, b), -2.0 / 3, 1.0 / 3);
    assert_interval(interval_divide(a, zero), NAN, NAN);
    assert_interval(interval_divide(a, interval_point(0)), NAN, NAN);
    assert_interval(interval_divide(a, (struct interval){0, 1}), NAN, NAN);
    assert_interval(interval_min(a, c), -2, 1);
    assert_interval(interval_max(a, c), 1, 2);
    assert_interval(interval_min(b, open), 3, 5);
    assert_interval(interval_add(a, open), 5, INFINITY);
    assert_interval(interval_divide(a, open), 0, 0.5);
    assert_interval(interval_map(ceil, (struct interval){1.2, 3}, true), 2, 3);
    assert_interval(interval_map(fabs, (struct interval){-3, -1}, false), 1, 3);
    assert_interval(interval_power((struct interval){2, 3}, interval_point(2)), 4, 9);
    assert_interval(interval_power((struct interval){0.5, 2}, (struct interval){0, 2}), 0.25, 4);
    assert_interval(interval_power(c, interval_point(2)), NAN, NAN);
}

TEST(what_is_unknown_stays_unknown)
{
    const struct interval a = {1, 2}, unknown = {NAN, NAN};
    assert_false(interval_is_valid(unknown));
    assert_false(interval_is_valid(interval_add(a, unknown)));
    assert_false(interval_is_valid(interval_multiply(a, unknown)));
    assert_false(interval_is_valid(interval_multiply(interval_point(0), (struct interval){1, INFINITY})));
    assert_false(interval_is_valid(interval_min(a, unknown)));
    assert_false(interval_is_valid(interval_max(unknown, a)));
    assert_false(interval_is_valid(interval_power(unknown, a)));
    assert_false(interval_meets(a, unknown));
}

struct printed {
    const char *text;
    double nominal, low, high;
    const char *rest;
};

TEST(a_stated_value_is_an_interval_by_its_rounding)
{
    static const struct printed table[] = {
        {"6.4", 6.4, 6.35, 6.45, ""},
        {"6.40 x", 6.4, 6.395, 6.405, "x"},
        {"98 GB/s", 98, 97.5, 98.5, "GB/s"},
        {"100", 100, 99.5, 100.5, ""},
        {"0.85", 0.85, 0.845, 0.855, ""},
        {".5", 0.5, 0.45, 0.55, ""},
        {"6.", 6, 5.5, 6.5, ""},
        {"0", 0, -0.5, 0.5, ""},
        {"1.25  cycles", 1.25, 1.245, 1.255, "cycles"},
        {"=24", 24, 24, 24, ""},
        {"=0.5 %", 0.5, 0.5, 0.5, "%"},
        {"~30", 30, 25, 35, ""},
        {"~37", 37, 36.5, 37.5, ""},
        {"~450 GB/s", 450, 445, 455, "GB/s"},
        {"~2000", 2000, 1500, 2500, ""},
        {"~4.0", 4, 3.5, 4.5, ""},
        {"~0.10", 0.1, 0.05, 0.15, ""},
        {"~1.7", 1.7, 1.65, 1.75, ""},
        {">=4 x", 4, 4, INFINITY, "x"},
        {"<=100", 100, -INFINITY, 100, ""},
        {"5e3", 5, 4.5, 5.5, "e3"},
        {"0x10", 0, -0.5, 0.5, "x10"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct stated_value stated;
        const char *rest;
        assert_int_equal(stated_value_parse(table[i].text, &stated, &rest), 0);
        assert_true(stated.nominal == table[i].nominal);
        assert_interval(stated.range, table[i].low, table[i].high);
        assert_string_equal(rest, table[i].rest);
    }
    static const char *const bad[] = {"",   "x",   "-1",   ".",  " 5", "~",
                                      "= ", "=~5", ">= 4", ">4", "≈5", "1234567890123456789012345678901234567890"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct stated_value stated;
        const char *rest;
        if (stated_value_parse(bad[i], &stated, &rest) != -EINVAL)
            fail_msg("'%s' was taken", bad[i]);
    }
}

static struct interval printed(const char *text)
{
    struct stated_value stated;
    const char *rest;
    assert_int_equal(stated_value_parse(text, &stated, &rest), 0);
    return stated.range;
}

TEST(stated_values_meet_when_both_can_be_true)
{
    static const struct {
        const char *a, *b;
        bool meet;
    } table[] = {
        {"6.4", "6.38", true},   {"6.4", "6.5", false},   {"97", "98", false},      {"0.8", "0.9", false},
        {"0.85", "0.95", false}, {"1.1", "1.2", false},   {"1.7", "=1.75", true},   {"1.8", "=1.75", true},
        {"1.8", "=1.74", false}, {"=2", "=2", true},      {"=2", "=2.001", false},  {"~30", "27.6", true},
        {"~30", "=24.9", false}, {">=4", "4.01", true},   {">=4", "3.9", false},    {">=4", "=4", true},
        {"<=100", "=100", true}, {"<=100", "100", true},  {"<=100", "=101", false}, {">=5", "<=4", false},
        {"2.85", "2.847", true}, {"3.68", "3.678", true}, {"55", "56.6", false},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        if (interval_meets(printed(table[i].a), printed(table[i].b)) != table[i].meet ||
            interval_meets(printed(table[i].b), printed(table[i].a)) != table[i].meet)
            fail_msg("%s and %s", table[i].a, table[i].b);
    }
}

RUN_TESTS(NULL, NULL)
