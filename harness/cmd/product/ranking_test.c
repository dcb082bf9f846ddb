/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/product/ranking.h"

#include <math.h>

#include "harness/cmd/console/fastest.h"
#include "unit_test.h"

struct one {
    const char *type, *name;
    int m, n, threads;
    const char *protocol;
    double time_s, predicted_s;
    const char *binds;
};

static json_t *quantity(double median)
{
    return json_pack("{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}", "median", median, "min", median, "mad", 0.0,
                     "ci95", median, median, "n", 8, "rejected", 0, "unit", "s", "grade", "wall");
}

static json_t *record(const struct one *one)
{
    json_t *made = json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:o, s:f, s:s?, s:o, s:o}", "type", one->type, "name",
                             one->name, "m", one->m, "k", 64, "n", one->n, "threads", one->threads, "protocol",
                             one->protocol, "time_s", quantity(one->time_s), "predicted_s", one->predicted_s, "binds",
                             one->binds, "roof_fraction", quantity(0.9), "ops_per_s", quantity(5e9));
    assert_non_null(made);
    return made;
}

static json_t *in_order(const struct one *all, size_t count, int (*compare)(const json_t *, const json_t *))
{
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++)
        fastest_insert(rows, record(&all[i]), compare);
    return rows;
}

static void expect_order(const json_t *rows, const double *times)
{
    for (size_t i = 0; i < json_array_size(rows); i++)
        assert_true(fastest_quantity(json_array_get(rows, i), "time_s").median == times[i]);
}

static const struct one gemvs[] = {
    {"gemv", "slow", 128, 1, 2, "cold", 8, 7, "memory"},   {"gemv", "slow", 128, 1, 1, "cold", 16, 15, "memory"},
    {"gemv", "fast", 128, 1, 2, "cold", 4, 3.9, "memory"}, {"gemv", "fast", 128, 1, 2, "warm", 2, 1, "up-convert"},
    {"gemv", "fast", 32, 1, 2, "cold", 3, 2.9, "memory"},  {"gemv", "slow", 32, 1, 2, "cold", 1, 0.9, "up-convert"},
    {"gemv", "slow", 128, 1, 2, "warm", 5, 4.9, "memory"},
};

static void rows_that_are_compared_stand_together_the_fastest_first(void **state)
{
    (void)state;
    json_t *rows = in_order(gemvs, 7, product_compare_by_time);
    expect_order(rows, (const double[]){1, 3, 4, 8, 16, 2, 5});
    json_decref(rows);
}

static void a_sweep_is_read_kernel_by_kernel_and_token_by_token(void **state)
{
    (void)state;
    static const struct one gemms[] = {
        {"gemm", "b", 32, 1, 1, "cold", 6, 5, NULL},  {"gemm", "a", 32, 16, 1, "cold", 2, 5, NULL},
        {"gemm", "a", 32, 4, 1, "cold", 1, 5, NULL},  {"gemm", "a", 32, 4, 2, "cold", 4, 5, NULL},
        {"gemm", "a", 32, 16, 1, "warm", 3, 5, NULL}, {"gemm", "a", 64, 1, 1, "cold", 5, 5, NULL},
    };
    json_t *rows = in_order(gemms, 6, product_compare_by_sweep);
    expect_order(rows, (const double[]){1, 2, 3, 4, 5, 6});
    json_decref(rows);
}

static void the_verdict_is_of_the_largest_product_from_memory_by_the_widest_team(void **state)
{
    (void)state;
    char text[768];
    json_t *rows = in_order(gemvs, 7, product_compare_by_time), *none = json_array();
    assert_string_equal(
        product_verdict_text(rows, text, sizeof text),
        "fastest here: fast, 90% of the roof, limited by memory; next: slow, 2.00 times as long, limited by "
        "memory (128x64, cold, 2 threads; it is the fastest for 1 of 2 shapes)\n");
    assert_string_equal(product_verdict_text(none, text, sizeof text), "");
    json_decref(none);
    json_decref(rows);
    static const struct one gemm = {"gemm", "one", 32, 16, 1, "cold", 6, 1, "multiply"};
    rows = in_order(&gemm, 1, product_compare_by_time);
    assert_string_equal(product_verdict_text(rows, text, sizeof text),
                        "here: one, 5.0 Gop/s, limited by something that the model does not have (32x64 times 16 "
                        "tokens, cold, 1 thread)\n");
    json_object_set_new(json_array_get(rows, 0), "contended", json_true());
    assert_string_equal(product_verdict_text(rows, text, sizeof text), ""); /* no time of a kernel */
    json_decref(rows);
}

static void add_ratio(json_t *rows, const char *plugin, double ratio, double noise)
{
    json_t *quantity =
        json_pack("{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}", "median", ratio, "min", ratio, "mad", 0.0, "ci95",
                  ratio - noise, ratio + noise, "n", 8, "rejected", 0, "unit", "", "grade", "wall");
    json_array_append_new(rows, json_pack("{s:o, s:s*}", "x_best_peer", quantity, "plugin", plugin));
}

static void beside_plugins_the_verdict_counts_what_ours_win_and_lose(void **state)
{
    (void)state;
    char text[256];
    json_t *rows = json_array();
    add_ratio(rows, "theirs", 0.5, 0.1); /* another plug-in beside the best one */
    assert_string_equal(product_peers_verdict_text(rows, text, sizeof text), "");
    add_ratio(rows, NULL, 1.5, 0.1);
    assert_string_equal(product_peers_verdict_text(rows, text, sizeof text),
                        "ours is 1.50 [1.40, 1.60] times as fast as the best plug-in\n");
    add_ratio(rows, NULL, 1.2, 0.1);
    add_ratio(rows, NULL, 1.05, 0.1);
    add_ratio(rows, NULL, 0.8, 0.1);
    assert_string_equal(
        product_peers_verdict_text(rows, text, sizeof text),
        "ours are faster than the best plug-in in 2 of 4 comparisons, 1.20 to 1.50 times as fast; slower "
        "in 1; as fast within the noise in 1\n");
    json_decref(rows);
    rows = json_array();
    add_ratio(rows, NULL, 1.05, 0.1);
    assert_string_equal(
        product_peers_verdict_text(rows, text, sizeof text),
        "ours is 1.05 [0.95, 1.15] times as fast as the best plug-in: no difference beyond the noise\n");
    json_decref(rows);
}

static void the_limit_is_the_models_unless_the_kernel_is_far_from_it(void **state)
{
    (void)state;
    json_t *one = record(&gemvs[0]);
    assert_string_equal(product_limit(one), "memory");
    json_object_set_new(one, "roof_fraction", json_pack("{s:f}", "median", 0.373));
    assert_string_equal(product_limit(one), "neither");
    json_object_set_new(one, "binds", json_null());
    assert_null(product_limit(one));
    json_object_set_new(one, "predicted_read_s", json_real(1));
    assert_string_equal(product_limit(one), "no gamma");
    json_decref(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_are_compared_stand_together_the_fastest_first),
        cmocka_unit_test(a_sweep_is_read_kernel_by_kernel_and_token_by_token),
        cmocka_unit_test(the_verdict_is_of_the_largest_product_from_memory_by_the_widest_team),
        cmocka_unit_test(beside_plugins_the_verdict_counts_what_ours_win_and_lose),
        cmocka_unit_test(the_limit_is_the_models_unless_the_kernel_is_far_from_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
