/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "unit_test.h"

TEST(every_kind_keeps_the_contract)
{
    for (const struct cell_kind *const *at = cell_kind_all(); *at; at++) {
        const struct cell_kind *kind = *at;
        char name[64];
        snprintf(name, sizeof name, "%s/what/t1", kind->name);
        assert_ptr_equal(cell_kind_of_name(name), kind);
        assert_true(kind->visit && kind->record);
        assert_int_equal(kind->offer != NULL, kind->class_of != NULL);
        assert_int_equal(kind->describe || !kind->restore, true); /* what comes back was written */
        assert_true(!kind->refine || kind->carry_out);            /* by itself it is swept */
    }
    assert_null(cell_kind_of_name("gem/v"));
    assert_null(cell_kind_of_name(""));
}

/*
 * gamma and the roofs are known before the streams that are held against them, and those before GEMVs.
 */
TEST(a_characterization_takes_each_kind_once_in_the_order_of_ranks)
{
    static const char *const order[] = {"sync", "gamma", "prepare", "beta", "latency", "knee", "gemv"};
    size_t ours = 0, count = 0, all = 0;
    for (const struct cell_kind *kind = cell_kind_after(NULL); kind; kind = cell_kind_after(kind), count++) {
        if (ours < sizeof order / sizeof *order && strcmp(kind->name, order[ours]) == 0)
            ours++;
    }
    while (cell_kind_all()[all])
        all++;
    assert_int_equal(ours, sizeof order / sizeof *order);
    assert_int_equal(count, all);
}

TEST(a_cell_has_room_of_its_own_that_stays_where_it_is)
{
    enum { MANY = 200 };
    struct cells cells = {0};
    void *own[MANY];
    for (size_t i = 0; i < MANY; i++) {
        struct cell *cell = cells_add(&cells, cell_kind_all()[0]);
        assert_non_null(cell);
        snprintf(cell->name, sizeof cell->name, "%s/%zu", cell->kind->name, i);
        own[i] = cell->own;
        for (size_t byte = 0; byte < cell->kind->own; byte++)
            assert_int_equal(((const unsigned char *)cell->own)[byte], 0);
        memset(cell->own, (int)i, cell->kind->own);
    }
    for (size_t i = 0; i < MANY; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%zu", cell_kind_all()[0]->name, i);
        assert_ptr_equal(cells_find(&cells, name), &cells.cell[i]);
        assert_ptr_equal(cells.cell[i].own, own[i]);
    }
    assert_null(cells_find(&cells, "none"));
    cells_release(&cells);
    assert_int_equal(cells.count, 0);
}

RUN_TESTS(NULL, NULL)
