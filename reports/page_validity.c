/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/html.h"
#include "reports/page.h"

/* What a cause of rejection means, where the name does not say it. */
static const struct {
    const char *cause, *meaning;
} causes[] = {
    {"interrupt", "the kernel of the OS ran on the core during the sample"},
    {"clock_drift", "the core clock before and after the sample differ"},
    {"clock_disagrees", "the two clock chains disagree by more than 1%"},
    {"context_switch", "the thread was switched out"},
    {"page_fault", "a page fault in the timed region"},
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

/* Rejections as the end record counts them, else as the samples in the file do. */
static void write_samples(const struct view *view, FILE *html)
{
    json_t *rejected = json_object_get(view->end, "rejected");
    double samples = view_number(view->end, "samples");
    if (!json_is_object(rejected) || !(samples > 0)) {
        rejected = view->rejected;
        samples = (double)view->samples;
    }
    double lost = 0;
    const char *cause;
    json_t *count;
    json_object_foreach(rejected, cause, count) lost += json_number_value(count);
    if (!(samples > 0)) {
        fputs("<p>The file holds no samples, only summaries.</p>\n", html);
        return;
    }
    fprintf(html,
            "<p>%.0f samples, %.0f kept, %.0f rejected (%.1f%%). A sample is rejected for a cause, never for its "
            "time.</p>\n",
            samples, samples - lost, lost, 100 * lost / samples);
    if (!(lost > 0))
        return;
    fputs(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">cause</th><th scope=\"col\" class=\"n\">samples</th>"
        "<th scope=\"col\">meaning</th></tr></thead><tbody>\n",
        html);
    json_object_foreach(rejected, cause, count)
    {
        fputs("<tr>", html);
        html_cell(html, cause);
        html_number(html, "%.0f", json_number_value(count));
        html_cell(html, meaning_of(cause));
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table></div>\n", html);
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
        html_text(html, view_text(row, "name"));
        fprintf(html, " %.3f GHz", view_median(row, "core_hz") / 1e9);
        if (isfinite(ratio))
            fprintf(html, " (chains agree to %.2f%%)", 100 * fabs(ratio - 1));
    }
    fputs(".</p>\n", html);
}

static void write_grades(const struct view *view, FILE *html)
{
    size_t pmu = 0, chain = 0, wall = 0, above = 0, wrong = 0;
    static const char *const fields[VIEW_TYPES] = {
        [VIEW_CLOCK] = "core_hz", [VIEW_BETA] = "bytes_per_s", [VIEW_GAMMA] = "gamma",
        [VIEW_SYNC] = "time_s",   [VIEW_PREPARE] = "time_s",   [VIEW_GEMV] = "time_s"};
    for (int type = 0; type < VIEW_TYPES; type++) {
        for (size_t i = 0; i < view->of[type].count; i++) {
            const json_t *row = view->of[type].rows[i];
            const char *grade = view_text(json_object_get(row, fields[type]), "grade");
            pmu += strcmp(grade, "pmu") == 0;
            chain += strcmp(grade, "chain") == 0;
            wall += strcmp(grade, "wall") == 0;
            above += view_flag(row, "above_roof");
            wrong += json_is_false(json_object_get(row, "exact"));
        }
    }
    fprintf(html,
            "<p>Grades: %zu numbers by hardware counters (pmu), %zu by the chain clock (chain), %zu by wall time alone "
            "(wall). ",
            pmu, chain, wall);
    if (above)
        fprintf(html, "<strong>%zu cells lie above the roof and prove nothing.</strong> ", above);
    fprintf(html,
            wrong ? "<strong>%zu results differ from the reference.</strong></p>\n"
                  : "Results that differ from the scalar reference: %zu.</p>\n",
            wrong);
}

static void write_disturbance(const struct view *view, FILE *html)
{
    const json_t *disturbance = json_object_get(view->end, "disturbance");
    const char *name;
    json_t *value;
    if (!json_is_object(disturbance))
        return;
    fputs("<p>Disturbance of the machine during the run: ", html);
    const char *glue = "";
    json_object_foreach((json_t *)disturbance, name, value)
    {
        fputs(glue, html);
        html_text(html, name);
        fprintf(html, " %.0f", json_number_value(value));
        glue = ", ";
    }
    fputs(".</p>\n", html);
}

void page_write_validity(const struct view *view, FILE *html)
{
    write_samples(view, html);
    write_clock(view, html);
    write_grades(view, html);
    write_disturbance(view, html);
}
