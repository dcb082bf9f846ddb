/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "results/gate/compare.h"
#include "unit_test.h"

enum { BLOCKS = 11 };

/** Scatter of a quiet host: half a thousandth either way, no two alike. */
static const double scatter[BLOCKS] = {0.99951, 1.00023, 0.99982, 1.00047, 1.00004, 0.99971,
                                       1.00036, 0.99994, 1.00012, 0.99963, 1.00041};

struct pair {
    double base[BLOCKS], head[BLOCKS];
    unsigned block[BLOCKS];
};

/**
 * base scatters about a microsecond; head is `ratio` of it, its own scatter in another order, `widened` times as wide.
 */
static struct compare_cell cell_of(struct pair *pair, const char *name, double ratio, double widened)
{
    for (unsigned b = 0; b < BLOCKS; b++) {
        pair->base[b] = 1e-6 * (1 + widened * (scatter[b] - 1));
        pair->head[b] = 1e-6 * ratio * (1 + widened * (scatter[(b + 4) % BLOCKS] - 1));
        pair->block[b] = b;
    }
    return (struct compare_cell){
        .name = name,
        .class = COMPARE_CORE,
        .base = pair->base,
        .head = pair->head,
        .base_block = pair->block,
        .head_block = pair->block,
        .base_count = BLOCKS,
        .head_count = BLOCKS,
        .base_s = 1e-6,
        .floor = 0.001,
    };
}

static struct compare_outcome judge(const struct compare_cell *cell, bool shared)
{
    struct compare_rule rule = compare_rule_default();
    struct compare_outcome outcome;
    rule.shared[COMPARE_CORE] = rule.shared[COMPARE_MEMORY] = shared;
    assert_int_equal(compare_cells(&rule, cell, 1, &outcome), 0);
    return outcome;
}

static void assert_verdict(const struct compare_outcome *outcome, enum compare_verdict verdict,
                           enum compare_reason reason)
{
    if (outcome->verdict != verdict || outcome->reason != reason)
        fail_msg("%s (%s) is not %s (%s)", compare_verdict_name(outcome->verdict), compare_reason_text(outcome->reason),
                 compare_verdict_name(verdict), compare_reason_text(reason));
}

TEST(nothing_changed_passes)
{
    struct pair pair;
    for (int paired = 0; paired < 2; paired++) {
        struct compare_cell cell = cell_of(&pair, "same", 1.0, 1);
        cell.paired = paired;
        struct compare_outcome outcome = judge(&cell, false);
        assert_verdict(&outcome, COMPARE_PASSED, COMPARE_NO_REASON);
        assert_true(fabs(outcome.effect) < 0.0005 && outcome.lower <= 0 && outcome.upper < outcome.threshold);
    }
}

TEST(a_gain_passes)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "faster", 0.8, 1);
    struct compare_outcome outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_PASSED, COMPARE_NO_REASON);
    assert_true(fabs(outcome.effect - log(0.8)) < 0.001 && outcome.p > 0.99);
    assert_true(fabs(outcome.change_s + 0.2e-6) < 1e-9);
}

TEST(a_loss_is_suspected_until_confirmed)
{
    struct pair pair;
    for (int paired = 0; paired < 2; paired++) {
        struct compare_cell cell = cell_of(&pair, "slower", 1.05, 1);
        cell.paired = paired;
        struct compare_outcome outcome = judge(&cell, true);
        assert_verdict(&outcome, COMPARE_SUSPECTED, COMPARE_UNCONFIRMED);
        assert_int_equal(compare_overall(&outcome, 1), COMPARE_INCONCLUSIVE);
        struct compare_outcome again = outcome;
        compare_confirm(&outcome, 1, COMPARE_FRESH_BASE, &again, 1);
        assert_verdict(&outcome, COMPARE_FAILED, COMPARE_LOSS);
        assert_int_equal(compare_overall(&outcome, 1), COMPARE_FAILED);
    }
}

