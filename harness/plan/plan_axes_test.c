/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "harness/measure/session.h"
#include "harness/plan/plan_axes.h"
#include "unit_test.h"

TEST(distinct_shapes_are_distinct_and_name_their_models)
{
    static struct shape shapes[SHAPES_MAX], all[SHAPES_MAX];
    static char models[SHAPES_MAX][CELL_NAMES], roles[SHAPES_MAX][CELL_NAMES];
    size_t count = plan_distinct_shapes(shapes, SHAPES_MAX, models, roles), total = shapes_all(all, SHAPES_MAX);
    assert_in_range(count, 1, total);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(models[i]) > 0 && strlen(roles[i]) > 0);
        for (size_t j = 0; j < i; j++)
            assert_false(shapes[i].m == shapes[j].m && shapes[i].k == shapes[j].k);
    }
    for (size_t i = 0; i < total; i++) {
        size_t j = 0;
        while (j < count && (shapes[j].m != all[i].m || shapes[j].k != all[i].k))
            j++;
        assert_true(j < count && strstr(models[j], all[i].model) && strstr(roles[j], all[i].roles));
        assert_true(strlen(all[i].timed_by) == 0 || strlen(shapes[j].timed_by) >= strlen(all[i].timed_by));
    }
    assert_int_equal(plan_distinct_shapes(shapes, 2, models, roles), 2);
}

TEST(teams_double_up_to_the_widest)
{
    static const struct {
        unsigned widest;
        size_t count;
        unsigned sizes[5];
    } table[] = {{1, 1, {1}}, {2, 2, {1, 2}}, {3, 3, {1, 2, 3}}, {8, 4, {1, 2, 4, 8}}, {12, 5, {1, 2, 4, 8, 12}}};
    unsigned sizes[16];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(plan_team_sizes(table[i].widest, sizes), table[i].count);
        assert_memory_equal(sizes, table[i].sizes, table[i].count * sizeof *sizes);
    }
    assert_in_range(plan_team_sizes(SESSION_CPUS_MAX, sizes), 1, 16);
    assert_in_range(plan_team_sizes(1u << 31, sizes), 1, 16);
}

RUN_TESTS(NULL, NULL)
