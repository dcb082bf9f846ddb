/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "results/stats.h"
#include "roofline/ebw.h"

enum { TEAMS = 64, FAMILIES = 16, CELLS = 8192 };

struct facts {
    const struct view *view;
    unsigned teams[TEAMS];
    size_t team_count;
    const json_t *families[FAMILIES]; /* best gamma record of each */
    size_t family_count;
    struct finding *out;
    size_t count, capacity;
};

/* Begin a finding; NULL when there is no room. */
static struct finding *begin(struct facts *facts, const char *title)
{
    if (facts->count == facts->capacity)
        return NULL;
    struct finding *finding = &facts->out[facts->count++];
    snprintf(finding->title, sizeof finding->title, "%s", title);
    finding->text[0] = 0;
    return finding;
}

/* Append to a finding; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void say(struct finding *finding, const char *format, ...)
{
    size_t length = strlen(finding->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text + length, sizeof finding->text - length, format, arguments);
    va_end(arguments);
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static double beta_of(const struct facts *facts, unsigned team)
{
    return view_median(view_roof(facts->view, "memory", team), "bytes_per_cycle_per_core");
}

static double knee_of(const json_t *gamma)
{
    return roofline_knee(4 * view_bits(gamma), view_median(gamma, "gamma"));
}

/* beta of the largest team that has one; NaN if none. */
static double beta_of_all(const struct facts *facts)
{
    for (size_t t = facts->team_count; t > 0; t--) {
        if (beta_of(facts, facts->teams[t - 1]) > 0)
            return beta_of(facts, facts->teams[t - 1]);
    }
    return (double)NAN;
}

static void find_memory(struct facts *facts)
{
    if (!(beta_of_all(facts) > 0))
        return;
    struct finding *finding = begin(facts, "What memory gives");
    if (!finding)
        return;
    say(finding, "One core reads ");
    const char *glue = "";
    for (size_t t = 0; t < facts->team_count; t++) {
        unsigned team = facts->teams[t];
        double beta = beta_of(facts, team);
        if (!(beta > 0))
            continue;
        say(finding, "%s%.2f bytes per cycle with %u thread%s (%.1f GB/s in all)", glue, beta, team, plural(team),
            view_median(view_roof(facts->view, "memory", team), "bytes_per_s") / 1e9);
        glue = ", ";
    }
    double hz = view_clock_hz(facts->view);
    if (hz > 0)
        say(finding, ", at a measured clock of %.2f GHz", hz / 1e9);
    say(finding, ".");
}

/* Label of a family within a sentence: "our 2-bit", "the paper's 2-bit", "8-bit". */
static const char *named(const json_t *record, char *text, size_t size)
{
    double bits = view_bits(record);
    snprintf(text, size, "%s%.3g-bit", bits > 4 ? "" : view_is_paper(record) ? "the paper's " : "our ", bits);
    return text;
}

static void find_knee(struct facts *facts)
{
    if (!facts->family_count)
        return;
    struct finding *finding = begin(facts, "Where the knee is");
    if (!finding)
        return;
    char name[64];
    say(finding, "A sequence becomes the limit where memory gives more bytes per cycle than ");
    for (size_t i = 0; i < facts->family_count; i++)
        say(finding, "%s%.3g (%s)",
            i == 0                         ? ""
            : i + 1 == facts->family_count ? " or "
                                           : ", ",
            knee_of(facts->families[i]), named(facts->families[i], name, sizeof name));
    double beta = beta_of_all(facts);
    if (!(beta > 0)) {
        say(finding, ". Which of them binds here is not known: this run has no memory bandwidth.");
        return;
    }
    say(finding, ". Memory gives %.2f here, so ", beta);
    for (int binds = 0; binds < 2; binds++) {
        size_t count = 0;
        for (size_t i = 0; i < facts->family_count; i++) {
            if ((knee_of(facts->families[i]) < beta) != binds)
                continue;
            say(finding, "%s%s", count++ ? ", " : "", named(facts->families[i], name, sizeof name));
        }
        if (count)
            say(finding, count > 1 ? " are limited by %s" : " is limited by %s", binds ? "up-converting" : "memory");
        else
            say(finding, binds ? "none is limited by up-converting" : "none is limited by memory");
        say(finding, binds ? "." : "; ");
    }
}

/* Medians of a field over cold or warm cells of a family on a team. */
struct select {
    const json_t *family; /* NULL: all */
    unsigned team;        /* 0: all */
    bool cold;
    const char *field;
};

