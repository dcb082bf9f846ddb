/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/rounds_tests.h"
#include "unit_test.h"

TEST_GIVEN_BY(the_best_gamma_and_its_neighbours_are_refined, struct bench *bench, open_bench, close_bench)
{
    const struct sequence *sequence = one_that_runs(bench);
    skip_if(!sequence, "not on this machine: no sequence runs here");
    assert_int_equal(gamma_add(&bench->cells, sequence, 0), 0);
    add_quick_cells(bench, 1);
    struct execution execution = {0};
    size_t failed = 0, end = bench->cells.count;
    assert_int_equal(gamma_refine(bench->session, &bench->cells, 0, end, 2, 3, &execution, &failed), 0);
    for (size_t i = 0; i < end; i++) /* nothing is best before anything was measured */
        assert_int_equal(bench->cells.cell[i].samples.count, 0);

    assert_int_equal(cells_visit(bench->session, &bench->cells, 0, end, 1, 6, &execution, &failed), 0);
    const struct cell *ahead = gamma_ahead(&bench->cells, sequence->name, 0);
    skip_if(!ahead, "noise: no gamma of so few samples is a positive number");
    const size_t best = gamma_cell(ahead)->variant->accumulators;
    assert_in_range(best, 1, end - 1);
    size_t before = bench->cells.cell[0].samples.count;
    assert_int_equal(before, 2 * 6);
    assert_int_equal(gamma_refine(bench->session, &bench->cells, 0, end, 2, 3, &execution, &failed), 0);
    size_t refined = 0, most = 3 * 3; /* three times at most another one becomes the best, and has two neighbours */
    for (size_t i = 0; i + 1 < end; i++) {
        size_t accumulators = i + 1, more = bench->cells.cell[i].samples.count - before;
        if (more || (accumulators + 1 >= best && accumulators <= best + 1))
            assert_int_equal(more, 2 * 2 * 3);
        refined += more > 0;
    }
    assert_in_range(refined, 2, end - 1 < most ? end - 1 : most);
    assert_int_equal(bench->cells.cell[end - 1].samples.count, before / 2); /* no gamma: not paired, not refined */
}

RUN_TESTS(NULL, NULL)
