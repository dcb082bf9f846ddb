/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock/seed.h"
#include "unit_test.h"

static void seeds_are_short_and_differ(void **state)
{
    (void)state;
    enum { SEEDS = 64 };
    unsigned others = 0;
    const uint64_t first = seed_from_clock();
    for (int i = 0; i < SEEDS; i++) {
        uint64_t seed = seed_from_clock();
        assert_true(seed >= 1 && seed <= UINT32_MAX);
        others += seed != first;
    }
    assert_true(others > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(seeds_are_short_and_differ)};
    return cmocka_run_group_tests_name("seed", tests, NULL, NULL);
}