/** One lucky BASE makes two comparisons with it agree. */
TEST(the_same_base_again_does_not_confirm)
{
    struct pair pair, other;
    struct compare_cell slower = cell_of(&pair, "cell", 1.05, 1), same = cell_of(&other, "cell", 1.0, 1);
    struct compare_outcome outcome = judge(&slower, false), again = outcome;
    compare_confirm(&outcome, 1, COMPARE_BASE_AGAIN, &again, 1);
    assert_verdict(&outcome, COMPARE_SUSPECTED, COMPARE_SAME_BASE);
    assert_int_equal(compare_overall(&outcome, 1), COMPARE_INCONCLUSIVE);
    /* that it disagrees counts all the same */
    outcome = judge(&slower, false);
    again = judge(&same, false);
    compare_confirm(&outcome, 1, COMPARE_BASE_AGAIN, &again, 1);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_NOT_CONFIRMED);
}

TEST(a_confirmation_must_agree)
{
    struct pair pair, other;
    struct compare_cell slower = cell_of(&pair, "cell", 1.05, 1), same = cell_of(&other, "cell", 1.0, 1);
    struct compare_outcome outcome = judge(&slower, false), again = judge(&same, false);
    compare_confirm(&outcome, 1, COMPARE_FRESH_BASE, &again, 1);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_NOT_CONFIRMED);
    /* another cell's loss confirms nothing, nor does none */
    outcome = again = judge(&slower, false);
    again.name = "another";
    compare_confirm(&outcome, 1, COMPARE_FRESH_BASE, &again, 1);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_NOT_CONFIRMED);
    outcome = judge(&slower, false);
    compare_confirm(&outcome, 1, COMPARE_FRESH_BASE, NULL, 0);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_NOT_CONFIRMED);
}

TEST(thresholds_are_those_of_class_and_host)
{
    static const struct {
        double ratio;
        enum compare_class class;
        bool shared;
        enum compare_verdict verdict;
    } table[] = {
        {1.008, COMPARE_CORE, false, COMPARE_PASSED},   {1.013, COMPARE_CORE, false, COMPARE_SUSPECTED},
        {1.028, COMPARE_CORE, true, COMPARE_PASSED},    {1.033, COMPARE_CORE, true, COMPARE_SUSPECTED},
        {1.018, COMPARE_MEMORY, false, COMPARE_PASSED}, {1.023, COMPARE_MEMORY, false, COMPARE_SUSPECTED},
        {1.078, COMPARE_MEMORY, true, COMPARE_PASSED},  {1.083, COMPARE_MEMORY, true, COMPARE_SUSPECTED},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct pair pair;
        struct compare_cell cell = cell_of(&pair, "cell", table[i].ratio, 1);
        cell.class = table[i].class;
        struct compare_outcome outcome = judge(&cell, table[i].shared);
        assert_int_equal(outcome.verdict, table[i].verdict);
    }
}

TEST(a_small_loss_that_may_be_a_large_one_is_inconclusive)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.0095, 2);
    struct compare_outcome outcome = judge(&cell, false);
    assert_true(outcome.lower > 0 && outcome.effect < outcome.threshold && outcome.upper > outcome.threshold);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_SMALL);
}

TEST(a_loss_within_the_noise_of_the_cell_is_inconclusive)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.05, 1);
    cell.floor = log(1.05) / 1.49;
    struct compare_outcome outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_WITHIN_NOISE);
    assert_false(outcome.floor_simulated);
    cell.floor = log(1.05) / 1.52;
    outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_SUSPECTED, COMPARE_UNCONFIRMED);
}

TEST(a_loss_that_other_addresses_show_too_is_inconclusive)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.05, 1);
    cell.layout = log(1.05) / 1.49;
    struct compare_outcome outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_LAYOUT);
    cell.layout = log(1.05) / 1.52;
    outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_SUSPECTED, COMPARE_UNCONFIRMED);
}

TEST(an_unknown_floor_is_drawn_from_the_blocks)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.05, 1);
    cell.floor = NAN;
    for (int paired = 0; paired < 2; paired++) {
        cell.paired = paired;
        struct compare_outcome outcome = judge(&cell, false), again = judge(&cell, false);
        assert_verdict(&outcome, COMPARE_SUSPECTED, COMPARE_UNCONFIRMED);
        assert_true(outcome.floor_simulated && outcome.floor > 0 && outcome.floor < 0.001);
        assert_true(outcome.floor == again.floor);
    }
}

