/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/label_places.h"

#include <math.h>

/* Insertion sort, which keeps ties in order. */
static void order_of(const double *at, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        size_t place = i;
        for (; place && at[order[place - 1]] > at[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

/*
 * With the i-th label written as u + i x apart the distance is kept where u does not fall: a regression on values that do not
 * fall, whose solution merges neighbours that do into a block at their mean.
 */
void label_places(double *at, size_t count, double apart, double low, double high)
{
    size_t order[LABEL_PLACES_MAX], length[LABEL_PLACES_MAX], blocks = 0, label = 0;
    double mean[LABEL_PLACES_MAX];
    if (!count || count > LABEL_PLACES_MAX)
        return;
    order_of(at, count, order);
    for (size_t i = 0; i < count; i++) {
        mean[blocks] = at[order[i]] - (double)i * apart;
        length[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--) {
            double before = (double)length[blocks - 2], after = (double)length[blocks - 1];
            mean[blocks - 2] = (before * mean[blocks - 2] + after * mean[blocks - 1]) / (before + after);
            length[blocks - 2] += length[blocks - 1];
        }
    }
    double most = fmax(low, high - (double)(count - 1) * apart);
    for (size_t b = 0; b < blocks; b++) {
        for (size_t i = 0; i < length[b]; i++, label++)
            at[order[label]] = fmin(fmax(mean[b], low), most) + (double)label * apart;
    }
}
