/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/compare/aa.h"
#include "harness/compare/live_comparison.h"
#include "unit_test.h"

static struct compare_outcome outcome(const char *name, double effect, size_t blocks, enum compare_verdict verdict)
{
    return (struct compare_outcome){.name = name, .effect = effect, .base_blocks = blocks, .verdict = verdict};
}

TEST(effects_are_collected_by_cell_whatever_their_order)
{
    struct compare_outcome first[] = {outcome("gemv/t1/warm", 0.01, LIVE_BLOCKS, COMPARE_PASSED),
                                      outcome("gemv/t1/cold", 0.02, LIVE_BLOCKS, COMPARE_PASSED)};
    struct compare_outcome second[] = {outcome("gemv/t1/cold", -0.03, LIVE_BLOCKS, COMPARE_FAILED),
                                       outcome("gemv/t1/warm", -0.04, LIVE_BLOCKS, COMPARE_PASSED)};
    struct aa aa = {.comparisons = 2};
    assert_int_equal(aa_add(&aa, &(struct comparison){.outcome = first, .count = 2}), 0);
    assert_int_equal(aa_add(&aa, &(struct comparison){.outcome = second, .count = 2}), 0);
    assert_int_equal(aa.made, 2);
    assert_int_equal(aa.cells, 2);
    assert_string_equal(aa.cell[0].label, "gemv/t1/warm");
    assert_true(aa.cell[0].effect[0] == 0.01 && aa.cell[0].effect[1] == -0.04);
    assert_true(aa.cell[1].effect[0] == 0.02 && aa.cell[1].effect[1] == -0.03);
    assert_int_equal(aa.failed, 1);
    assert_int_equal(aa.inconclusive, 0);
    aa_release(&aa);
}

/* Fewer pairs scatter more than the machine does. */
TEST(too_few_pairs_leave_no_effect)
{
    struct compare_outcome first[] = {outcome("a", 0.2, LIVE_BLOCKS_LEAST - 1, COMPARE_PASSED),
                                      outcome("b", 0.1, LIVE_BLOCKS_LEAST, COMPARE_INCONCLUSIVE)};
    struct aa aa = {.comparisons = 1};
    assert_int_equal(aa_add(&aa, &(struct comparison){.outcome = first, .count = 2}), 0);
    assert_true(isnan(aa.cell[0].effect[0]));
    assert_true(aa.cell[1].effect[0] == 0.1);
    assert_int_equal(aa.inconclusive, 1);
    aa_release(&aa);
}

TEST(suspects_are_listed_and_can_be_accepted)
{
    struct compare_outcome outcomes[] = {outcome("a", 0.2, LIVE_BLOCKS, COMPARE_SUSPECTED),
                                         outcome("b", 0.1, LIVE_BLOCKS, COMPARE_PASSED),
                                         outcome("c", 0.1, LIVE_BLOCKS, COMPARE_SUSPECTED)};
    struct comparison comparison = {.outcome = outcomes, .count = 3};
    const char *names[3] = {0};
    assert_int_equal(comparison_suspects(&comparison, NULL), 2);
    assert_int_equal(comparison_suspects(&comparison, names), 2);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "c");
    comparison_accept_suspects(&comparison);
    assert_int_equal(comparison_suspects(&comparison, NULL), 0);
    assert_int_equal(outcomes[0].verdict, COMPARE_FAILED);
    assert_int_equal(outcomes[1].verdict, COMPARE_PASSED);
    assert_int_equal(outcomes[2].verdict, COMPARE_FAILED);
}

RUN_TESTS(NULL, NULL)