TEST(ten_nanoseconds_do_not_count)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.05, 1);
    cell.base_s = 190e-9; /* 9.5 ns */
    struct compare_outcome outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_SHORT);
    cell.base_s = 210e-9; /* 10.5 ns */
    outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_SUSPECTED, COMPARE_UNCONFIRMED);
    cell.base_s = NAN;
    outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_SHORT);
}

TEST(a_roof_that_moved_says_nothing_of_the_code)
{
    struct pair pair;
    static const double ratios[] = {1.0, 1.05, 0.95};
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct compare_cell cell = cell_of(&pair, "cell", ratios[i], 1);
        cell.roof_effect = i == 1 ? 0.02 : -0.02;
        struct compare_outcome outcome = judge(&cell, false);
        assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_ROOF_MOVED);
        cell.roof_effect = i == 1 ? -0.02 : 0.02; /* neither hides a loss nor looks like one */
        outcome = judge(&cell, false);
        assert_verdict(&outcome, i == 1 ? COMPARE_SUSPECTED : COMPARE_PASSED,
                       i == 1 ? COMPARE_UNCONFIRMED : COMPARE_NO_REASON);
        cell.roof_effect = 0.005;
        outcome = judge(&cell, false);
        assert_true(outcome.reason != COMPARE_ROOF_MOVED);
    }
}

TEST(noise_is_inconclusive)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.002, 60);
    struct compare_outcome outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_UNCERTAIN);
}

TEST(too_few_blocks_are_inconclusive)
{
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1.5, 1);
    cell.base_count = cell.head_count = 2;
    struct compare_outcome outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_FEW_BLOCKS);
    assert_true(isinf(outcome.lower) && isinf(outcome.upper));
    cell.head_count = 0;
    outcome = judge(&cell, false);
    assert_verdict(&outcome, COMPARE_INCONCLUSIVE, COMPARE_NO_BLOCKS);
    assert_true(isnan(outcome.effect));
}

TEST(many_cells_ask_for_more)
{
    /* 11 pairs: P = 1/2048 at best, so that 5% can be dealt out to 102 cells; 7: 1/128, to 6 */
    assert_int_equal(compare_least_blocks(0.05, 102, true), 11);
    assert_int_equal(compare_least_blocks(0.05, 103, true), 12);
    assert_int_equal(compare_least_blocks(0.05, 6, true), 7);
    assert_int_equal(compare_least_blocks(0.05, 7, true), 8);
    assert_int_equal(compare_least_blocks(0.05, 1, true), 5);
    assert_int_equal(compare_least_blocks(0.05, 1, false), 3);   /* 1/20 */
    assert_int_equal(compare_least_blocks(0.05, 171, false), 7); /* 1/3432 */
    assert_int_equal(compare_least_blocks(0.05, 172, false), 8);
    for (size_t blocks = 5; blocks < 12; blocks++) { /* the same question from the other side */
        size_t live = compare_most_cells(0.05, blocks, blocks, true),
               stored = compare_most_cells(0.05, blocks, blocks, false);
        assert_true(compare_least_blocks(0.05, live, true) <= blocks &&
                    compare_least_blocks(0.05, live + 1, true) > blocks);
        assert_true(compare_least_blocks(0.05, stored, false) <= blocks &&
                    compare_least_blocks(0.05, stored + 1, false) > blocks);
    }
    assert_int_equal(compare_most_cells(0.05, 7, 7, false), 171);
    assert_int_equal(compare_most_cells(0.05, 2, 2, false), 0);
    assert_int_equal(compare_most_cells(0.05, 2, 30, false), 24); /* 1/496 */
    assert_int_equal(compare_most_cells(0.05, 0, 9, false), 0);

    /* a cell alone fails with 7 pairs; among 7 it cannot */
    struct pair pairs[7];
    struct compare_cell cells[7];
    struct compare_outcome outcomes[7];
    struct compare_rule rule = compare_rule_default();
    for (int i = 0; i < 7; i++) {
        cells[i] = cell_of(&pairs[i], "cell", i ? 1.0 : 1.2, 1);
        cells[i].paired = true;
        cells[i].base_count = cells[i].head_count = 7;
    }
    assert_int_equal(compare_cells(&rule, cells, 6, outcomes), 0);
    assert_verdict(&outcomes[0], COMPARE_SUSPECTED, COMPARE_UNCONFIRMED);
    assert_int_equal(compare_cells(&rule, cells, 7, outcomes), 0);
    assert_verdict(&outcomes[0], COMPARE_INCONCLUSIVE, COMPARE_FEW_BLOCKS);
    assert_true(outcomes[0].p < 0.05 && outcomes[0].adjusted_p > 0.05);
}

