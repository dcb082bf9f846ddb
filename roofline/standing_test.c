/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "roofline/standing.h"

static void cells_are_judged_from_above_and_from_below(void **state)
{
    (void)state;
    static const struct {
        struct standing_facts facts;
        enum standing standing;
    } table[] = {
        {{1.04, 1, 1, 1}, STANDING_ABOVE_ROOF},
        {{1.03, 1, 1, 1}, STANDING_EXPECTED},
        {{0.5, 1, 0.81, 0.5}, STANDING_EXPECTED}, /* the kernel is slow, and predicted so */
        {{0.5, 1, 0.79, 0.9}, STANDING_FAR_BELOW},
        {{0.9, 1, NAN, 0.61}, STANDING_EXPECTED}, /* no omega: a looser bound */
        {{0.9, 1, NAN, 0.59}, STANDING_FAR_BELOW},
        {{NAN, 1, NAN, 0.59}, STANDING_FAR_BELOW}, /* warm */
        {{0.2, 1, NAN, NAN}, STANDING_NOT_JUDGED},
        {{0.2, NAN, 1, 1}, STANDING_NOT_JUDGED},
        {{1.1, NAN, NAN, NAN}, STANDING_ABOVE_ROOF},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (standing_of(&table[i].facts) != table[i].standing)
            fail_msg("row %zu: %d, not %d", i, (int)standing_of(&table[i].facts), (int)table[i].standing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_judged_from_above_and_from_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
