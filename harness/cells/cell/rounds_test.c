/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <errno.h>
#include <math.h>

#include "harness/cells/cell/rounds.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/rounds_tests.h"
#include "platforms/clock/clock.h"
#include "unit_test.h"

/** A cell that always fails: no roof was measured for it. */
static void add_failing_cell(struct bench *bench)
{
    struct shape shape = {.m = 64, .k = 64};
    skip_if(!kernel_all()[0], "not on this machine: an architecture without kernels");
    assert_int_equal(product_add(&bench->cells, kernel_all()[0], &shape, PRODUCT_GEMV, 1, true), 0);
}

TEST_GIVEN_BY(every_cell_is_visited_once_a_round_in_another_order, struct bench *bench, open_bench, close_bench)
{
    enum { CELLS = 12, ROUNDS = 3 };
    add_quick_cells(bench, CELLS);
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    assert_int_equal(visit_all(bench, &execution, ROUNDS, 5, &failed), 0);
    assert_int_equal(bench->visits, CELLS * ROUNDS);
    for (size_t round = 0; round < ROUNDS; round++) {
        unsigned seen = 0;
        for (size_t i = 0; i < CELLS; i++)
            seen |= 1u << bench->order[round * CELLS + i];
        assert_int_equal(seen, (1u << CELLS) - 1);
    }
    assert_memory_not_equal(bench->order, bench->order + CELLS, CELLS * sizeof *bench->order);
    for (size_t i = 0; i < CELLS; i++) {
        assert_int_equal(bench->cells.cell[i].samples.count, 5 * ROUNDS);
        assert_int_equal(bench->cells.cell[i].visits, ROUNDS);
    }
}

/** Warm GEMVs on small shapes of up to `most` kernels whose formats have to be filled in. @return how many kernels */
static size_t add_filled_cells(struct bench *bench, size_t most)
{
    size_t kernels = 0;
    const struct format *last = NULL;
    for (const struct kernel *const *kernel = kernel_all(); *kernel && kernels < most; kernel++) {
        struct shape shape = {.m = 64, .k = 768};
        if (!(*kernel)->gemv || !(*kernel)->format->fill || (*kernel)->format == last ||
            !session_runs(bench->session, (*kernel)->isa))
            continue;
        for (unsigned i = 0; i < 3; i++, shape.m += 64)
            assert_int_equal(product_add(&bench->cells, *kernel, &shape, PRODUCT_GEMV, 1, false), 0);
        last = (*kernel)->format;
        kernels++;
    }
    return kernels;
}

TEST_GIVEN_BY(gemvs_of_one_filling_stand_together, struct bench *bench, open_bench, close_bench)
{
    size_t kernels = add_filled_cells(bench, 4), failed = 0;
    skip_if(kernels < 2, "not on this machine: too few kernels run here");
    struct execution execution = execution_of(bench);
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 3 * kernels);
    for (size_t i = 0; i < bench->visits; i++)
        assert_int_equal(bench->order[i] / 3, bench->order[i / 3 * 3] / 3);
}

TEST_GIVEN_BY(only_the_cells_asked_for_are_visited, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    assert_int_equal(cells_visit(bench->session, &bench->cells, 1, 3, 1, 2, &execution, &failed), 0);
    static const size_t counts[] = {0, 2, 2, 0, 0};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(bench->cells.cell[i].samples.count, counts[i]);
    assert_int_equal(cells_visit(bench->session, &bench->cells, 2, 2, 1, 2, &execution, &failed), 0);
    assert_int_equal(bench->visits, 2);
}

TEST_GIVEN_BY(cold_cells_go_round_their_pool_where_asked, struct bench *bench, open_bench, close_bench)
{
    const struct shape shape = {.m = 256, .k = 256};
    const struct kernel *kernel = NULL;
    for (const struct kernel *const *k = kernel_all(); *k && !kernel; k++)
        kernel = (*k)->gemv && session_runs(bench->session, (*k)->isa) ? *k : NULL;
    skip_if(!kernel, "not on this machine: no kernel runs here");
    assert_int_equal(product_add(&bench->cells, kernel, &shape, PRODUCT_GEMV, 1, true), 0);
    assert_int_equal(product_add(&bench->cells, kernel, &shape, PRODUCT_GEMV, 1, false), 0);
    give_roof(bench, "memory");
    struct execution execution = {.cold_laps = 2.5};
    size_t failed = 0, lap = product_places(bench->session, &bench->cells.cell[0]);
    assert_true(lap > 1);
    assert_int_equal(cells_visit(bench->session, &bench->cells, 0, 2, 1, 1, &execution, &failed), 0);
    assert_int_equal(bench->cells.cell[0].samples.count, (5 * lap + 1) / 2);
    assert_int_equal(bench->cells.cell[1].samples.count, 1);
    assert_int_equal(cells_visit(bench->session, &bench->cells, 0, 2, 1, 3 * (unsigned)lap, &execution, &failed), 0);
    assert_int_equal(bench->cells.cell[0].samples.count, (5 * lap + 1) / 2 + 3 * lap);
    size_t before = bench->cells.cell[0].samples.count;
    execution.lap_samples = 2; /* a small matrix has thousands of places, and takes minutes to see them all */
    assert_int_equal(cells_visit(bench->session, &bench->cells, 0, 2, 1, 1, &execution, &failed), 0);
    assert_int_equal(bench->cells.cell[0].samples.count, before + 2);
}

