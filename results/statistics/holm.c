/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/holm.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "results/files/need.h"

struct ordered {
    double p;
    size_t index;
};

static int smaller_first(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    if (a->p != b->p)
        return a->p < b->p ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static struct ordered *order(const double *p, size_t n)
{
    struct ordered *ordered = need(n + 1, sizeof *ordered);
    if (!ordered)
        return NULL;
    for (size_t i = 0; i < n; i++)
        ordered[i] = (struct ordered){isnan(p[i]) ? 1 : p[i], i};
    qsort(ordered, n, sizeof *ordered, smaller_first);
    return ordered;
}

int holm_levels(const double *p, size_t n, double alpha, double *level)
{
    struct ordered *ordered = order(p, n);
    if (!ordered)
        return -ENOMEM;
    bool ended = false;
    double held_against = alpha;
    for (size_t i = 0; i < n; i++) {
        if (!ended)
            held_against = alpha / (double)(n - i);
        level[ordered[i].index] = held_against;
        ended = ended || ordered[i].p > held_against * (1 + 1e-12);
    }
    free(ordered);
    return 0;
}

int holm_adjust(const double *p, size_t n, double *adjusted)
{
    struct ordered *ordered = order(p, n);
    if (!ordered)
        return -ENOMEM;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double own = (double)(n - i) * ordered[i].p;
        largest = own > largest ? own : largest;
        adjusted[ordered[i].index] = largest < 1 ? largest : 1;
    }
    free(ordered);
    return 0;
}
