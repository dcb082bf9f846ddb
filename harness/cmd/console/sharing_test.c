/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/sharing.h"
#include "unit_test.h"

static json_t *quantity(double median, int n)
{
    return json_pack("{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}", "median", median, "min", median, "mad", 0.0,
                     "ci95", median, median, "n", n, "rejected", 0, "unit", "J", "grade", "count");
}

TEST(a_row_says_what_it_is_of)
{
    char text[160];
    json_auto_t *record = json_object();
    assert_string_equal(energy_text(record, text, sizeof text), "");
    json_object_set_new(record, "package_energy_j", quantity(0.00321, 8));
    assert_string_equal(energy_text(record, text, sizeof text), "  3.21 mJ a call of all packages");
    json_object_set_new(record, "package_idle_w", quantity(20, 6));
    assert_string_equal(energy_text(record, text, sizeof text),
                        "  3.21 mJ a call of all packages, which take 20 W when idle");
    json_object_set_new(record, "joules_per_token", json_null());
    assert_string_equal(energy_text(record, text, sizeof text),
                        "  3.21 mJ a call of all packages, which take 20 W when idle");
    json_object_set_new(record, "joules_per_token", quantity(12.5, 8));
    assert_string_equal(energy_text(record, text, sizeof text),
                        "  12.5 J a token of all packages, which take 20 W when idle");
}

TEST(too_few_windows_are_not_printed)
{
    char text[160];
    json_auto_t *record = json_pack("{s:o}", "package_energy_j", quantity(1, 5));
    assert_string_equal(energy_text(record, text, sizeof text), "");
}

RUN_TESTS(NULL, NULL)
