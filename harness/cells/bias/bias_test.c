/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/bias/bias.h"
#include "harness/cells/on_paper.h"
#include "unit_test.h"

static struct cell *add_bias(struct bench *bench, enum bias_factor factor, unsigned levels)
{
    struct cell *cell = add(bench, &cell_kind_bias, bias_factor_name(factor));
    *bias_cell(cell) = (struct bias_cell){.subject = BIAS_COLD, .factor = factor, .levels = levels};
    cell->kernel = &kernel;
    return cell;
}

/** This many rounds in which level l takes `seconds` (1 + l step). */
static void give_rounds(struct cell *cell, unsigned rounds, double seconds, double step)
{
    unsigned levels = bias_cell(cell)->levels;
    for (size_t i = 0; i < (size_t)rounds * levels; i++)
        give(&cell->samples, kept_sample(seconds * (1 + step * bias_level_of(cell, i)), CLOCK_HZ));
}

TEST_GIVEN_BY(every_level_has_its_turn_in_each_round, struct bench *bench, open_bench, close_bench)
{
    static const unsigned levels[] = {2, 5, 8, 16};
    struct cell *cell = add_bias(bench, BIAS_STACK, 2);
    for (size_t n = 0; n < 4; n++) {
        bias_cell(cell)->levels = levels[n];
        for (size_t round = 0; round < 7; round++) {
            unsigned seen = 0;
            for (size_t i = 0; i < levels[n]; i++)
                seen |= 1u << bias_level_of(cell, round * levels[n] + i);
            assert_int_equal(seen, (1u << levels[n]) - 1);
        }
    }
    bias_cell(cell)->levels = 16;
    assert_int_not_equal(bias_level_of(cell, 0), bias_level_of(cell, 16)); /* nor in the same order */
}

TEST_GIVEN_BY(medians_are_those_of_the_levels, struct bench *bench, open_bench, close_bench)
{
    struct cell *control = add_bias(bench, BIAS_NOTHING, 8);
    give_rounds(control, 6, 1e-3, 0);
    struct cell *cell = add_bias(bench, BIAS_STACK, 16);
    control = &bench->cells.cell[bench->cells.count - 2];
    give_rounds(cell, 6, 1e-3, 0.01);
    size_t n;
    assert_near(bias_median(cell, 3, &n), 1.03e-3);
    assert_int_equal(n, 6);
    const struct layout_bias bias = bias_of(&bench->cells, cell), alone = bias_of(&bench->cells, control);
    assert_near(bias.spread, 0.15);
    assert_ptr_equal(bias_control(&bench->cells, cell), control);
    assert_true(alone.distance == 0 && alone.net == 0);
    assert_near(bias.net, layout_bias_net(bias.distance, bias.noise));
    assert_true(bias.net > 0.8 * bias.distance && bias.net < bias.distance);
    json_auto_t *record = record_of(bench, cell);
    assert_string_equal(field_text(record, "type"), "bias");
    assert_string_equal(field_text(record, "factor"), "stack");
    assert_string_equal(field_text(record, "unit"), "s");
    assert_flag(record, "layout", true);
    assert_near(field_number(record, "spread"), 0.15);
    assert_int_equal(json_array_size(json_object_get(record, "levels")), 16);
    assert_string_equal(field_text(json_array_get(json_object_get(record, "levels"), 2), "level"), "+544 B");
}

/** A control whose own levels differ (they lie in other pages, say) tells what the way of measuring ops. */
TEST_GIVEN_BY(what_the_control_shows_is_no_layout, struct bench *bench, open_bench, close_bench)
{
    add_bias(bench, BIAS_NOTHING, 8);
    add_bias(bench, BIAS_STACK, 8);
    struct cell *control = &bench->cells.cell[bench->cells.count - 2], *cell = control + 1;
    give_rounds(cell, 12, 1e-3, 0.01);
    assert_true(isnan(bias_of(&bench->cells, cell).net)); /* unknown without it */
    give_rounds(control, 12, 1e-3, 0.005);
    const double all = bias_of(&bench->cells, control).net;
    assert_true(all > 0);
    const double with = bias_of(&bench->cells, cell).net;
    control->samples.count = 0;
    give_rounds(control, 12, 1e-3, 0);
    assert_near(with, layout_bias_net(bias_of(&bench->cells, cell).net, all));
    control->samples.count = 0;
    give_rounds(control, 12, 1e-3, 0.02);
    assert_true(bias_of(&bench->cells, cell).net == 0);
}

TEST(floors_are_of_one_subject_with_its_control)
{
    static const enum bias_factor floors[] = {BIAS_NOTHING, BIAS_CODE, BIAS_ADDRESSES, BIAS_STACK, BIAS_BUFFER};
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) {
        const struct bias_cell cold = {.subject = BIAS_COLD, .factor = floors[i]};
        assert_true(bias_is_floor(&cold, BIAS_COLD));
        assert_false(bias_is_floor(&cold, BIAS_GAMMA));
    }
    assert_false(bias_is_floor(&(struct bias_cell){.subject = BIAS_COLD, .factor = BIAS_PAGES}, BIAS_COLD));
}

TEST_GIVEN_BY(five_samples_of_a_level_are_no_number, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_bias(bench, BIAS_PAGES, 2);
    give_rounds(cell, 6, 1e-3, 0.2);
    cell->samples.sample[0].cause = SAMPLE_INTERRUPT;
    size_t n;
    assert_true(isnan(bias_median(cell, bias_level_of(cell, 0), &n)));
    assert_int_equal(n, 5);
    assert_true(isnan(bias_of(&bench->cells, cell).spread));
    assert_int_equal(cell_kind_bias.kept(cell), 5);
    json_auto_t *record = record_of(bench, cell);
    assert_null_field(record, "spread");
    assert_null_field(record, "net");
    assert_string_equal(field_text(record, "reason"),
                        "a level has fewer than 6 samples in rounds of which half were kept");
}

TEST_GIVEN_BY(what_the_core_decides_is_in_cycles_of_known_clocks, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_bias(bench, BIAS_STACK, 2);
    bias_cell(cell)->subject = BIAS_WARM;
    cell->repeats = 4;
    give_rounds(cell, 6, 4e-6, 0);
    size_t n;
    assert_near(bias_median(cell, 0, &n), 1e-6 * CLOCK_HZ);
    for (size_t i = 0; i < cell->samples.count; i++)
        cell->samples.sample[i].grade = SAMPLE_WALL;
    assert_true(isnan(bias_median(cell, 0, &n)));
    assert_int_equal(n, 0);
}

TEST(data_and_pages_are_no_layout)
{
    assert_false(bias_factor_is_layout(BIAS_NOTHING));
    assert_false(bias_factor_is_layout(BIAS_DATA));
    assert_false(bias_factor_is_layout(BIAS_PAGES));
    assert_true(bias_factor_is_layout(BIAS_CODE));
    assert_true(bias_factor_is_layout(BIAS_ADDRESSES));
}

RUN_TESTS(NULL, NULL)
