/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/plausibility.h"
#include "unit_test.h"

static void cells_are_judged_from_above_and_from_below(void **state)
{
    (void)state;
    static const struct {
        struct plausibility_facts facts;
        enum plausibility plausibility;
    } table[] = {
        {{1.04, 1, 1, 1}, PLAUSIBILITY_ABOVE_ROOF},
        {{1.03, 1, 1, 1}, PLAUSIBILITY_EXPECTED},
        {{0.5, 1, 0.81, 0.5}, PLAUSIBILITY_EXPECTED}, /* the kernel is slow, and predicted so */
        {{0.5, 1, 0.79, 0.9}, PLAUSIBILITY_FAR_BELOW},
        {{0.9, 1, NAN, 0.61}, PLAUSIBILITY_EXPECTED}, /* no omega: a looser bound */
        {{0.9, 1, NAN, 0.59}, PLAUSIBILITY_FAR_BELOW},
        {{NAN, 1, NAN, 0.59}, PLAUSIBILITY_FAR_BELOW}, /* warm */
        {{0.2, 1, NAN, NAN}, PLAUSIBILITY_NOT_JUDGED},
        {{0.2, NAN, 1, 1}, PLAUSIBILITY_NOT_JUDGED},
        {{1.1, NAN, NAN, NAN}, PLAUSIBILITY_ABOVE_ROOF},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (plausibility_of(&table[i].facts) != table[i].plausibility)
            fail_msg("row %zu: %d, not %d", i, (int)plausibility_of(&table[i].facts), (int)table[i].plausibility);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_judged_from_above_and_from_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
