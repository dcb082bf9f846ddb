/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/on_paper.h"
#include "unit_test.h"

TEST_GIVEN_BY(gamma_is_the_difference_of_2u_and_u, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    struct graded gamma = gamma_summary(cell);
    assert_near(gamma.summary.median, 1.25);
    assert_int_equal(gamma.summary.n, 8);
    assert_int_equal(gamma.summary.rejected, 0);
    assert_string_equal(gamma.grade, "chain");
}

TEST_GIVEN_BY(half_a_pair_rejects_the_pair, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    cell->samples.sample[1].cause = SAMPLE_INTERRUPT; /* 2U of the first pair */
    cell->samples.sample[1].wall_s *= 100;
    cell->samples.sample[4].cause = SAMPLE_CLOCK_DRIFT; /* U of the third */
    cell->samples.sample[4].wall_s *= 100;
    struct graded gamma = gamma_summary(cell);
    assert_near(gamma.summary.max, 1.25);
    assert_int_equal(gamma.summary.n, 6);
    assert_int_equal(gamma.summary.rejected, 2);
}

TEST_GIVEN_BY(a_sample_without_its_partner_is_no_pair, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    give(&cell->samples, kept_sample(1, CLOCK_HZ));
    assert_int_equal(gamma_summary(cell).summary.n, 8);
}

/* As on a hybrid machine: member 1 sits on another kind of core. */
TEST_GIVEN_BY(gammas_of_another_kind_of_core_stay_apart, struct bench *bench, open_bench, close_bench)
{
    struct cell *here = add_gamma(bench, 1, 1.25), *there = add_gamma(bench, 1, 2.175);
    there->member = 1;
    unsigned accumulators = 0;
    assert_near(gamma_best(&bench->cells, sequence.name, &accumulators), 1.25);
    assert_near(gamma_best_on(&bench->cells, sequence.name, 1, &accumulators), 2.175);
    assert_int_equal(accumulators, 4);
    assert_true(isnan(gamma_best_on(&bench->cells, sequence.name, 2, NULL)));
    static const double cpus[] = {3, 5};
    struct cell *cells[] = {here, there};
    for (size_t i = 0; i < 2; i++) {
        json_t *record = record_of(bench, cells[i]);
        assert_near(field_number(record, "cpu"), cpus[i]);
        assert_flag(record, "best", true);
        assert_null_field(record, "bound"); /* one number of accumulators on each */
        json_decref(record);
    }
}

TEST_GIVEN_BY(the_best_gamma_is_the_lowest_that_a_kernel_can_use, struct bench *bench, open_bench, close_bench)
{
    unsigned accumulators = 0;
    assert_true(isnan(gamma_best(&bench->cells, sequence.name, &accumulators)));
    struct cell *probe = add_gamma(bench, 0, 0.5); /* too few accumulators */
    struct cell *four = add_gamma(bench, 1, 1.25);
    assert_near(gamma_best(&bench->cells, sequence.name, &accumulators), 1.25); /* nothing to choose from */
    struct cell *eight = add_gamma(bench, 2, 0.92);
    assert_true(isnan(gamma_best(&bench->cells, sequence.name, &accumulators))); /* 8 pairs are too few to choose by */
    assert_string_equal(gamma_missing(&bench->cells, sequence.name),
                        "too few samples of the gamma of its sequence were kept");
    assert_ptr_equal(gamma_ahead(&bench->cells, sequence.name, 0), eight);
    for (int i = 0; i < 4; i++) {
        give_pair(four, 1.25);
        give_pair(eight, 0.92);
    }
    assert_near(gamma_best(&bench->cells, sequence.name, &accumulators), 0.92);
    assert_null(gamma_missing(&bench->cells, sequence.name));
    assert_int_equal(accumulators, 8);
    assert_true(isnan(gamma_best(&bench->cells, "int2_test.paper", NULL)));

    json_auto_t *record = record_of(bench, probe);
    assert_flag(record, "usable", false);
    assert_flag(record, "best", false);
    json_decref(record);
    record = record_of(bench, four);
    assert_flag(record, "usable", true);
    assert_flag(record, "best", false);
    json_decref(record);
    record = record_of(bench, eight);
    assert_flag(record, "best", true);
}

