/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/run/grades.h"
#include "results/files/input.h"
#include "results/statistics/stats.h"
#include "results/text/text_escape.h"

/** More skipped cells than these are folded away, on paper too. */
enum { SKIPPED_SHOWN = 30 };

/* What a cause of rejection means, where the name does not say it. */
static const struct {
    const char *cause, *meaning;
} causes[] = {
    {"interrupt", "the kernel of the OS ran on the core during the sample"},
    {"clock_drift", "the core clock before and after the sample differ"},
    {"clock_disagrees", "the two clock chains disagree by more than 1%"},
    {"context_switch", "the thread was switched out"},
    {"page_fault", "a page fault occurred in the timed region"},
    {"moved", "the thread ran on another CPU than its own, as when that goes offline"},
    {"sibling", "another thread ran on the sibling hardware thread of the core"},
    {"above_roof", "faster than the memory roof allows: the data was not where it should be"},
};

static const char *meaning_of(const char *cause)
{
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (strcmp(causes[i].cause, cause) == 0)
            return causes[i].meaning;
    }
    return "";
}

/* Samples that the operating system entered, and what was done with them. */
static void write_entered(const struct view *view, FILE *html)
{
    const json_t *entered = json_object_get(view->end, "entered");
    double samples = json_number_value(json_object_get(entered, "samples"));
    double kept = json_number_value(json_object_get(entered, "kept"));
    if (!json_is_object(entered))
        return;
    fprintf(html, "<p>The operating system entered %.0f timed samples: %.0f were rejected, %.0f kept", samples,
            samples - kept, kept);
    fputs(kept > 0 ? " because they last longer than a timer tick and cannot avoid it.</p>\n" : ".</p>\n", html);
}

static void write_samples(const struct view *view, FILE *html)
{
    const json_t *rejected;
    double samples = view_samples_taken(view, &rejected), lost = view_samples_lost(rejected);
    if (!(samples > 0)) {
        fputs("<p>The file holds no samples, only summaries.</p>\n", html);
        return;
    }
    fprintf(html,
            "<p>%.0f samples: %.0f kept, %.0f rejected. A sample is rejected for a cause, never for its time.</p>\n",
            samples, samples - lost, lost);
    write_entered(view, html);
    if (!(lost > 0))
        return;
    fputs(
        "<div class=\"scroll\"><table class=\"n2\"><caption>Rejected samples by cause</caption><thead><tr><th scope=\"col\">cause</th><th scope=\"col\" class=\"n\">samples</th>"
        "<th scope=\"col\">meaning</th></tr></thead><tbody>\n",
        html);
    const char *cause;
    json_t *count;
    json_object_foreach((json_t *)rejected, cause, count)
    {
        fputs("<tr>", html);
        html_cell(html, cause);
        html_number(html, "%.0f", json_number_value(count));
        html_cell(html, meaning_of(cause));
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table></div>\n", html);
}

/** Why the widest team is not all cores. */
static void write_shared_cores(const struct view *view, FILE *html)
{
    const json_t *shared = json_object_get(view->meta, "shared_cores");
    if (!json_is_object(shared))
        return;
    fprintf(html,
            "<p>Threads that the system does not show share the cores: teams of up to %.0f were measured, which had "
            "their cores to themselves in %.0f%% of the checks; teams of %.0f did in %.0f%%.</p>\n",
            view_number(shared, "threads"), 100 * view_number(shared, "undisturbed"),
            view_number(shared, "threads_asked"), 100 * view_number(shared, "undisturbed_asked"));
}

static void write_clock(const struct view *view, FILE *html)
{
    if (!view->of[VIEW_CLOCK].count)
        return;
    fputs("<p>Clock: ", html);
    for (size_t i = 0; i < view->of[VIEW_CLOCK].count; i++) {
        const json_t *row = view->of[VIEW_CLOCK].rows[i];
        double ratio = view_median(row, "imul_add_ratio");
        fputs(i ? "; " : "", html);
        markup_text(html, view_text(row, "name"));
        double hz = view_median(row, "core_hz");
        if (isfinite(hz))
            fprintf(html, " %.3f GHz", hz / 1e9);
        else
            fputs(" not known", html);
        if (isfinite(ratio))
            fprintf(html, " (chains agree to %.2f%%", 100 * fabs(ratio - 1));
        double cycles = view_number(row, "multiply_cycles");
        if (isfinite(ratio) && cycles > 0)
            fprintf(html, " at %.0f cycles a multiply", cycles);
        if (isfinite(ratio))
            fputs(")", html);
        if (view_text(row, "disagreement")[0]) {
            fputs(": ", html);
            markup_text(html, view_text(row, "disagreement"));
        }
    }
    fputs(".</p>\n", html);
}

static void write_grades(const struct view *view, FILE *html)
{
    const struct grades grades = grades_of_cycles(view);
    size_t wrong = 0;
    for (int type = 0; type < VIEW_TYPES; type++) {
        for (size_t i = 0; i < view->of[type].count; i++)
            wrong += view_is_wrong(view->of[type].rows[i]);
    }
    fprintf(
        html,
        "<p>Numbers in cycles: %zu by hardware counters (pmu), %zu by the chain clock (chain), %zu not known, by wall "
        "time alone (wall). Seconds are always of the wall clock. ",
        grades.pmu, grades.chain, grades.wall);
    fprintf(html,
            wrong ? "<strong>%zu results differ from the reference.</strong></p>\n"
                  : "Results that differ from the scalar reference: %zu.</p>\n",
            wrong);
}

static void write_suspect(const char *title, const struct view *view, enum plausibility plausibility, FILE *html)
{
    size_t count = cells_count_verdict(view, plausibility);
    if (!count)
        return;
    fprintf(
        html,
        "<details class=\"fold\"%s><summary>%s: %zu</summary>\n<div class=\"scroll\"><table class=\"n2 n3 n4 n6 n7 "
        "n8\"><caption>Suspect cells</caption><thead><tr><th scope=\"col\">kernel</th><th scope=\"col\" "
        "class=\"n\">rows</th><th scope=\"col\" class=\"n\">columns</th><th scope=\"col\" class=\"n\">threads</th><th "
        "scope=\"col\">weights</th><th scope=\"col\" class=\"n\">µs</th><th scope=\"col\" class=\"n\">predicted "
        "µs</th><th scope=\"col\" class=\"n\">of the roof</th></tr></thead><tbody>\n",
        count <= SKIPPED_SHOWN ? " open" : "", title, count);
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!(view_median(row, "time_s") > 0) || cells_plausibility(row) != plausibility)
            continue;
        double overlap = view_number(row, "predicted_overlap_s");
        fputs("<tr>", html);
        html_cell(html, view_text(row, "name"));
        html_number(html, "%.0f", view_number(row, "m"));
        html_number(html, "%.0f", view_number(row, "k"));
        html_number(html, "%.0f", view_number(row, "threads"));
        html_cell(html, view_text(row, "protocol"));
        html_number(html, "%.2f", 1e6 * view_median(row, "time_s"));
        html_number(html, "%.2f", 1e6 * (isfinite(overlap) ? overlap : view_number(row, "predicted_s")));
        html_number(html, "%.3f", view_median(row, "roof_fraction"));
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table></div></details>\n", html);
}

