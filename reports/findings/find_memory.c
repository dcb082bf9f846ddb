/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/findings/questions.h"

static void say_caches(struct finding *finding, const struct facts *facts, unsigned team)
{
    static const char *const levels[] = {"L3", "L2", "L1"};
    const char *glue = "\nFrom the caches, per core with ";
    for (int i = 0; i < 3; i++) {
        double rate = view_median(view_roof(facts->view, levels[i], team), "bytes_per_cycle_per_core");
        if (!(rate > 0))
            continue;
        if (*glue == '\n')
            say(finding, "%s%u thread%s: ", glue, team, plural(team));
        else
            say(finding, "%s", glue);
        say(finding, "%s %.3g bytes per cycle", levels[i], rate);
        glue = ", ";
    }
    if (*glue == ',')
        say(finding, ".");
}

static void say_clock(struct finding *finding, const struct facts *facts)
{
    unsigned team = facts->teams[facts->team_count - 1];
    double alone = view_clock_hz(facts->view), busy = view_busy_clock_hz(facts->view, team);
    if (!(alone > 0))
        return;
    say(finding, "\nCore clock %.2f GHz, measured%s", alone / 1e9,
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
        say(finding, "\nCold is cold from %g times the last-level cache on", from);
    else if (largest > 1)
        say(finding, "\nReading still gets slower at %g times the last-level cache, so cold numbers may be too fast",
            largest);
    else
        return;
    if (stated > 0)
        say(finding, " (%.0f MB are stated)", stated / 1e6);
    say(finding, ".");
}

void find_memory(struct facts *facts)
{
    struct finding *finding = NULL;
    for (size_t t = 0; t < facts->team_count; t++) {
        const json_t *roof = view_roof(facts->view, "memory", facts->teams[t]);
        if (!(view_median(roof, "bytes_per_s") > 0) || !(beta_of(facts, facts->teams[t]) > 0))
            continue;
        if (!finding && !(finding = finding_begin(facts, "What memory gives")))
            return;
        say(finding, "%s%.1f GB/s with %u thread%s (%s)", finding->text[0] ? ", " : "Read roof ",
            view_median(roof, "bytes_per_s") / 1e9, facts->teams[t], plural(facts->teams[t]),
            view_text(roof, "stream"));
    }
    if (!finding)
        return;
    say(finding, ".");
    say_cold(finding, facts);
    say_caches(finding, facts, facts->teams[facts->team_count - 1]);
    say_clock(finding, facts);
}