TEST_GIVEN_BY(a_matrix_without_copies_is_one_layer, struct bench *bench, open_bench, close_bench)
{
    const struct shape small = {.m = 256, .k = 256}, large = {.m = 4096, .k = 1024};
    const struct kernel *kernel = kernel_find("f32.dot.avx2");
    skip_if(!kernel || !session_runs(bench->session, kernel->isa), "not on this machine: no AVX2");
    bench->session->llc_bytes = 4 << 20; /* the large one is four of them, which is a pool */
    assert_int_equal(product_add(&bench->cells, kernel, &small, PRODUCT_GEMV, 1, true), 0);
    assert_int_equal(product_add(&bench->cells, kernel, &small, PRODUCT_GEMV, 1, false), 0);
    assert_int_equal(product_add(&bench->cells, kernel, &large, PRODUCT_GEMV, 1, true), 0);
    give_roof(bench, "memory");
    struct execution execution = {0};
    size_t failed = 0;
    for (size_t i = 0; i < 3; i++) /* in order: the large one makes the pool larger */
        assert_int_equal(cells_visit(bench->session, &bench->cells, i, i + 1, 1, 1, &execution, &failed), 0);
    assert_in_range(gemv_cell(&bench->cells.cell[0])->copies, 4, 16 / 2); /* the roof reads 2 MB beside each */
    assert_int_equal(gemv_cell(&bench->cells.cell[1])->copies, 0);        /* warm */
    assert_int_equal(gemv_cell(&bench->cells.cell[2])->copies, 1);
    json_auto_t *one = summary_record(bench->session, &bench->cells, &bench->cells.cell[2]);
    json_auto_t *many = summary_record(bench->session, &bench->cells, &bench->cells.cell[0]);
    assert_true(json_is_true(json_object_get(one, "one_layer")));
    assert_true(json_is_false(json_object_get(many, "one_layer")));
}

TEST_GIVEN_BY(stop_ends_it_before_the_next_cell, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    execution.stop = &bench->stop;
    size_t failed = 0;
    bench->stop = 1;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), -EINTR);
    assert_int_equal(bench->visits, 0);
    bench->stop = 0;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 5);
}

TEST_GIVEN_BY(nothing_is_begun_past_the_deadline_or_what_would_pass_it, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    execution.deadline_s = clock_monotonic_s() - 1;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), -ETIME);
    assert_int_equal(bench->visits, 0);
    execution.deadline_s = clock_monotonic_s() + 50;
    for (size_t i = 0; i < 5; i++)
        bench->cells.cell[i].last_visit_s = 100;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), -ETIME);
    assert_int_equal(bench->visits, 0);
    execution.deadline_s = clock_monotonic_s() + 500;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 5);
}

/** Where there is room for the cells that were begun, no other is begun; without any, none goes on. */
TEST_GIVEN_BY(without_room_nothing_is_begun, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    enum execution_room room = ROOM_FOR_ALL;
    execution.room = &room;
    execution.progress = NULL; /* each of these is a run of its own */
    size_t failed = 0;
    bench->cells.cell[4].suspended = true;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 4);
    room = ROOM_FOR_BEGUN;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 8);
    bench->cells.cell[4].suspended = false;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), -ETIME);
    assert_int_equal(bench->cells.cell[4].samples.count, 0);
    room = ROOM_FOR_NONE;
    size_t visits = bench->visits;
    assert_int_equal(visit_all(bench, &execution, 1, 2, &failed), -ETIME);
    assert_int_equal(bench->visits, visits);
}

TEST_GIVEN_BY(a_cell_that_fails_ends_it_and_is_named, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 3);
    add_failing_cell(bench);
    struct execution execution = execution_of(bench);
    size_t failed = 99;
    assert_true(visit_all(bench, &execution, 1, 2, &failed) < 0);
    assert_int_equal(failed, 3);
    assert_true(strlen(bench->cells.cell[3].why) > 0);
}

TEST_GIVEN_BY(keep_going_skips_a_cell_that_failed, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 3);
    add_failing_cell(bench);
    struct execution execution = execution_of(bench);
    execution.keep_going = true;
    size_t failed = 99;
    assert_int_equal(visit_all(bench, &execution, 3, 2, &failed), 0);
    assert_int_equal(failed, 99);
    assert_int_equal(bench->visits, 9);
    assert_int_equal(bench->cells.cell[3].visits, 1);
    assert_int_equal(bench->cells.cell[3].samples.count, 0);
}

TEST(a_sample_has_the_cycles_that_it_is_to_have)
{
    assert_int_equal(sample_iterations(100), SAMPLE_CYCLES / 100);
    assert_int_equal(sample_iterations(2.5), SAMPLE_CYCLES * 2 / 5);
}

TEST(there_are_four_at_least_and_never_more_than_cycles)
{
    static const double slow[] = {SAMPLE_CYCLES / 4.0, SAMPLE_CYCLES, 1e12, INFINITY};
    static const double fast[] = {1, 0.5, 0, -3, NAN};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        assert_int_equal(sample_iterations(slow[i]), 4);
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        assert_int_equal(sample_iterations(fast[i]), SAMPLE_CYCLES);
}

RUN_TESTS(NULL, NULL)
