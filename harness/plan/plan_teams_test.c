/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session.h"
#include "harness/plan/plan_teams.h"
#include "unit_test.h"

static void teams_double_up_to_the_widest(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_double_up_to_the_widest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
