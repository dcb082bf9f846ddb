/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/comparison/comparison_terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/rank_sum.h"
#include "results/statistics/stats.h"

static double median_of(const double *value, size_t count)
{
    double *known = need(count + 1, sizeof *known);
    size_t used = 0;
    for (size_t i = 0; known && i < count; i++) {
        if (value[i] > 0)
            known[used++] = value[i];
    }
    double median = used ? stats_median(known, used) : NAN;
    free(known);
    return median;
}

/** Values of a cell of that name; NaN where there is none. */
static double value_named(const struct blocks *blocks, const char *name)
{
    const struct blocks_cell *cell = name ? blocks_find(blocks, name) : NULL;
    return cell ? median_of(cell->value, cell->count) : NAN;
}

static double positive(double number)
{
    return number > 0 ? number : NAN;
}

static void set_gamma(struct comparison_terms *terms, const struct blocks *base, const struct blocks *head,
                      const struct blocks_model *before, const struct blocks_model *after)
{
    terms->base.gamma = before->computing > 0 ? before->computing : value_named(base, before->gamma);
    terms->head.gamma = after->computing > 0 ? after->computing : value_named(head, after->gamma);
}

/** A team of one has no barrier. */
static void set_start(struct comparison_terms *terms, const struct blocks *base, const struct blocks *head,
                      unsigned threads)
{
    char name[64];
    snprintf(name, sizeof name, "sync/barrier/t%u", threads);
    terms->base.start_s = threads > 1 ? value_named(base, name) : NAN;
    terms->head.start_s = threads > 1 ? value_named(head, name) : NAN;
}

struct comparison_terms comparison_terms_make(const struct blocks *base, const struct blocks_cell *before,
                                              const struct blocks *head, const struct blocks_cell *after,
                                              double roof_effect)
{
    const struct blocks_model *model = &before->model;
    if (!(model->packed_bytes > 0) || !model->threads)
        return (struct comparison_terms){0};
    double roof_s = median_of(before->roof_s, before->count);
    struct comparison_terms terms = {
        .bytes = model->packed_bytes / model->threads,
        .vectors = model->vectors / model->threads,
        .base = {.time_s = before->timed_s, .clock_hz = positive(model->core_hz)},
    };
    terms.head.clock_hz = before->cycles ? terms.base.clock_hz : positive(after->model.core_hz);
    terms.base.roof_bytes_per_s = positive(model->roof_bytes / model->threads / roof_s);
    terms.head.roof_bytes_per_s = terms.base.roof_bytes_per_s * exp(-roof_effect);
    set_gamma(&terms, base, head, model, &after->model);
    set_start(&terms, base, head, model->threads);
    return terms;
}
