/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/kind.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/command/exit_code.h"
#include "unit_test.h"

static const struct sequence one = {.name = "f.one.reference"}, other = {.name = "f.other.reference"};

static struct sample kept[2] = {{.cause = SAMPLE_KEPT}, {.cause = SAMPLE_INTERRUPT}},
                     rejected[2] = {{.cause = SAMPLE_INTERRUPT}, {.cause = SAMPLE_SIBLING}};

static struct cell cell_of(const struct cell_kind *kind, const struct sequence *sequence, struct sample *samples)
{
    return (struct cell){.kind = kind, .sequence = sequence, .samples = {.sample = samples, .count = samples ? 2 : 0}};
}

static int code_of(struct cell *cell, size_t count, const struct cell_kind *kind)
{
    const struct cells cells = {.cell = cell, .count = count};
    return warn_where_no_samples("knee", &cells, kind);
}

TEST(one_cell_of_a_sequence_that_kept_a_sample_is_enough)
{
    struct cell cell[] = {cell_of(&cell_kind_gamma, &one, rejected), cell_of(&cell_kind_gamma, &one, kept),
                          cell_of(&cell_kind_gamma, &other, rejected)};
    assert_int_equal(code_of(cell, 3, &cell_kind_gamma), EXIT_DONE);
    assert_int_equal(code_of(cell, 1, &cell_kind_gamma), EXIT_INCONCLUSIVE);
    assert_int_equal(code_of(cell + 2, 1, &cell_kind_gamma), EXIT_INCONCLUSIVE);
    assert_int_equal(code_of(cell, 0, &cell_kind_gamma), EXIT_DONE);
}

TEST(a_knee_that_was_not_measured_is_told_of_by_its_gamma)
{
    struct cell cell[] = {cell_of(&cell_kind_gamma, &one, rejected), cell_of(&cell_kind_knee, &one, NULL)};
    assert_int_equal(code_of(cell, 2, &cell_kind_knee), EXIT_INCONCLUSIVE);
    cell[0] = cell_of(&cell_kind_gamma, &one, kept);
    assert_int_equal(code_of(cell, 2, &cell_kind_knee), EXIT_DONE); /* something else kept it from being measured */
}

TEST(what_is_left_out_has_a_reason_already)
{
    struct cell cell[] = {cell_of(&cell_kind_gamma, &one, rejected)};
    cell[0].why[0] = 'x';
    assert_int_equal(code_of(cell, 1, &cell_kind_gamma), EXIT_DONE);
}

TEST(of_cells_as_one_it_is_enough_that_one_kept_a_sample)
{
    struct cell cell[] = {cell_of(&cell_kind_gamma, &one, rejected), cell_of(&cell_kind_gamma, &other, NULL),
                          cell_of(&cell_kind_knee, &one, kept)};
    struct cells cells = {.cell = cell, .count = 3};
    assert_int_equal(tell_if_nothing_kept("gamma", &cells, &cell_kind_gamma), EXIT_INCONCLUSIVE);
    assert_int_equal(tell_if_nothing_kept("gamma", &cells, &cell_kind_knee), EXIT_DONE);
    cell[1] = cell_of(&cell_kind_gamma, &other, kept);
    assert_int_equal(tell_if_nothing_kept("gamma", &cells, &cell_kind_gamma), EXIT_DONE);
    cells.count = 0;
    assert_int_equal(tell_if_nothing_kept("gamma", &cells, &cell_kind_gamma), EXIT_DONE);
}

RUN_TESTS(NULL, NULL)