/* Cells that are not where they should be, from above and from below, and those without a number. */
static void write_plausibility(const struct view *view, FILE *html)
{
    size_t few = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++)
        few += !(view_median(view->of[VIEW_GEMV].rows[i], "time_s") > 0);
    if (!view->of[VIEW_GEMV].count)
        return;
    char without[64];
    snprintf(without, sizeof without, "without a number, fewer than %d samples kept", STATS_KEPT_LEAST);
    const struct {
        const char *what;
        size_t count;
    } rows[] = {
        {"all", view->of[VIEW_GEMV].count},
        {without, few},
        {"above their roof by more than 3%", cells_count_verdict(view, PLAUSIBILITY_ABOVE_ROOF)},
        {"far below their prediction", cells_count_verdict(view, PLAUSIBILITY_FAR_BELOW)},
        {"not judged, because the model does not predict them", cells_count_verdict(view, PLAUSIBILITY_NOT_JUDGED)}};
    char about[160];
    snprintf(about, sizeof about, "Far below: less than %.1f of the predicted speed, %.1f where ω is not known.",
             PLAUSIBILITY_BELOW, PLAUSIBILITY_BELOW_OF_MAX);
    html_table_begin(html, &(struct html_table){"standing", "GEMV cells by plausibility", .about = about,
                                                .headings = HTML_HEADINGS("GEMV cells", "#of them")});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fputs("<tr>", html);
        html_cell(html, rows[i].what);
        html_number(html, "%.0f", (double)rows[i].count);
        fputs("</tr>\n", html);
    }
    html_table_end(html);
    if (!view->of[VIEW_GEMV].has_halves && !view->of[VIEW_GAMMA].has_halves)
        fputs("<p>No cell of this run has its samples split in halves, one to choose by and one to report: fastest "
              "and best mean the plain minimum over cells here, luck included.</p>\n",
              html);
    write_suspect("Above the roof, not valid", view, PLAUSIBILITY_ABOVE_ROOF, html);
    write_suspect("Far below their prediction, and counted in every summary", view, PLAUSIBILITY_FAR_BELOW, html);
}

/* Names of the counters in words; a new one is shown by its own. */
static const char *disturbance_named(const char *name)
{
    static const struct {
        const char *name, *words;
    } known[] = {
        {"steal_ticks", "clock ticks that the hypervisor gave to others"},
        {"interrupts", "interrupts"},
        {"context_switches", "context switches"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0)
            return known[i].words;
    }
    return name;
}