/* The even pairs choose, the odd ones are reported, whatever the even ones said. */
TEST_GIVEN_BY(the_best_gamma_is_reported_from_pairs_that_did_not_choose_it, struct bench *bench, open_bench,
              close_bench)
{
    struct cell *lucky = add_gamma(bench, 1, 1), *other = add_gamma(bench, 2, 1);
    for (int i = 0; i < 4; i++) {
        give_pair(lucky, 1);
        give_pair(other, 1);
    }
    for (size_t i = 0; i < lucky->samples.count; i += 4) /* pairs 0, 2, 4 … at half the clock */
        lucky->samples.sample[i].core_hz /= 2, lucky->samples.sample[i + 1].core_hz /= 2;
    unsigned accumulators = 0;
    assert_near(gamma_best(&bench->cells, sequence.name, &accumulators), 1);
    assert_int_equal(accumulators, 4);
    json_t *record = record_of(bench, lucky);
    const json_t *halves = json_object_get(json_object_get(record, "gamma"), "halves");
    assert_near(field_number(json_array_get(halves, 0), "median"), 0.5);
    assert_near(field_number(json_array_get(halves, 1), "median"), 1);
    assert_near(field_number(json_array_get(halves, 1), "n"), 6);
    json_decref(record);

    /* a rejected pair is in neither half, nor is one that is graded wall */
    lucky->samples.sample[0].cause = SAMPLE_INTERRUPT;
    assert_near(gamma_best(&bench->cells, sequence.name, &accumulators), 1);
    assert_int_equal(accumulators, 8);
    for (size_t i = 0; i < other->samples.count; i++)
        other->samples.sample[i].grade = SAMPLE_WALL;
    assert_true(isnan(gamma_best(&bench->cells, sequence.name, NULL)));
    for (size_t i = 0; i < lucky->samples.count; i++)
        lucky->samples.sample[i].grade = SAMPLE_WALL;
    assert_string_equal(gamma_missing(&bench->cells, sequence.name),
                        "gamma of its sequence is graded wall: the clock chains disagree");
}

TEST_GIVEN_BY(gamma_record_has_the_fields_of_the_interface, struct bench *bench, open_bench, close_bench)
{
    add_gamma(bench, 0, 5);
    struct cell *cell = add_gamma(bench, 1, 1.25);
    json_auto_t *record = record_of(bench, cell);
    static const char *const fields[] = {
        "type",          "name",    "isa",    "format",         "accumulators", "gamma",  "bound",
        "claimed",       "knee",    "usable", "best",           "exact",        "origin", "sequence",
        "latency_gamma", "plateau", "slope",  "latency_cycles", "fit_residual", NULL};
    static const char *const quantity[] = {"median", "min", "mad", "ci95", "n", "rejected", "unit", "grade", NULL};
    assert_fields(record, fields);
    assert_fields(json_object_get(record, "gamma"), quantity);
    assert_string_equal(field_text(record, "type"), "gamma");
    assert_string_equal(field_text(record, "name"), "int2_test.paper.avx2");
    assert_string_equal(field_text(json_object_get(record, "gamma"), "unit"), "cycles");
    assert_near(field_number(record, "knee"), 8 / 1.25);
    assert_near(field_number(record, "claimed"), 1.25);
    assert_near(field_number(record, "latency_gamma"), 5.0 / 4);
    assert_near(field_number(record, "slope"), 5);
    assert_near(field_number(record, "latency_cycles"), 5);
    assert_null_field(record, "plateau"); /* both points lie on the slope */
    assert_near(field_number(record, "uops_per_vector"), 2.5);
    assert_near(field_number(record, "uops_per_cycle"), 2);
}

static const char *bound_of(const struct bench *bench, const struct cell *cell)
{
    static char bound[16];
    json_auto_t *record = record_of(bench, cell);
    snprintf(bound, sizeof bound, "%s", field_text(record, "bound"));
    return bound;
}

