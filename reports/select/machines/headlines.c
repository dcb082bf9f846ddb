/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/headlines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/emulator.h"
#include "reports/select/machines/recommended.h"
#include "reports/select/run/remedy.h"
#include "results/statistics/stats.h"

enum { TEAMS = 64 };

/** The width that a machine is known by. */
#define BITS 2

static struct headline unknown(const char *label, const char *unit)
{
    struct headline headline = {.number = {(double)NAN, (double)NAN, (double)NAN}, .unit = unit};
    snprintf(headline.label, sizeof headline.label, "%s", label);
    return headline;
}

/* Why there is no number, and the command that adds it to the run. */
static void say_why(const struct view *view, struct headline *headline, const char *reason, const char *command)
{
    char remedy[sizeof headline->why - 200];
    remedy_of(view, command, remedy, sizeof remedy);
    snprintf(headline->why, sizeof headline->why, "%.170s; `%s` measures it", reason, remedy);
}

/* The same of a quantity of a record. */
static void say_few(const struct view *view, struct headline *headline, const json_t *record, const char *field,
                    const char *command)
{
    double kept = view_number(json_object_get(record, field), "n");
    char reason[64] = "not measured";
    if (kept >= 0)
        snprintf(reason, sizeof reason, "%.0f samples were kept, %d are needed", kept, STATS_KEPT_LEAST);
    say_why(view, headline, reason, command);
}

static struct headline beta_of(const struct view *view, unsigned team)
{
    char label[80];
    const json_t *roof = view_roof(view, "memory", team);
    snprintf(label, sizeof label, "β per core, %u core%s reading", team, team == 1 ? "" : "s");
    struct headline headline = unknown(label, "B/cycle");
    headline.number = recommended_quantity(roof, "bytes_per_cycle_per_core");
    snprintf(headline.of, sizeof headline.of, "%s", view_text(roof, "stream"));
    if (!(headline.number.value > 0))
        say_few(view, &headline, roof, "bytes_per_cycle_per_core", "kneepoint beta");
    return headline;
}

/* Alone and with the widest team; of one team alone the other is not known. */
static void find_betas(const struct view *view, struct headline headlines[HEADLINES])
{
    struct headline *alone = &headlines[HEADLINE_BETA_ALONE], *team = &headlines[HEADLINE_BETA_TEAM];
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS);
    *alone = unknown("β per core, 1 core reading", "B/cycle");
    *team = unknown("β per core, all cores reading", "B/cycle");
    say_why(view, alone, "not measured", "kneepoint beta --threads=1");
    say_why(view, team, "not measured", "kneepoint beta");
    if (count && teams[0] == 1)
        *alone = beta_of(view, 1);
    if (count && teams[count - 1] > 1)
        *team = beta_of(view, teams[count - 1]);
    double cores = view_number(view->machine, "cores");
    char command[48];
    snprintf(command, sizeof command, "kneepoint beta --threads=%.0f", cores);
    if (count == 1 && teams[0] == 1 && cores > 1)
        say_why(view, team, "only teams of 1 were measured", command);
    else if (count == 1 && teams[0] == 1)
        snprintf(team->why, sizeof team->why, "this machine has one core");
}

static void find_kernel(const struct view *view, struct headline headlines[HEADLINES])
{
    struct recommended row = recommended_of_bits(view, BITS);
    struct headline *knee = &headlines[HEADLINE_KNEE], *share = &headlines[HEADLINE_SHARE];
    static const char gemv[] = "kneepoint gemv --cold --into=RUN int2_planes int2_vnni4 i2_s tl1";
    char label[80], reason[192], command[96];
    double threads = view_number(row.cell, "threads");
    snprintf(label, sizeof label, "it attains, %.0f thread%s", threads, threads == 1 ? "" : "s");
    *knee = unknown("knee of the best 2-bit kernel", "B/cycle");
    *share = unknown(row.cell ? label : "share of the roof it attains", "of the read roof");
    if (!row.cell) {
        say_why(view, knee, "no 2-bit kernel was measured", gemv);
        say_why(view, share, "no 2-bit kernel was measured", gemv);
        return;
    }
    knee->number = row.knee;
    share->number = row.share;
    snprintf(knee->of, sizeof knee->of, "%s", view_text(row.cell, "name"));
    snprintf(share->of, sizeof share->of, "%s", view_text(row.cell, "name"));
    const char *why = view_text(row.cell, "gamma_reason");
    if (*why)
        snprintf(reason, sizeof reason, "%.60s: %.100s", view_text(row.cell, "name"), why);
    else
        snprintf(reason, sizeof reason, "γ of %.60s was not measured", view_text(row.cell, "name"));
    snprintf(command, sizeof command, "kneepoint gamma %.60s", view_text(row.cell, "format"));
    if (!row.gamma)
        say_why(view, knee, reason, command);
    else if (!(row.knee.value > 0))
        say_few(view, knee, row.gamma, "gamma", command);
    if (!(row.share.value > 0))
        say_few(view, share, row.cell, "roof_fraction", gemv);
}

void headlines_of(const struct view *view, struct headline headlines[HEADLINES])
{
    find_betas(view, headlines);
    find_kernel(view, headlines);
    for (size_t i = 0; i < HEADLINES; i++)
        snprintf(headlines[i].emulated, sizeof headlines[i].emulated, "%s", view_emulator(view));
}

void headline_number(const struct headline *headline, char *text, size_t size)
{
    const struct bounded *number = &headline->number;
    bool share = headline->unit[0] == 'o', bounded = isfinite(number->low) && isfinite(number->high);
    if (!(number->value > 0))
        snprintf(text, size, "%s", headline->why);
    else if (share && bounded)
        snprintf(text, size, "%.0f%% [%.0f%%, %.0f%%] %s", 100 * number->value, 100 * number->low, 100 * number->high,
                 headline->unit);
    else if (share)
        snprintf(text, size, "%.0f%% %s, without an interval", 100 * number->value, headline->unit);
    else if (bounded)
        snprintf(text, size, "%.3g [%.3g, %.3g] %s", number->value, number->low, number->high, headline->unit);
    else
        snprintf(text, size, "%.3g %s, without an interval", number->value, headline->unit);
}

void headline_line(const struct headline *headline, char *text, size_t size)
{
    char number[640];
    headline_number(headline, number, sizeof number);
    bool marked = headline->emulated[0] && headline->number.value > 0;
    snprintf(text, size, "%s: %s%s%s%s", headline->label, number, marked ? " (EMULATED by " : "",
             marked ? headline->emulated : "", marked ? ", " EMULATOR_NO_SPEED ")" : "");
}