static void write_disturbance(const struct view *view, FILE *html)
{
    const json_t *disturbance = json_object_get(view->end, "disturbance");
    double seconds = view_number(view->end, "seconds");
    const char *name;
    json_t *value;
    if (!json_object_size(disturbance))
        return;
    html_table_begin(
        html,
        &(struct html_table){"disturbance", "What disturbed the run", .about = "For the whole machine during the run.",
                             .headings = HTML_HEADINGS("the whole machine", "#during the run", "#per second")});
    json_object_foreach((json_t *)disturbance, name, value)
    {
        fputs("<tr>", html);
        html_cell(html, disturbance_named(name));
        html_number(html, "%.0f", json_number_value(value));
        html_number(html, "%.3g", json_number_value(value) / seconds);
        fputs("</tr>\n", html);
    }
    html_table_end(html);
}

/* Where too few samples were free of interrupts, some that had one are kept, and counted. */
static void write_interrupted(const struct view *view, FILE *html)
{
    double kept = 0;
    size_t cells = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        double interrupted = view_number(view->of[VIEW_GEMV].rows[i], "kept_though_interrupted");
        kept += interrupted > 0 ? interrupted : 0;
        cells += interrupted > 0;
    }
    if (cells)
        fprintf(html, "<p>Kept though interrupted: %.0f samples of GEMV cells, in %zu of %zu.</p>\n", kept, cells,
                view->of[VIEW_GEMV].count);
}

/* What the budget left out, and what could not be measured, with the reason. */
static void write_skipped(const struct view *view, FILE *html)
{
    const json_t *skipped = json_object_get(view->end, "skipped");
    double cells = view_number(view->end, "cells"), count = view_number(view->end, "cells_skipped"),
           budget = view_number(view->end, "budget_s"), seconds = view_number(view->end, "seconds");
    if (cells > 0) {
        fprintf(html, "<p>%.0f cells, %.0f skipped", cells, count > 0 ? count : 0.0);
        if (budget > 0 && seconds > 0)
            fprintf(html, "; %.0f s of a budget of %.0f s", seconds, budget);
        fputs(".", html);
        if (view_number(view->end, "cells_left_out") > 0) {
            fprintf(html, " %.0f more were ", view_number(view->end, "cells_left_out"));
            markup_text(html, view_text(json_object_get(view->end, "left_out"), "reason"));
            fputs("; <code>kneepoint list plan</code> with that budget lists them.", html);
        }
        if (view_number(view->end, "cells_dropped") > 0) {
            fprintf(html, " %.0f more were planned, and ", view_number(view->end, "cells_dropped"));
            markup_text(html, view_text(json_object_get(view->end, "dropped"), "reason"));
            fputs(".", html);
        }
        fputs("</p>\n", html);
    }
    if (!json_array_size(skipped))
        return;
    size_t rows = json_array_size(skipped);
    fprintf(
        html,
        "<details class=\"fold\"%s><summary>Skipped cells: %zu</summary>\n<div class=\"scroll\"><table><caption>Skipped cells</caption><thead><tr><th "
        "scope=\"col\">cell</th><th scope=\"col\">reason</th></tr></thead><tbody>\n",
        rows <= SKIPPED_SHOWN ? " open" : "", rows);
    for (size_t i = 0; i < rows; i++) {
        fputs("<tr>", html);
        html_cell(html, view_text(json_array_get(skipped, i), "name"));
        html_cell(html, view_text(json_array_get(skipped, i), "reason"));
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table></div></details>\n", html);
}

/* What platform.json, beside the records, says that it lacks and why. No file, no section. */
static void write_left_out_of_platform(const struct view *view, FILE *html)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/platform.json", view->path) >= sizeof path)
        return;
    json_t *platform = input_json(path, NULL, 0), *left_out = json_object_get(platform, "left_out"), *reason;
    const char *what;
    if (!platform || text_escape_json(platform) || !json_object_size(left_out)) {
        json_decref(platform);
        return;
    }
    fprintf(html,
            "<details class=\"fold\"><summary>Left out of platform.json, the input of predictions: %zu</summary>\n<div "
            "class=\"scroll\"><table><caption>Left out of platform.json</caption><thead><tr><th "
            "scope=\"col\">what</th><th scope=\"col\">reason</th></tr></thead><tbody>\n",
            json_object_size(left_out));
    json_object_foreach(left_out, what, reason)
    {
        fputs("<tr>", html);
        html_cell(html, what);
        html_cell(html, json_is_string(reason) ? json_string_value(reason) : "");
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table></div></details>\n", html);
    json_decref(platform);
}

void page_write_validity(const struct view *view, FILE *html)
{
    write_samples(view, html);
    write_interrupted(view, html);
    write_skipped(view, html);
    write_left_out_of_platform(view, html);
    write_shared_cores(view, html);
    write_clock(view, html);
    write_grades(view, html);
    write_plausibility(view, html);
    write_disturbance(view, html);
}
