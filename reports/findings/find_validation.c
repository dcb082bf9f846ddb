/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/findings/questions.h"
#include "reports/select/validation.h"
#include "results/stats.h"

/** A point fails the model when it takes so much longer than predicted. */
static const double FAILS = 0.10;

static const char *const levels[] = {"L1", "L2", "L3", "memory"};
enum { LEVELS = sizeof levels / sizeof *levels };

static bool is_plain(const json_t *row)
{
    return validation_is_valid(row) && !validation_prefetches(row);
}

/* Median size of a residual over the valid points without prefetch. */
static double typical(const struct view *view, const char *field)
{
    size_t rows = view->of[VIEW_KNEE].count, count = 0;
    double *sizes = calloc(rows + 1, sizeof *sizes);
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
    say(finding,
        "%zu streams without software prefetch: time of a byte over that of min(β, B/γ) %+.1f%% (median), within "
        "±%.1f%% for half of them; over the time without any overlap, ±%.1f%%.",
        count, 100 * median, 100 * typical(view, "residual"), 100 * typical(view, "residual_serial"));
}

static void say_overlap(struct finding *finding, const struct view *view, bool prefetch)
{
    const char *glue = prefetch ? "\nWith software prefetch: " : "\nLoading and computing overlap by ";
    for (int i = 0; i < LEVELS; i++) {
        size_t count;
        double overlap = validation_median(view, &(struct validation_query){levels[i], prefetch}, "overlap", &count);
        if (!count)
            continue;
        say(finding, "%s%.0f%% from %s (%zu)", glue, 100 * overlap, levels[i], count);
        glue = ", ";
    }
    if (*glue == ',')
        say(finding, "%s.",
            prefetch ? "" : " (medians of the streams where both matter; 100% is the model, 0% adds up)");
}

static void say_prefetch(struct finding *finding, const struct view *view)
{
    const char *glue = "\nSoftware prefetch changes the rate of a stream by ";
    for (int i = LEVELS - 1; i >= 0; i--) {
        size_t count;
        double gain = validation_gain(view, levels[i], &count);
        if (!count)
            continue;
        say(finding, "%s%+.0f%% from %s", glue, 100 * gain, levels[i]);
        glue = ", ";
    }
    if (*glue == ',')
        say(finding, " (medians).");
}

/* Where the model is off, and by how much at worst. */
static void say_failures(struct finding *finding, const struct view *view)
{
    const json_t *worst = NULL;
    const char *glue = "\nMore than 10% slower than the model: ";
    for (int i = LEVELS - 1; i >= 0; i--) {
        size_t failed = 0, all = 0;
        for (size_t r = 0; r < view->of[VIEW_KNEE].count; r++) {
            const json_t *row = view->of[VIEW_KNEE].rows[r];
            if (!is_plain(row) || strcmp(view_text(row, "level"), levels[i]) != 0)
                continue;
            all++;
            failed += view_number(row, "residual") > FAILS;
            if (!worst || view_number(row, "residual") > view_number(worst, "residual"))
                worst = row;
        }
        if (!failed)
            continue;
        say(finding, "%s%zu of %zu from %s", glue, failed, all, levels[i]);
        glue = ", ";
    }
    if (*glue != ',') {
        say(finding, "\nNone is more than 10%% slower than the model.");
        return;
    }
    say(finding, "; the worst %+.0f%%, %s from %s with %.0f thread%s, where β is %.2g times its knee.",
        100 * view_number(worst, "residual"), view_text(worst, "name"), view_text(worst, "level"),
        view_number(worst, "threads"), plural((unsigned)view_number(worst, "threads")), view_number(worst, "distance"));
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
            "\nA sequence reads one stream, the roof is the best of several in parallel: plain loads of one stream "
            "reach %.0f%% of β with %u thread%s.",
            100 * best / roof, facts->teams[t], plural(facts->teams[t]));
        return;
    }
}

void find_validation(struct facts *facts)
{
    size_t count;
    validation_median(facts->view, &(struct validation_query){NULL, false}, "residual", &count);
    struct finding *finding = count ? finding_begin(facts, "Whether the model holds") : NULL;
    if (!finding)
        return;
    say_model(finding, facts->view);
    say_overlap(finding, facts->view, false);
    say_overlap(finding, facts->view, true);
    say_prefetch(finding, facts->view);
    say_failures(finding, facts->view);
    say_one_stream(finding, facts);
}