TEST_GIVEN_BY(what_binds_shows_in_the_neighbours, struct bench *bench, open_bench, close_bench)
{
    struct cell *one = add_gamma(bench, 0, 5), *four = add_gamma(bench, 1, 1.25);
    /* no more accumulators were measured: the chain of one explains it */
    assert_string_equal(bound_of(bench, four), "latency");
    struct cell *eight = add_gamma(bench, 2, 0.92);
    assert_string_equal(bound_of(bench, one), "latency");
    assert_string_equal(bound_of(bench, four), "latency");
    assert_string_equal(bound_of(bench, eight), "ports"); /* 5 / 8 = 0.625 is not 0.92 */
}

TEST_GIVEN_BY(more_accumulators_that_change_nothing_mean_ports_or_the_front_end, struct bench *bench, open_bench,
              close_bench)
{
    struct cell *four = add_gamma(bench, 1, 1.00);
    add_gamma(bench, 2, 0.97);
    assert_string_equal(bound_of(bench, four), "ports");
    bench->session.issue_width = 2.6; /* 2.5 uops a cycle are issued */
    assert_string_equal(bound_of(bench, four), "frontend");
}

TEST_GIVEN_BY(gamma_without_a_kept_sample_is_null_with_the_reason, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < cell->samples.count; i++)
        cell->samples.sample[i].cause = SAMPLE_INTERRUPT;
    json_auto_t *record = record_of(bench, cell);
    const json_t *gamma = json_object_get(record, "gamma");
    assert_null_field(gamma, "median");
    assert_null_field(gamma, "ci95");
    assert_near(field_number(gamma, "n"), 0);
    assert_near(field_number(gamma, "rejected"), 8);
    assert_string_equal(field_text(gamma, "why"), "0 kept, 6 needed");
    assert_true(strlen(field_text(record, "bound_reason")) > 0);
    assert_null_field(record, "bound");
    assert_null_field(record, "knee");
    assert_flag(record, "best", false);
}

TEST_GIVEN_BY(twice_the_work_in_less_time_is_no_gamma, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < cell->samples.count; i += 2)
        cell->samples.sample[i].wall_s = 2 * cell->samples.sample[i + 1].wall_s;
    json_auto_t *record = record_of(bench, cell);
    const json_t *gamma = json_object_get(record, "gamma");
    assert_null_field(gamma, "median");
    assert_null_field(gamma, "ci95");
    assert_near(field_number(gamma, "n"), 8);
    assert_non_null(strstr(field_text(gamma, "why"), "twice the work took no longer"));
    assert_null_field(record, "knee");
    assert_null_field(record, "uops_per_cycle");
    assert_null_field(record, "bound");
    assert_flag(record, "best", false);
}

TEST_GIVEN_BY(one_number_of_accumulators_does_not_tell_what_binds, struct bench *bench, open_bench, close_bench)
{
    struct cell *alone = add_gamma(bench, 1, 1.25);
    json_auto_t *record = summary_record(&bench->session, &bench->cells, alone);
    assert_non_null(record);
    assert_true(json_is_null(json_object_get(record, "bound")));
    assert_non_null(json_string_value(json_object_get(record, "bound_reason")));
    json_decref(record);
    add_gamma(bench, 0, 5.0);
    record = summary_record(&bench->session, &bench->cells, alone);
    assert_non_null(json_string_value(json_object_get(record, "bound")));
    assert_null(json_object_get(record, "bound_reason"));
}

/** Of tiles the record has what a product takes. */
TEST_GIVEN_BY(tiles_say_what_a_product_takes, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    struct sequence tiles = *cell->sequence;
    json_auto_t *record = record_of(bench, cell);
    assert_null(json_object_get(record, "product_cycles"));
    json_decref(record);
    tiles.isa = "amx_int8";
    tiles.group_dots = 2;
    tiles.group_vectors = 1024;
    cell->sequence = &tiles;
    record = record_of(bench, cell);
    double gamma = gamma_summary(cell).summary.median;
    assert_near(field_number(record, "product_cycles"), 512 * gamma);
    assert_near(field_number(record, "multiply_adds_per_cycle"), 32 / gamma);
}

RUN_TESTS(NULL, NULL)
