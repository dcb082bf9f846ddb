/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "reports/findings/questions.h"
#include "results/stats.h"

/**
 * Overlap is reported for cells whose lesser side is at least this share of the greater: below it, noise dominates.
 */
#define BALANCED 0.25

struct residuals {
    double *signed_values, *sizes; /* of measured less predicted over predicted */
    size_t count;
    const json_t *worst;
};

static bool counts(const json_t *row, bool small)
{
    return cells_is_valid(row) && view_is_cold(row) && cells_is_small(row) == small &&
           isfinite(view_median(row, "residual"));
}

/* @return false without memory */
static bool collect(const struct view *view, bool small, struct residuals *residuals)
{
    size_t rows = view->of[VIEW_GEMV].count;
    *residuals = (struct residuals){.signed_values = calloc(rows + 1, sizeof(double)),
                                    .sizes = calloc(rows + 1, sizeof(double))};
    if (!residuals->signed_values || !residuals->sizes)
        return false;
    for (size_t i = 0; i < rows; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!counts(row, small))
            continue;
        double residual = view_median(row, "residual");
        residuals->signed_values[residuals->count] = residual;
        residuals->sizes[residuals->count++] = fabs(residual);
        if (!residuals->worst || fabs(residual) > fabs(view_median(residuals->worst, "residual")))
            residuals->worst = row;
    }
    return true;
}

static void say_residuals(struct finding *finding, const struct residuals *residuals, bool small)
{
    const json_t *worst = residuals->worst;
    double median = stats_median(residuals->signed_values, residuals->count);
    say(finding,
        "%s%zu cold cell%s of %s 2²⁰ weights: measured over predicted time %+.1f%% (median), within ±%.1f%% for half "
        "of them; the worst %+.0f%%, %s on ",
        finding->text[0] ? "\n" : "", residuals->count, plural((unsigned)residuals->count),
        small ? "less than" : "at least", 100 * median, 100 * stats_median(residuals->sizes, residuals->count),
        100 * view_median(worst, "residual"), view_text(worst, "name"));
    say(finding, "%.0f×%.0f with %.0f thread%s.", view_number(worst, "m"), view_number(worst, "k"),
        view_number(worst, "threads"), plural((unsigned)view_number(worst, "threads")));
}

/*
 * predicted_serial_s - predicted_s is the lesser of memory's and the computing's time, predicted_s about the greater.
 */
static bool is_balanced(const json_t *row)
{
    double overlapped = view_median(row, "predicted_s"), serial = view_median(row, "predicted_serial_s");
    return serial - overlapped >= BALANCED * overlapped;
}

static void say_overlap(struct finding *finding, const struct view *view)
{
    size_t rows = view->of[VIEW_GEMV].count, count = 0;
    double *overlaps = calloc(rows + 1, sizeof *overlaps);
    for (size_t i = 0; overlaps && i < rows; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double overlap = view_median(row, "overlap");
        if (counts(row, false) && is_balanced(row) && isfinite(overlap))
            overlaps[count++] = overlap;
    }
    if (count)
        say(finding,
            "\nComputing and waiting overlap by %.0f%% (median of the %zu large cold cells where both matter; 100%% is "
            "the model, at 0%% they add up).",
            100 * stats_median(overlaps, count), count);
    free(overlaps);
}

void find_prediction(struct facts *facts)
{
    struct finding *finding = NULL;
    for (int small = 0; small < 2; small++) {
        struct residuals residuals;
        if (collect(facts->view, small, &residuals) && residuals.count &&
            (finding || (finding = finding_begin(facts, "How well the model predicts"))))
            say_residuals(finding, &residuals, small);
        free(residuals.signed_values);
        free(residuals.sizes);
    }
    if (finding)
        say_overlap(finding, facts->view);
}