static bool selected(const struct select *select, const json_t *row)
{
    return view_is_cold(row) == select->cold && (!select->team || view_number(row, "threads") == select->team) &&
           (!select->family || view_same_family(row, select->family));
}

static double median_over_cells(const struct view *view, const struct select *select)
{
    double *values = malloc(CELLS * sizeof *values);
    size_t count = 0;
    for (size_t i = 0; values && i < view->of[VIEW_GEMV].count && count < CELLS; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double value = view_median(row, select->field);
        if (isfinite(value) && selected(select, row))
            values[count++] = value;
    }
    double median = count ? stats_median(values, count) : (double)NAN;
    free(values);
    return median;
}

/* Families that GEMV cells have, in the order and by the record of gamma where there is one. */
static size_t cell_families(const struct facts *facts, const json_t **families)
{
    size_t count = facts->family_count;
    memcpy(families, facts->families, count * sizeof *families);
    for (size_t i = 0; i < facts->view->of[VIEW_GEMV].count; i++) {
        const json_t *row = facts->view->of[VIEW_GEMV].rows[i];
        size_t at = 0;
        while (at < count && !view_same_family(families[at], row))
            at++;
        if (at == count && count < FAMILIES && view_bits(row) > 0)
            families[count++] = row;
    }
    return count;
}

/* What a family attains with each team: "8-bit 98% / 96%". @return whether its worst rides the roof; text is empty
 * without cells */
static bool attained(const struct facts *facts, const json_t *family, char *text, size_t size)
{
    char name[64];
    double worst = INFINITY;
    size_t length = 0;
    text[0] = 0;
    for (size_t t = 0; t < facts->team_count; t++) {
        struct select select = {family, facts->teams[t], true, "roof_fraction"};
        double fraction = median_over_cells(facts->view, &select);
        if (!isfinite(fraction))
            continue;
        if (!length)
            length += (size_t)snprintf(text, size, "%s", named(family, name, sizeof name));
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%.0f%%", isfinite(worst) ? " / " : " ",
                                       100 * fraction);
        worst = fmin(worst, fraction);
    }
    return worst >= FINDINGS_RIDES;
}

static void find_riders(struct facts *facts)
{
    const json_t *families[FAMILIES];
    size_t family_count = cell_families(facts, families);
    struct finding *finding = NULL;
    for (int rides = 1; rides >= 0; rides--) {
        size_t count = 0;
        for (size_t i = 0; i < family_count; i++) {
            char text[256];
            if (attained(facts, families[i], text, sizeof text) != rides || !text[0])
                continue;
            if (!finding) {
                if (!(finding = begin(facts, "What rides the memory roof")))
                    return;
                say(finding, "Share of the read roof that cold GEMV attains, median over the shapes, with ");
                for (size_t t = 0; t < facts->team_count; t++)
                    say(finding, "%s%u", t ? " / " : "", facts->teams[t]);
                say(finding, " thread%s. ", plural(facts->teams[facts->team_count - 1]));
            }
            say(finding, "%s%s", count++ ? ", " : rides ? "Rides it (85% or more): " : "Does not: ", text);
        }
        if (count)
            say(finding, rides ? ". " : ".");
    }
}

/* Time of the fastest kernel of a width on the shape, team and protocol of a row, of the paper or ours. */
static double fastest_s(const struct view *view, const json_t *like, bool paper)
{
    double best = INFINITY;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (view_same_width(row, like) && view_is_paper(row) == paper && view_is_cold(row) == view_is_cold(like) &&
            view_number(row, "threads") == view_number(like, "threads") &&
            view_number(row, "m") == view_number(like, "m") && view_number(row, "k") == view_number(like, "k") &&
            view_median(row, "time_s") > 0)
            best = fmin(best, view_median(row, "time_s"));
    }
    return best;
}

/* Median over the paper's cells of one width of how much faster our best kernel is. */
static double advantage(const struct view *view, const json_t *paper, bool cold)
{
    double *ratios = malloc(CELLS * sizeof *ratios);
    size_t count = 0;
    struct select select = {paper, 0, cold, NULL};
    for (size_t i = 0; ratios && i < view->of[VIEW_GEMV].count && count < CELLS; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!selected(&select, row))
            continue;
        double ratio = fastest_s(view, row, true) / fastest_s(view, row, false);
        if (isfinite(ratio) && ratio > 0)
            ratios[count++] = ratio;
    }
    double median = count ? stats_median(ratios, count) : (double)NAN;
    free(ratios);
    return median;
}

