/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/least_loss.h"

#include <errno.h>
#include <math.h>

#include "results/blocks/blocks_testing.h"

/* A cell of the core whose blocks last 1 us, each more than the one before by this. */
static void add_core(struct run_records *run, const char *name, unsigned blocks, double more)
{
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= blocks; b++) {
        for (unsigned i = 0; i < 3; i++)
            made_sample(run, name, b, 1, 1e-6 * (1 + more * b), 1e9);
    }
}

static struct least_loss least_of(struct run_records *run, int expected)
{
    struct view view;
    struct least_loss least;
    assert_int_equal(view_open("results/machine/run", run, &view), 0);
    assert_int_equal(least_loss_of(&view, &least), expected);
    view_close(&view);
    run_records_free(run);
    return least;
}

TEST(a_quiet_run_has_the_threshold_of_each_class)
{
    struct run_records run = made_run();
    add_core(&run, "prepare/int8/k64", 7, 0);
    struct least_loss least = least_of(&run, 0);
    assert_close(least.loss[COMPARE_CORE], 0.01);
    assert_close(least.loss[COMPARE_MEMORY], 0.02);
    assert_int_equal(least.by[COMPARE_CORE], LEAST_LOSS_THRESHOLD);
    assert_int_equal(least.processes, 7);
    assert_false(blocks_is_shared(&least.sharing));
}

TEST(noise_between_processes_takes_a_larger_loss)
{
    struct run_records run = made_run();
    add_core(&run, "prepare/int8/k64", 7, 0.05);
    struct least_loss least = least_of(&run, 0);
    assert_int_equal(least.by[COMPARE_CORE], LEAST_LOSS_NOISE);
    assert_true(least.loss[COMPARE_CORE] > compare_threshold(COMPARE_CORE, true));
    assert_true(least.loss[COMPARE_CORE] < 0.5); /* of values that differ by 29% at most */
    assert_int_equal(least.by[COMPARE_MEMORY], LEAST_LOSS_THRESHOLD);
    assert_true(blocks_is_shared(&least.sharing));
}

TEST(a_run_that_cannot_be_compared_has_no_noise_of_its_own)
{
    struct run_records few = made_run(), many = made_run();
    add_core(&few, "prepare/int8/k64", 3, 0.05);
    struct least_loss least = least_of(&few, 0);
    assert_int_equal(least.processes, 0);
    assert_int_equal(least.by[COMPARE_CORE], LEAST_LOSS_THRESHOLD);
    for (unsigned i = 0; i < 4; i++) { /* with 4 blocks one of 3 cells could fail */
        char name[48];
        snprintf(name, sizeof name, "prepare/int8/k%u", i);
        add_core(&many, name, 4, 0.05);
    }
    assert_int_equal(least_of(&many, 0).processes, 0);
    assert_int_equal(
        least_of(&(struct run_records){.meta = json_object(), .records = json_array()}, -ENODATA).processes, 0);
}

TEST(what_layout_does_is_no_loss)
{
    struct run_records run = made_run();
    add_core(&run, "prepare/int8/k64", 7, 0);
    json_array_append_new(run.records,
                          json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:f}", "type", "bias", "name", "k", "subject",
                                    "gamma", "factor", "stack", "layout", 1, "class", "core", "net", 0.04));
    struct least_loss least = least_of(&run, 0);
    assert_int_equal(least.by[COMPARE_CORE], LEAST_LOSS_LAYOUT);
    assert_close(least.loss[COMPARE_CORE], expm1(0.06));
    assert_close(least.loss[COMPARE_MEMORY], 0.02);
}

RUN_TESTS(NULL, NULL)
