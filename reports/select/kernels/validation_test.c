/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/validation.h"

#include "reports/select/run/testing.h"

#define STREAMS                                                                                                        \
    KNEE("a", "memory", 1, 0, 6.4, 4.0, 1.0, 0.4, 0.6)                                                                 \
    "," KNEE("a", "memory", 1, 512, 6.4, 6.0, 1.0, 0.9, 0.1) "," KNEE(                                                 \
        "a", "memory", 2, 0, 5, 3.0, 0.8, 0.2,                                                                         \
        0.7) "," KNEE("a", "memory", 2, 512, 5, 4.5, 0.8, 0.8,                                                         \
                      0.1) "," KNEE("a", "L3", 1, 0, 16, 6.0, 2.5, 0.9,                                                \
                                    0.05) "," KNEE("a", "L3", 1, 512, 16, 5.7, 2.5, 0.8,                               \
                                                   0.1) "," KNEE("a", "L1", 1, 0, 64, 6.3, 10, -5, 0.01)

static const json_t *row(const struct made_run *run, size_t i)
{
    assert_true(i < run->view.of[VIEW_KNEE].count);
    return run->view.of[VIEW_KNEE].rows[i];
}

TEST(medians_are_of_the_points_asked_for)
{
    MADE_RUN(run, STREAMS);
    assert_int_equal(run.view.of[VIEW_KNEE].count, 7); /* the distance is part of the identity */
    size_t count;
    assert_near(validation_median(&run.view, &(struct validation_query){"memory", false}, "overlap", &count), 0.3,
                1e-12);
    assert_int_equal(count, 2);
    assert_near(validation_median(&run.view, &(struct validation_query){"memory", true}, "overlap", &count), 0.85,
                1e-12);
    /* L1 is so far beyond the knee that its overlap says nothing; its residual does */
    assert_near(validation_median(&run.view, &(struct validation_query){"cache", false}, "overlap", &count), 0.9,
                1e-12);
    assert_int_equal(count, 1);
    assert_near(validation_median(&run.view, &(struct validation_query){"cache", false}, "residual", &count), 0.03,
                1e-12);
    assert_int_equal(count, 2);
    assert_near(validation_median(&run.view, &(struct validation_query){NULL, false}, "residual", &count), 0.325,
                1e-12);
    assert_int_equal(count, 4);
    assert_true(isnan(validation_median(&run.view, &(struct validation_query){"L2", false}, "residual", &count)));
    assert_int_equal(count, 0);
}

TEST(prefetch_is_compared_with_the_same_stream_without)
{
    MADE_RUN(run, STREAMS);
    size_t count;
    assert_ptr_equal(validation_with_prefetch(&run.view, row(&run, 0)), row(&run, 1));
    assert_ptr_equal(validation_with_prefetch(&run.view, row(&run, 2)), row(&run, 3));
    assert_null(validation_with_prefetch(&run.view, row(&run, 1)));
    assert_null(validation_with_prefetch(&run.view, row(&run, 6)));
    assert_near(validation_gain(&run.view, "memory", &count), 0.5, 1e-12);
    assert_int_equal(count, 2);
    assert_near(validation_gain(&run.view, "L3", &count), -0.05, 1e-12);
    assert_true(isnan(validation_gain(&run.view, "L1", &count)));
}

TEST(what_is_not_valid_does_not_count)
{
    static const char *const flaws[] = {"'above_roof':true", "'above_gamma':true", "'exact':false",
                                        "'chosen':false",    "'beta':null",        "'e_bw':null",
                                        "'distance':null",   "'format':'c2'",      "'e_bw':{'median':4,'n':2}"};
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        struct made_run run;
        char records[1024];
        snprintf(records, sizeof records, "%s", KNEE("a", "L3", 1, 0, 6.4, 4.0, 1.0, 0.4, 0.6));
        snprintf(records + strlen(records) - 1, 64, ",%s}", flaws[i]); /* the later of two equal keys holds */
        make_run(&run, "{}", records);
        size_t count;
        assert_false(validation_is_valid(row(&run, 0)));
        assert_true(isnan(validation_median(&run.view, &(struct validation_query){NULL, false}, "overlap", &count)));
        assert_int_equal(count, 0);
        free_run(&run);
    }
}

TEST(overlap_counts_only_where_both_sides_matter)
{
    MADE_RUN(run,
             RECORDS(KNEE("a", "L1", 1, 0, 6.4, 4.0, 0.26, 0.4, 0.6), KNEE("b", "L1", 1, 0, 6.4, 4.0, 0.24, 0.4, 0.6),
                     KNEE("c", "L1", 1, 0, 6.4, 4.0, 3.9, 0.4, 0.6), KNEE("d", "L1", 1, 0, 6.4, 4.0, 4.1, 0.4, 0.6),
                     KNEE("e", "L1", 1, 0, 6.4, 4.0, 1.0, null, 0.6)));
    static const bool balanced[] = {true, false, true, false, false};
    for (size_t i = 0; i < 5; i++) {
        assert_true(validation_is_valid(row(&run, i)));
        assert_int_equal(validation_is_balanced(row(&run, i)), balanced[i]);
    }
}

RUN_TESTS(NULL, NULL)
