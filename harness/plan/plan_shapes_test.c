/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "harness/plan/plan_shapes.h"
#include "unit_test.h"

static void distinct_shapes_are_distinct_and_name_their_models(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distinct_shapes_are_distinct_and_name_their_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