TEST(what_is_no_time_is_refused)
{
    static const double bad[] = {0, -1, NAN, INFINITY};
    struct compare_rule rule = compare_rule_default();
    struct compare_outcome outcome;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct pair pair;
        struct compare_cell cell = cell_of(&pair, "cell", 1, 1);
        pair.head[3] = bad[i];
        assert_int_equal(compare_cells(&rule, &cell, 1, &outcome), -EINVAL);
        cell = cell_of(&pair, "cell", 1, 1);
        pair.base[0] = bad[i];
        assert_int_equal(compare_cells(&rule, &cell, 1, &outcome), -EINVAL);
    }
    struct pair pair;
    struct compare_cell cell = cell_of(&pair, "cell", 1, 1);
    cell.paired = true;
    cell.head_count = BLOCKS - 1;
    assert_int_equal(compare_cells(&rule, &cell, 1, &outcome), -EINVAL);
}

TEST(overall_is_the_worst)
{
    struct compare_outcome outcomes[3] = {{.verdict = COMPARE_PASSED}, {.verdict = COMPARE_PASSED}, {0}};
    outcomes[2].verdict = COMPARE_PASSED;
    assert_int_equal(compare_overall(outcomes, 3), COMPARE_PASSED);
    outcomes[1].verdict = COMPARE_INCONCLUSIVE;
    assert_int_equal(compare_overall(outcomes, 3), COMPARE_INCONCLUSIVE);
    outcomes[2].verdict = COMPARE_FAILED;
    assert_int_equal(compare_overall(outcomes, 3), COMPARE_FAILED);
    assert_int_equal(compare_overall(outcomes, 0), COMPARE_INCONCLUSIVE);
}

TEST(the_table_begins_with_the_largest_loss)
{
    struct compare_outcome outcomes[] = {
        {.name = "b", .effect = 0.01},  {.name = "none", .effect = NAN}, {.name = "a", .effect = 0.01},
        {.name = "gain", .effect = -1}, {.name = "loss", .effect = 0.5},
    };
    static const char *const order[] = {"loss", "a", "b", "gain", "none"};
    compare_sort(outcomes, COUNT(outcomes));
    for (size_t i = 0; i < COUNT(order); i++)
        assert_string_equal(outcomes[i].name, order[i]);
}

TEST(geometric_mean_of_two_cells)
{
    struct pair pairs[3];
    struct compare_cell cells[] = {cell_of(&pairs[0], "a", 1.21, 1), cell_of(&pairs[1], "b", 1.0, 1),
                                   cell_of(&pairs[2], "empty", 9, 1)};
    cells[2].base_count = 0;
    struct compare_rule rule = compare_rule_default();
    struct resample_mean mean;
    for (int paired = 0; paired < 2; paired++) {
        cells[0].paired = cells[1].paired = paired;
        assert_int_equal(compare_geometric_mean(&rule, cells, 3, &mean), 0);
        assert_true(fabs(mean.effect - log(1.1)) < 0.0005);
        assert_true(mean.ci95[0] < mean.effect && mean.effect < mean.ci95[1] && mean.ci95[1] - mean.ci95[0] < 0.002);
    }
    assert_int_equal(compare_geometric_mean(&rule, cells + 2, 1, &mean), -ENODATA);
}

RUN_TESTS(NULL, NULL)
