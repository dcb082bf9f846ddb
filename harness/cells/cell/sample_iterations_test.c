/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/sample_iterations.h"

#include "unit_test.h"

#include <math.h>

TEST(a_sample_has_the_cycles_that_it_is_to_have)
{
    assert_int_equal(sample_iterations(100), SAMPLE_CYCLES / 100);
    assert_int_equal(sample_iterations(2.5), SAMPLE_CYCLES * 2 / 5);
}

TEST(there_are_four_at_least_and_never_more_than_cycles)
{
    static const double slow[] = {SAMPLE_CYCLES / 4.0, SAMPLE_CYCLES, 1e12, INFINITY};
    static const double fast[] = {1, 0.5, 0, -3, NAN};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        assert_int_equal(sample_iterations(slow[i]), 4);
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        assert_int_equal(sample_iterations(fast[i]), SAMPLE_CYCLES);
}

RUN_TESTS(NULL, NULL)
