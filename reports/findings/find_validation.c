/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/validation.h"
#include "results/files/need.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"

/** A point fails the model when it takes so much longer than predicted. */
static const double FAILS = 0.10;

static bool is_plain(const json_t *row)
{
    return validation_is_valid(row) && !validation_prefetches(row);
}

/* Median size of a residual over the valid points without prefetch. */
static double typical(const struct view *view, const char *field)
{
    size_t rows = view->of[VIEW_KNEE].count, count = 0;
    double *sizes = need(rows + 1, sizeof *sizes);
    for (size_t i = 0; sizes && i < rows; i++) {
        double residual = view_number(view->of[VIEW_KNEE].rows[i], field);
        if (is_plain(view->of[VIEW_KNEE].rows[i]) && isfinite(residual))
            sizes[count++] = fabs(residual);
    }
    double median = stats_median(sizes, count);
    free(sizes);
    return median;
}

static void say_model(struct finding *finding, const struct view *view)
{
    size_t count;
    const struct validation_query plain = {NULL, false};
    double median = validation_median(view, &plain, "residual", &count);
    say(finding, "%zu streams without software prefetch took %+.1f%% more time (median) than min(β, B/γ) predicts.",
        count, 100 * median);
    say(finding, "\nHalf of them are within ±%.1f%% of it; without any overlap, half are within ±%.1f%%.",
        100 * typical(view, "residual"), 100 * typical(view, "residual_serial"));
}

static void say_percent(struct finding *finding, bool sign, double value, size_t count)
{
    if (!count)
        say_row(finding, "\t");
    else
        say_row(finding, sign ? "\t%+.0f" : "\t%.0f", 100 * value);
}

static size_t failed_of(const struct view *view, const char *level, size_t *all)
{
    size_t failed = 0;
    *all = 0;
    for (size_t r = 0; r < view->of[VIEW_KNEE].count; r++) {
        const json_t *row = view->of[VIEW_KNEE].rows[r];
        if (!is_plain(row) || strcmp(view_text(row, "level"), level) != 0)
            continue;
        *all += 1;
        failed += view_number(row, "residual") > FAILS;
    }
    return failed;
}

/* A row a level: how much of loading and computing overlaps, what prefetch changes, and where the model is off. */
static void say_level(struct finding *finding, const struct view *view, const char *level)
{
    size_t plain, ahead, gains, all, failed = failed_of(view, level, &all);
    double overlap = validation_median(view, &(struct validation_query){level, false}, "overlap", &plain);
    double with = validation_median(view, &(struct validation_query){level, true}, "overlap", &ahead);
    double gain = validation_gain(view, level, &gains);
    if (!all && !ahead)
        return;
    say_row(finding, "%s\t%zu", level, all);
    say_percent(finding, false, overlap, plain);
    say_percent(finding, false, with, ahead);
    say_percent(finding, true, gain, gains);
    say_row(finding, "\t%zu\n", failed);
}

/* Where the model is off most. */
static void say_worst(struct finding *finding, const struct view *view)
{
    const json_t *worst = NULL;
    for (size_t r = 0; r < view->of[VIEW_KNEE].count; r++) {
        const json_t *row = view->of[VIEW_KNEE].rows[r];
        if (is_plain(row) && (!worst || view_number(row, "residual") > view_number(worst, "residual")))
            worst = row;
    }
    if (!(view_number(worst, "residual") > FAILS)) {
        say(finding, "\nNone is more than 10%% slower than the model.");
        return;
    }
    say(finding, "\nThe worst takes %+.0f%% longer: %s from %s with %.0f thread%s, where β is %.2g times its knee.",
        100 * view_number(worst, "residual"), view_text(worst, "name"), view_text(worst, "level"),
        view_number(worst, "threads"), plural(record_count(worst, "threads")), view_number(worst, "distance"));
}

/* The roof reads several streams with prefetch hints; a sequence reads one stream. What plain loads of one stream reach
 * shows how much of the distance from the roof is not due to the sequence. */
static void say_one_stream(struct finding *finding, const struct facts *facts)
{
    const struct view *view = facts->view;
    for (size_t t = 0; t < facts->team_count; t++) {
        double roof = beta_of(facts, facts->teams[t]), best = 0;
        for (size_t i = 0; i < view->of[VIEW_BETA].count; i++) {
            const json_t *row = view->of[VIEW_BETA].rows[i];
            if (strcmp(view_text(row, "level"), "memory") == 0 && view_number(row, "threads") == facts->teams[t] &&
                view_number(row, "streams") == 1 && strcmp(view_text(row, "prefetch"), "none") == 0)
                best = fmax(best, view_median(row, "bytes_per_cycle_per_core"));
        }
        if (!(best > 0) || !(roof > 0))
            continue;
        say(finding,
            "\nA sequence reads one stream, but the roof is the best of several in parallel. Plain loads of one "
            "stream reach %.0f%% of β with %u thread%s.",
            100 * best / roof, facts->teams[t], plural(facts->teams[t]));
        return;
    }
}

void find_validation(struct facts *facts)
{
    static const char *const headings[] = {
        "from", "#streams", "#overlap, %", "#with prefetch, %", "#prefetch gains, %", "#slow", NULL};
    size_t count;
    validation_median(facts->view, &(struct validation_query){NULL, false}, "residual", &count);
    struct finding *finding = count ? finding_begin(facts, FIGURE_MODEL, "Whether the model holds") : NULL;
    if (!finding)
        return;
    say_model(finding, facts->view);
    finding_table(
        finding, headings,
        "Medians of the streams where both matter. Overlap: 100% is the model, at 0% the times add up. Slow: more "
        "than 10% slower than the model.");
    for (int i = 0; i < VIEW_LEVELS; i++)
        say_level(finding, facts->view, view_levels[i]);
    say_worst(finding, facts->view);
    say_one_stream(finding, facts);
}
