/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/residuals.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"

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
    *residuals =
        (struct residuals){.signed_values = need(rows + 1, sizeof(double)), .sizes = need(rows + 1, sizeof(double))};
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
    static const char *const headings[] = {
        "weights of a cell", "#cold cells", "#median %", "#half within ±%", "#worst, %", "worst kernel", "shape",
        "#threads",          NULL};
    const json_t *worst = residuals->worst;
    double median = stats_median(residuals->signed_values, residuals->count);
    finding_table(finding, headings, "Residual: measured less predicted time, over the predicted time.");
    say_row(finding, "%s 2²⁰\t%zu\t%+.1f\t%.1f\t%+.0f\t%s\t%.0f×%.0f\t%.0f\n", small ? "less than" : "at least",
            residuals->count, 100 * median, 100 * stats_median(residuals->sizes, residuals->count),
            100 * view_median(worst, "residual"), view_text(worst, "name"), view_number(worst, "m"),
            view_number(worst, "k"), view_number(worst, "threads"));
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
    double *overlaps = need(rows + 1, sizeof *overlaps);
    for (size_t i = 0; overlaps && i < rows; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double overlap = view_median(row, "overlap");
        if (counts(row, false) && is_balanced(row) && isfinite(overlap))
            overlaps[count++] = overlap;
    }
    if (count)
        say(finding,
            "\nComputing and waiting overlap by %.0f%%, median of the %zu large cold cells where both matter. 100%% "
            "is the model, 0%% means that the two times add up.",
            100 * stats_median(overlaps, count), count);
    free(overlaps);
}

/** Both models on the same cells, which neither has seen, and the target beside it. */
static void say_held_out(struct finding *finding, const struct view *view, bool small)
{
    const struct residual_query query = {.ours = true, .cold = true, .small = small, .with_overlap = true};
    struct residual_spread overlap = residuals_of(view, &query, RESIDUAL_OVERLAP);
    struct residual_spread max = residuals_of(view, &query, RESIDUAL_MAX);
    const char *verdict = residuals_verdict(&overlap, small);
    if (!*verdict)
        return;
    say_row(finding, "%s\t%zu\t%.1f\t%.1f\t%s\t%.1f\t%.1f\t", small ? "less than 2²⁰" : "at least 2²⁰", overlap.count,
            100 * overlap.median_size, 100 * overlap.tenth_size, small ? "10%" : "3%, 8%", 100 * max.median_size,
            100 * max.tenth_size);
    if (isfinite(overlap.known_tenth_size))
        say_row(finding, "%.1f, %.1f", 100 * overlap.known_size, 100 * overlap.known_tenth_size);
    say_row(finding, "\t%s\n", verdict);
}

/** How many kernels of ours miss the target. */
static void say_missed(struct finding *finding, const struct view *view)
{
    const struct view_rows *omegas = &view->of[VIEW_OMEGA];
    size_t judged = 0, missed = 0;
    for (size_t i = 0; i < omegas->count; i++) {
        const struct residual_query query = {
            .kernel = view_text(omegas->rows[i], "name"), .ours = true, .cold = true, .with_overlap = true};
        struct residual_spread spread = residuals_of(view, &query, RESIDUAL_OVERLAP);
        const char *verdict = residuals_verdict(&spread, false);
        judged += *verdict != '\0';
        missed += strcmp(verdict, "missed") == 0;
    }
    if (missed)
        say(finding,
            "Of our %zu kernels with at least six such cells, %zu miss the target; the table of kernels "
            "shows which.",
            judged, missed);
    else if (judged)
        say(finding, "All of our %zu kernels with at least six such cells meet the target.", judged);
}

/** A kernel of omega, surely out of its range: by its interval, by its median where it has none. */
static bool is_below(const json_t *omega)
{
    const struct bounded of = best_bounded(omega, "omega");
    return isfinite(of.high) ? of.high < 0 : of.value < 0;
}

static bool is_above(const json_t *omega)
{
    const struct bounded of = best_bounded(omega, "omega");
    return isfinite(of.low) ? of.low > 1 : of.value > 1;
}

/** omega is published as measured, and out of its range it says something else than overlap. */
static void say_out_of_range(struct finding *finding, const struct view *view)
{
    const struct view_rows *omegas = &view->of[VIEW_OMEGA];
    const json_t *lowest = NULL;
    size_t below = 0, above = 0, count = 0;
    for (size_t i = 0; i < omegas->count; i++) {
        const json_t *row = omegas->rows[i];
        count += isfinite(view_median(row, "omega")) ? 1 : 0;
        above += is_above(row);
        below += is_below(row);
        if (is_below(row) && !(view_median(row, "omega") >= view_median(lowest, "omega")))
            lowest = row;
    }
    if (below)
        say(finding,
            "\n%zu of %zu kernels take longer than reading and computing one after the other (ω below 0), most of all "
            "%s: neither memory nor instructions hold them. Look at prefetch distance, page ends and panel ends: "
            "kneepoint terms %s.",
            below, count, view_text(lowest, "name"), view_text(lowest, "name"));
    if (above)
        say(finding,
            "\n%zu of %zu kernels take less than reading or computing alone (ω above 1): their γ or the β of this run "
            "does not describe them, so do not predict them with it.",
            above, count);
}

static bool has_omega(const struct view *view)
{
    const struct residual_query query = {.ours = true, .cold = true, .with_overlap = true};
    return residuals_of(view, &query, RESIDUAL_OVERLAP).count >= RESIDUAL_CELLS_LEAST;
}

static void find_with_omega(struct facts *facts)
{
    static const char *const headings[] = {"weights of a cell",
                                           "#cold cells",
                                           "#with ω, half within %",
                                           "#9 of 10 within %",
                                           "target",
                                           "#max, half within %",
                                           "#9 of 10 within %",
                                           "times known within ±%, half and 9 of 10",
                                           "verdict",
                                           NULL};
    struct finding *finding = finding_begin(facts, FIGURE_MODEL, "How well the model predicts");
    if (!finding)
        return;
    finding_table(
        finding, headings,
        "Cold cells of our kernels, without those that gave a kernel its ω. Max: max(bytes/β, γ·vectors/clock), the "
        "model without ω, on the same cells.");
    say_missed(finding, facts->view);
    say_held_out(finding, facts->view, false);
    say_held_out(finding, facts->view, true);
    say_out_of_range(finding, facts->view);
}

void find_prediction(struct facts *facts)
{
    struct finding *finding = NULL;
    if (has_omega(facts->view)) {
        find_with_omega(facts);
        return;
    }
    for (int small = 0; small < 2; small++) {
        struct residuals residuals;
        if (collect(facts->view, small, &residuals) && residuals.count &&
            (finding || (finding = finding_begin(facts, FIGURE_MODEL, "How well the model predicts"))))
            say_residuals(finding, &residuals, small);
        free(residuals.signed_values);
        free(residuals.sizes);
    }
    if (finding)
        say_overlap(finding, facts->view);
}
