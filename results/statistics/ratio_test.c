/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "results/statistics/ratio.h"
#include "results/statistics/resample.h"
#include "results/statistics/stats.h"
#include "unit_test.h"

static void a_ratio_has_the_interval_of_both(void **state)
{
    (void)state;
    const struct bounded exact = {2, 2, 2}, wide = {1, 0.5, 2}, unknown = {NAN, NAN, NAN};
    struct bounded ratio = ratio_of(&exact, &wide);
    assert_true(ratio.value == 2 && fabs(ratio.low - 1) < 1e-12 && fabs(ratio.high - 4) < 1e-12);
    ratio = ratio_of(&wide, &wide);
    assert_true(ratio.value == 1 && fabs(log(ratio.high) - M_LN2 * M_SQRT2) < 1e-12);
    assert_true(isnan(ratio_of(&unknown, &exact).value) && isnan(ratio_of(&exact, &unknown).low));
}

static struct bounded median_of(struct resample_random *random, size_t n)
{
    double values[32];
    struct summary summary;
    for (size_t i = 0; i < n; i++) {
        double sum = -6;
        for (int j = 0; j < 12; j++)
            sum += (double)(resample_next(random) >> 11) * 0x1p-53;
        values[i] = exp(0.02 * sum);
    }
    assert_int_equal(stats_summarize(values, n, &summary), 0);
    return (struct bounded){summary.median, summary.ci95[0], summary.ci95[1]};
}

/* Of equal things 1 is within the interval 95 times in 100, or more. */
static void the_interval_covers(void **state)
{
    (void)state;
    enum { DRAWS = 2000 };
    struct resample_random random = {7};
    size_t within = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct bounded a = median_of(&random, 12), b = median_of(&random, 24), ratio = ratio_of(&a, &b);
        within += ratio.low <= 1 && 1 <= ratio.high;
    }
    assert_in_range(within, DRAWS * 94 / 100, DRAWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ratio_has_the_interval_of_both),
        cmocka_unit_test(the_interval_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
