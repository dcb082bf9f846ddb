/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live.h"

void live_orders(size_t pairs, struct resample_random *random, bool *base_first)
{
    size_t first = pairs / 2 + (pairs % 2 ? resample_below(random, 2) : 0);
    for (size_t i = 0; i < pairs; i++)
        base_first[i] = i < first;
    for (size_t i = pairs; i > 1; i--) {
        size_t j = resample_below(random, i);
        bool swap = base_first[i - 1];
        base_first[i - 1] = base_first[j];
        base_first[j] = swap;
    }
}