static void say_advantage(struct finding *finding, const struct facts *facts, const json_t *ours, const json_t *paper)
{
    double faster = view_median(paper, "gamma") / view_median(ours, "gamma");
    double cold = advantage(facts->view, paper, true), warm = advantage(facts->view, paper, false);
    say(finding,
        "%s%.3g-bit: our best sequence (%s) needs %.2f cycles per vector, the paper's %.2f: %.2f times the speed",
        finding->text[0] ? " " : "", view_bits(ours), view_text(ours, "name"), view_median(ours, "gamma"),
        view_median(paper, "gamma"), faster);
    if (cold > 0)
        say(finding, "; in cold GEMV %.2f times", cold);
    if (warm > 0)
        say(finding, "%s in warm GEMV %.2f times", cold > 0 ? "," : ";", warm);
    say(finding, ".");
}

static void find_advantage(struct facts *facts)
{
    struct finding *finding = NULL;
    for (size_t i = 0; i < facts->family_count; i++) {
        for (size_t j = 0; j < facts->family_count; j++) {
            const json_t *paper = facts->families[i], *ours = facts->families[j];
            if (!view_is_paper(paper) || view_is_paper(ours) || !view_same_width(paper, ours))
                continue;
            if (!finding && !(finding = begin(facts, "Against the paper's sequences")))
                return;
            say_advantage(finding, facts, ours, paper);
        }
    }
}

/* Of the measured rows of a sequence, the one closest to the paper's figure: that is how the paper ran it. */
static bool is_closest_to_claim(const struct view *view, const json_t *row)
{
    double claimed = view_number(row, "claimed"), away = fabs(log(view_median(row, "gamma") / claimed));
    if (!(claimed > 0) || !isfinite(away))
        return false;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *other = view->of[VIEW_GAMMA].rows[i];
        if (other == row)
            away = nextafter(away, 0); /* of equals, the first */
        else if (strcmp(view_text(other, "name"), view_text(row, "name")) == 0 &&
                 fabs(log(view_median(other, "gamma") / view_number(other, "claimed"))) <= away)
            return false;
    }
    return true;
}

static void find_claims(struct facts *facts)
{
    const struct view *view = facts->view;
    struct finding *finding = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (!is_closest_to_claim(view, row))
            continue;
        if (!finding && !(finding = begin(facts, "The paper's figures")))
            return;
        double measured = view_median(row, "gamma"), claimed = view_number(row, "claimed"),
               count = view_number(row, "accumulators");
        say(finding, "%s%s: %.3g cycles claimed, %.3g measured with %.0f accumulator%s (%+.1f%%), bound by %s.",
            finding->text[0] ? " " : "", view_text(row, "name"), claimed, measured, count, count == 1 ? "" : "s",
            100 * (measured / claimed - 1), view_text(row, "bound"));
    }
}

static void find_prediction(struct facts *facts)
{
    const struct view *view = facts->view;
    struct select all = {NULL, 0, true, "residual"};
    double median = median_over_cells(view, &all);
    const json_t *worst = NULL;
    if (!isfinite(median))
        return;
    size_t cells = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double residual = view_median(row, "residual");
        if (!selected(&all, row) || !isfinite(residual))
            continue;
        cells++;
        if (!worst || fabs(residual) > fabs(view_median(worst, "residual")))
            worst = row;
    }
    struct finding *finding = begin(facts, "How well the model predicts");
    if (!finding)
        return;
    say(finding, "Cold GEMV takes %.1f%% %s than predicted (median over %zu cells); the worst cell is %+.0f%%: %s on ",
        100 * fabs(median), median < 0 ? "less time" : "longer", cells, 100 * view_median(worst, "residual"),
        view_text(worst, "name"));
    say(finding, "%.0f×%.0f with %.0f thread%s.", view_number(worst, "m"), view_number(worst, "k"),
        view_number(worst, "threads"), plural((unsigned)view_number(worst, "threads")));
    double overlap = median_over_cells(view, &(struct select){NULL, 0, true, "overlap"});
    if (isfinite(overlap))
        say(finding,
            " Computing and waiting overlap by %.0f%% (median; 100%% is the model, 0%% means that they add up).",
            100 * overlap);
}

size_t findings_collect(const struct view *view, struct finding *findings, size_t capacity)
{
    struct facts facts = {.view = view, .out = findings, .capacity = capacity};
    facts.team_count = view_teams(view, facts.teams, TEAMS);
    facts.family_count = view_best_gammas(view, facts.families, FAMILIES);
    find_knee(&facts);
    find_memory(&facts);
    find_riders(&facts);
    find_advantage(&facts);
    find_claims(&facts);
    find_prediction(&facts);
    return facts.count;
}
