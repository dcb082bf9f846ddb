/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slow: thousands of comparisons are simulated.
 */
#include <math.h>

#include "results/gate/looks_testing.h"
#include "results/records/testing.h"
#include "results/statistics/resample.h"
#include "unit_test.h"

enum { FIRST = 7, CELLS = 20, PAIRS = LOOKS * FIRST };

TEST(their_errors_add_up_to_one)
{
    struct looks looks = looks_of(9, 0.05), once = looks_once(9, 0.05);
    double sum = 0;
    for (size_t i = 0; i < looks.count; i++) {
        sum += looks.alpha[i];
        assert_int_equal(looks.pairs[i], 9 * (i + 1));
    }
    assert_close(sum, 0.05);
    assert_true(once.count == 1 && once.pairs[0] == 9 && once.alpha[0] == 0.05);
}

TEST(what_is_decided_goes_no_further)
{
    static const struct {
        enum compare_verdict verdict;
        enum compare_reason reason;
        bool decided;
    } table[] = {
        {COMPARE_PASSED, COMPARE_NO_REASON, true},        {COMPARE_SUSPECTED, COMPARE_UNCONFIRMED, true},
        {COMPARE_INCONCLUSIVE, COMPARE_GIVEN_UP, true},   {COMPARE_INCONCLUSIVE, COMPARE_UNCERTAIN, false},
        {COMPARE_INCONCLUSIVE, COMPARE_SMALL, false},     {COMPARE_INCONCLUSIVE, COMPARE_FEW_BLOCKS, false},
        {COMPARE_INCONCLUSIVE, COMPARE_NO_BLOCKS, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(
            looks_have_decided(&(struct compare_outcome){.verdict = table[i].verdict, .reason = table[i].reason}),
            table[i].decided);
}

static struct compare_outcome uncertain(double effect, double upper, double threshold)
{
    return (struct compare_outcome){.effect = effect,
                                    .upper = upper,
                                    .threshold = threshold,
                                    .base_blocks = 8,
                                    .verdict = COMPARE_INCONCLUSIVE,
                                    .reason = COMPARE_UNCERTAIN};
}

TEST(pairs_that_are_needed_go_with_the_square_of_the_width)
{
    struct compare_outcome outcome = uncertain(0, 0.04, 0.02);
    assert_close(looks_pairs_needed(&outcome), 8 * 4.0); /* half as wide */
    outcome = uncertain(0.05, 0.15, 0.02);
    assert_close(looks_pairs_needed(&outcome), 8 * 4.0); /* so that zero is excluded */
    outcome = uncertain(0, INFINITY, 0.02);
    assert_true(isnan(looks_pairs_needed(&outcome)));
}

TEST(only_the_hopeless_is_given_up)
{
    struct looks looks = looks_of(8, 0.05); /* 24 pairs at the last one */
    struct compare_outcome outcomes[] = {uncertain(0, 0.04, 0.02), uncertain(0, 0.06, 0.02),
                                         uncertain(0, INFINITY, 0.02), uncertain(0, 0.06, 0.02)};
    outcomes[3].reason = COMPARE_SMALL;
    looks_give_up(&looks, outcomes, 4);
    assert_int_equal(outcomes[0].reason, COMPARE_UNCERTAIN);
    assert_int_equal(outcomes[1].reason, COMPARE_GIVEN_UP);
    assert_int_equal(outcomes[2].reason, COMPARE_UNCERTAIN);
    assert_int_equal(outcomes[3].reason, COMPARE_SMALL);
}

TEST(least_pairs_are_those_of_any_look)
{
    assert_int_equal(looks_least_pairs(0.05, 1, true), 5);
    for (size_t cells = 1; cells < 2000; cells = 2 * cells + 1) {
        size_t least = looks_least_pairs(0.05, cells, false);
        struct looks looks = looks_of(least, 0.05);
        assert_true(compare_most_cells(looks.alpha[2], looks.pairs[2], looks.pairs[2], true) >= cells);
        assert_true(least <= looks_least_pairs(0.05, cells, true));
    }
}

/* ---- simulated ---- */

/** Roughly normal, of deviation 1. */
static double draw(struct resample_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(resample_next(random) >> 11) * 0x1p-53;
    return sum;
}

struct scene {
    double base[CELLS][PAIRS], head[CELLS][PAIRS];
    unsigned block[PAIRS];
    struct compare_cell cell[CELLS];
    struct compare_outcome outcome[CELLS];
};

/** @param loss  of every cell, @param spread  of a pair; logarithms */
static void simulate(double loss, double spread, struct resample_random *random, struct scene *scene)
{
    struct compare_rule rule = compare_rule_default();
    struct looks looks = looks_of(FIRST, rule.alpha);
    for (size_t c = 0; c < CELLS; c++) {
        for (unsigned i = 0; i < PAIRS; i++) {
            scene->block[i] = i;
            scene->base[c][i] = 1e-4;
            scene->head[c][i] = 1e-4 * exp(loss + spread * draw(random));
        }
        scene->cell[c] = (struct compare_cell){.name = "cell",
                                               .class = COMPARE_MEMORY,
                                               .paired = true,
                                               .base = scene->base[c],
                                               .head = scene->head[c],
                                               .base_block = scene->block,
                                               .head_block = scene->block,
                                               .base_s = 1e-4,
                                               .floor = 0};
    }
    judge_by_looks(&rule, &looks, scene->cell, CELLS, scene->outcome);
}

/** Without threshold and floor to help: without a real loss, one in 20 comparisons at most has a suspect. */
TEST(three_looks_have_the_error_of_one)
{
    enum { COMPARISONS = 2000 };
    static struct scene scene;
    struct resample_random random = {5};
    size_t suspected = 0, passed_at_threshold = 0;
    for (int i = 0; i < COMPARISONS; i++) {
        bool any = false;
        simulate(0, 0.2, &random, &scene); /* an effect beyond the threshold by chance is easy */
        for (size_t c = 0; c < CELLS; c++)
            any = any || scene.outcome[c].verdict == COMPARE_SUSPECTED;
        suspected += any;
    }
    for (int i = 0; i < COMPARISONS / CELLS; i++) {
        simulate(log1p(0.02), 0.01, &random, &scene); /* each of them just as slow as is no longer passed */
        for (size_t c = 0; c < CELLS; c++)
            passed_at_threshold += scene.outcome[c].verdict == COMPARE_PASSED;
    }
    print_message("%zu of %d comparisons suspected, %zu of %d cells at the threshold passed\n", suspected, COMPARISONS,
                  passed_at_threshold, COMPARISONS);
    assert_true(suspected <= COMPARISONS / 20 && suspected > 0);
    assert_true(passed_at_threshold <= COMPARISONS * 65 / 1000 && passed_at_threshold > 0);
}

/** Further pairs are what tells: of cells that one look leaves open, most are decided. */
TEST(more_pairs_decide_more_cells)
{
    static struct scene scene;
    struct resample_random random = {6};
    struct looks once = looks_once(FIRST, 0.05);
    struct compare_rule rule = compare_rule_default();
    size_t open_once = 0, open = 0;
    for (int i = 0; i < 100; i++) {
        simulate(0, 0.025, &random, &scene);
        for (size_t c = 0; c < CELLS; c++)
            open += scene.outcome[c].verdict == COMPARE_INCONCLUSIVE;
        judge_by_looks(&rule, &once, scene.cell, CELLS, scene.outcome);
        for (size_t c = 0; c < CELLS; c++)
            open_once += scene.outcome[c].verdict == COMPARE_INCONCLUSIVE;
    }
    print_message("of %d cells %zu are open after %d pairs, %zu after up to %d\n", 100 * CELLS, open_once, FIRST, open,
                  PAIRS);
    assert_true(open < open_once / 2);
}

RUN_TESTS(NULL, NULL)
