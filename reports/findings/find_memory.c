/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/best.h"

static void say_bounded(struct finding *finding, double times, const struct bounded *number)
{
    if (!(number->value > 0)) {
        say_row(finding, "\t–");
        return;
    }
    say_row(finding, "\t%.3g", times * number->value);
    if (isfinite(number->low) && isfinite(number->high))
        say_row(finding, " [%.3g, %.3g]", times * number->low, times * number->high);
}

/* A row a level and team, with the intervals of beta and of the latency, which is that of one core alone. */
static void say_roof(struct finding *finding, const struct facts *facts, const char *level, unsigned team)
{
    const json_t *roof = view_roof(facts->view, level, team);
    const struct bounded beta = best_bounded(roof, "bytes_per_cycle_per_core");
    if (!(view_median(roof, "bytes_per_s") > 0) || !(beta.value > 0))
        return;
    const json_t *idle = team == 1 ? view_idle_latency(facts->view, level) : NULL;
    const struct bounded latency = best_bounded(idle, "latency_s"), cycles = best_bounded(idle, "latency_cycles");
    say_row(finding, "%s\t%u\t%.1f", level, team, view_median(roof, "bytes_per_s") / 1e9);
    say_bounded(finding, 1, &beta);
    say_bounded(finding, 1e9, &latency);
    say_bounded(finding, 1, &cycles);
    say_row(finding, "\t%s\n", view_text(roof, "stream"));
}

static void say_clock(struct finding *finding, const struct facts *facts)
{
    unsigned team = facts->teams[facts->team_count - 1];
    double alone = view_clock_hz(facts->view), busy = view_busy_clock_hz(facts->view, team);
    if (!(alone > 0))
        return;
    say(finding, "%sCore clock %.2f GHz, measured%s", finding->text[0] ? "\n" : "", alone / 1e9,
        facts->view->of[VIEW_CLOCK].count ? " on an otherwise idle core" : "");
    if (fabs(busy / alone - 1) > 0.01)
        say(finding, "; %.2f GHz in GEMV with %u thread%s (median)", busy / 1e9, team, plural(team));
    say(finding, ".");
}

/* How much memory is cold, by pools of growing size; the word cold rests on it. */
static void say_cold(struct finding *finding, const struct facts *facts)
{
    const struct view_rows *rows = &facts->view->of[VIEW_POOL];
    double from = NAN, largest = 0, stated = NAN;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if (!(view_median(row, "bytes_per_s") > 0))
            continue;
        if (view_flag(row, "cold") && !(view_number(row, "times") >= from))
            from = view_number(row, "times");
        largest = fmax(largest, view_number(row, "times"));
        stated = view_number(row, "stated_bytes");
    }
    if (from > 0)
        say(finding, "Buffers of %g times the last-level cache and more read equally fast, so they are cold", from);
    else if (largest > 1)
        say(finding, "Reading still gets slower at %g times the last-level cache, so cold numbers may be too fast",
            largest);
    else
        return;
    if (stated > 0)
        say(finding, " (%.0f MB are stated)", stated / 1e6);
    say(finding, ".");
}

void find_memory(struct facts *facts)
{
    static const char *const headings[] = {"from",         "#threads",         "#GB/s",  "#β, B/cycle per core",
                                           "#latency, ns", "#latency, cycles", "stream", NULL};
    struct finding *finding = NULL;
    for (size_t t = 0; t < facts->team_count && !finding; t++) {
        if (view_median(view_roof(facts->view, "memory", facts->teams[t]), "bytes_per_s") > 0 &&
            beta_of(facts, facts->teams[t]) > 0)
            finding = finding_begin(facts, FIGURE_MEMORY, "What memory gives");
    }
    if (!finding)
        return;
    finding_table(finding, headings,
                  "The roof of each level and team, and the latency of a load while no other core reads, with 95% "
                  "intervals.");
    for (size_t i = VIEW_LEVELS; i-- > 0;) {
        for (size_t t = 0; t < facts->team_count; t++)
            say_roof(finding, facts, view_levels[i], facts->teams[t]);
    }
    say_cold(finding, facts);
    say_clock(finding, facts);
}
