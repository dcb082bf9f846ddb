/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline/expression.h"
#include "unit_test.h"

static const struct expression_name names[] = {
    {"a", {.of = {{1, 2}}, .count = 1}},
    {"b", {.of = {{3, 5}}, .count = 1}},
    {"zero", {.of = {{-1, 1}}, .count = 1}},
    {"alpha", {.of = {{0.865, 0.875}}, .count = 1}},
    {"list", {.of = {{1, 2}, {3, 3}, {8, 10}}, .count = 3}},
    {"pair", {.of = {{1, 1}, {2, 2}}, .count = 2}},
};

static int evaluate(const char *text, struct expression_value *value, char why[200])
{
    why[0] = '\0';
    return expression_evaluate(text, names, COUNT(names), value, why, 200);
}

static void assert_range(const char *text, size_t element, double low, double high)
{
    struct expression_value value;
    char why[200];
    if (evaluate(text, &value, why) != 0)
        fail_msg("%s: %s", text, why);
    assert_true(element < value.count);
    if (fabs(value.of[element].low - low) > 1e-9 || fabs(value.of[element].high - high) > 1e-9)
        fail_msg("%s: [%.10g, %.10g], not [%g, %g]", text, value.of[element].low, value.of[element].high, low, high);
}

TEST(formulas_have_the_usual_precedence)
{
    assert_range("1 + 2 * 3", 0, 7, 7);
    assert_range("(1 + 2) * 3", 0, 9, 9);
    assert_range("10 - 3 - 2", 0, 5, 5);
    assert_range("12 / 3 / 2", 0, 2, 2);
    assert_range("2 ^ 3 ^ 2", 0, 512, 512);
    assert_range("2 * 3 ^ 2", 0, 18, 18);
    assert_range("-2 + 5", 0, 3, 3);
    assert_range("--2", 0, 2, 2);
    assert_range(" 1.5e1/ .5 ", 0, 30, 30);
    assert_range("a", 0, 1, 2);
    assert_range("a + b", 0, 4, 7);
    assert_range("a / b - 1", 0, 1.0 / 5 - 1, 2.0 / 3 - 1);
    assert_range("-a", 0, -2, -1);
}

TEST(functions_give_the_range_of_their_arguments)
{
    assert_range("min(a, 1.5, b)", 0, 1, 1.5);
    assert_range("max(a, b)", 0, 3, 5);
    assert_range("ceil(log2(3))", 0, 2, 2);
    assert_range("floor(2.9)", 0, 2, 2);
    assert_range("log2(3 ^ 3) / 3", 0, 1.5849625007, 1.5849625007);
    assert_range("sqrt(a * 2)", 0, sqrt(2), 2);
    assert_range("vector_bytes(2)", 0, 8, 8);
    assert_range("min(10, vector_bytes(1) / a)", 0, 2, 4);
    assert_range("amdahl(alpha, 8)", 0, 1 / (1 - 0.865 + 0.865 / 8), 4.2666666667);
    assert_range("amdahl(0.5, a + 1)", 0, 4.0 / 3, 1.5);
}

TEST(lists_go_element_by_element)
{
    assert_range("list", 2, 8, 10);
    assert_range("list / 2", 0, 0.5, 1);
    assert_range("6 / list", 1, 2, 2);
    assert_range("list - list", 2, -2, 2);
    assert_range("max(list, 3)", 0, 3, 3);
    assert_range("amdahl(alpha, list + 7)", 0, 1 / (1 - 0.865 + 0.865 / 8), 1 / (1 - 0.875 + 0.875 / 9));
    assert_range("sum(list)", 0, 12, 15);
    assert_range("mean(list)", 0, 4, 5);
    assert_range("min(list)", 0, 1, 2);
    assert_range("max(list)", 0, 8, 10);
    assert_range("max(list * 2) + sum(pair)", 0, 19, 23);
    assert_range("min(5)", 0, 5, 5);
}

TEST(what_is_wrong_is_said_with_its_place)
{
    static const struct {
        const char *text;
        int error;
        const char *why;
    } table[] = {
        {"", -EINVAL, "a number, a name or '(' is missing at character 1 of ''"},
        {"1 +", -EINVAL, "is missing at character 4 of '1 +'"},
        {"1 2", -EINVAL, "there is text after the end at character 3"},
        {"(1", -EINVAL, "')' is missing at character 3"},
        {"1)", -EINVAL, "there is text after the end"},
        {"gamma", -EINVAL, "unknown name 'gamma' at character 1"},
        {"a + bb", -EINVAL, "unknown name 'bb' at character 5"},
        {"sin(1)", -EINVAL, "no function 'sin'"},
        {"min()", -EINVAL, "is missing at character 5"},
        {"min(1, 2", -EINVAL, "')' is missing"},
        {"min(1, 2, 3, 4, 5)", -EINVAL, "too many arguments of min()"},
        {"sum(1, 2)", -EINVAL, "sum() takes 1 argument "},
        {"amdahl(1)", -EINVAL, "amdahl() takes 2 arguments"},
        {"list + pair", -EINVAL, "lists of 3 and 2 numbers"},
        {"a / zero", -EDOM, "no value at character 9"},
        {"1 / 0", -EDOM, "no value"},
        {"log2(zero)", -EDOM, "no value"},
        {"sqrt(0 - 1)", -EDOM, "no value"},
        {"zero ^ 2", -EDOM, "no value"},
        {"vector_bytes(65)", -EDOM, "no value"},
        {"amdahl(2, 2)", -EDOM, "no value"},
        {"a $ b", -EINVAL, "there is text after the end at character 3"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct expression_value value;
        char why[200];
        int error = evaluate(table[i].text, &value, why);
        if (error != table[i].error || !strstr(why, table[i].why))
            fail_msg("'%s': %d '%s'", table[i].text, error, why);
    }
    char deep[256] = "";
    memset(deep, '(', 200);
    struct expression_value value;
    char why[200];
    assert_int_equal(evaluate(deep, &value, why), -EINVAL);
    assert_non_null(strstr(why, "more than 32 levels"));
    char small[8];
    assert_int_equal(expression_evaluate("gamma", names, 0, &value, small, sizeof small), -EINVAL);
    assert_string_equal(small, "unknown");
}

TEST(uses_of_a_name_are_counted)
{
    assert_int_equal(expression_uses("a + aa * a - 1e9 / (a)", "a"), 3);
    assert_int_equal(expression_uses("1e9 * e9", "e9"), 1);
    assert_int_equal(expression_uses("min(m, in)", "min"), 1);
    assert_int_equal(expression_uses("b", "a"), 0);
    assert_int_equal(expression_uses("", "a"), 0);
}

RUN_TESTS(NULL, NULL)
