/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/findings/questions.h"
#include "results/stats.h"

/* Share of the roof of the fastest kernel of each shape, median over the shapes; NaN without cells. */
static double median_share(const struct facts *facts, const json_t *family, unsigned team)
{
    double shares[FINDINGS_SHAPES];
    size_t count = 0;
    for (size_t s = 0; s < facts->shape_count; s++) {
        struct cell_query query = {
            .family = family, .m = facts->shapes[s].m, .k = facts->shapes[s].k, .threads = team, .cold = true};
        double share = view_median(cells_fastest(facts->view, &query), "roof_fraction");
        if (isfinite(share))
            shares[count++] = share;
    }
    return stats_median(shares, count);
}

static double reference_share(const struct facts *facts, const json_t *family, unsigned team)
{
    struct cell_query query = {
        .family = family, .m = CELLS_REFERENCE_M, .k = CELLS_REFERENCE_K, .threads = team, .cold = true};
    return view_median(cells_fastest(facts->view, &query), "roof_fraction");
}

struct families {
    const json_t *of[FINDINGS_FAMILIES];
    size_t count;
};

/* Families that GEMV cells have, in the order and by the record of gamma where there is one. */
static struct families cell_families(const struct facts *facts)
{
    struct families families = {.count = facts->family_count};
    memcpy(families.of, facts->families, families.count * sizeof *families.of);
    for (size_t i = 0; i < facts->view->of[VIEW_GEMV].count; i++) {
        const json_t *row = facts->view->of[VIEW_GEMV].rows[i];
        size_t at = 0;
        while (at < families.count && !view_same_family(families.of[at], row))
            at++;
        if (at == families.count && families.count < FINDINGS_FAMILIES && view_bits(row) > 0)
            families.of[families.count++] = row;
    }
    return families;
}

typedef double share_function(const struct facts *, const json_t *, unsigned);

/* A list of families, "8-bit 98%, our 2-bit 94%", of those whose share with the team is in a range; empty if there are
 * none.
 * @return whether there are some */
static bool say_shares(struct finding *finding, const struct facts *facts, const struct families *families,
                       share_function *share_of, unsigned team, double least, double below, const char *glue)
{
    bool begun = false;
    for (size_t i = 0; i < families->count; i++) {
        char name[64];
        double share = share_of(facts, families->of[i], team);
        if (!(share >= least && share < below))
            continue;
        say(finding, "%s%s %.0f%%", begun ? ", " : glue, family_named(families->of[i], name, sizeof name), 100 * share);
        begun = true;
    }
    return begun;
}

/* Two lines per team: which families ride its roof, and which do not. */
static void say_team(struct finding *finding, const struct facts *facts, const struct families *families, unsigned team)
{
    char head[96];
    snprintf(head, sizeof head, "\nWith %u thread%s these ride it (85%% or more): ", team, plural(team));
    bool rides = say_shares(finding, facts, families, median_share, team, FINDINGS_RIDES, INFINITY, head);
    snprintf(head, sizeof head, rides ? "; these do not: " : "\nWith %u thread%s none does (85%% or more): ", team,
             plural(team));
    if (say_shares(finding, facts, families, median_share, team, 0, FINDINGS_RIDES, head) || rides)
        say(finding, ".");
}

static void say_reference(struct finding *finding, const struct facts *facts, const struct families *families,
                          unsigned team)
{
    char head[96];
    snprintf(head, sizeof head, "\nOn %d×%d with %u thread%s: ", CELLS_REFERENCE_M, CELLS_REFERENCE_K, team,
             plural(team));
    if (say_shares(finding, facts, families, reference_share, team, 0, INFINITY, head))
        say(finding, ".");
}

/* The fewest threads whose share of their own roof is that much of the roof of the largest team; 0 if none reach it. */
static unsigned fewest_threads(const struct facts *facts, const json_t *family)
{
    double whole = view_median(view_roof(facts->view, "memory", facts->teams[facts->team_count - 1]), "bytes_per_s");
    for (size_t t = 0; t < facts->team_count; t++) {
        double roof = view_median(view_roof(facts->view, "memory", facts->teams[t]), "bytes_per_s");
        if (median_share(facts, family, facts->teams[t]) * roof >= FINDINGS_RIDES * whole)
            return facts->teams[t];
    }
    return 0;
}

/* How many cores it takes to fill the memory of the machine; not said of a single team. */
static void say_cores(struct finding *finding, const struct facts *facts, const struct families *families)
{
    unsigned largest = facts->teams[facts->team_count - 1];
    double whole = view_median(view_roof(facts->view, "memory", largest), "bytes_per_s");
    const char *glue = "";
    if (facts->team_count < 2 || !(whole > 0))
        return;
    say(finding, "\nThreads it takes to read 85%% of what memory gives %u: ", largest);
    for (size_t i = 0; i < families->count; i++) {
        char name[64];
        if (!isfinite(median_share(facts, families->of[i], largest)))
            continue;
        unsigned fewest = fewest_threads(facts, families->of[i]);
        say(finding, "%s%s ", glue, family_named(families->of[i], name, sizeof name));
        if (fewest)
            say(finding, "%u", fewest);
        else
            say(finding, "more than %u", largest);
        glue = ", ";
    }
    say(finding, ".");
}

static bool any_share(const struct facts *facts, const struct families *families)
{
    for (size_t i = 0; i < families->count; i++) {
        for (size_t t = 0; t < facts->team_count; t++) {
            if (isfinite(median_share(facts, families->of[i], facts->teams[t])))
                return true;
        }
    }
    return false;
}

void find_riders(struct facts *facts)
{
    struct families families = cell_families(facts);
    size_t excluded = cells_above_roof(facts->view);
    struct finding *finding = any_share(facts, &families) ? finding_begin(facts, "What rides the memory roof") : NULL;
    if (!finding)
        return;
    say(finding,
        "Share of the read roof, measured alongside each cell, that the fastest kernel attains in cold GEMV, median "
        "over the shapes that it was run on.");
    for (size_t t = 0; t < facts->team_count; t++)
        say_team(finding, facts, &families, facts->teams[t]);
    say_cores(finding, facts, &families);
    say_reference(finding, facts, &families, facts->teams[facts->team_count - 1]);
    if (excluded)
        say(finding, "\n%zu cell%s above the roof (by more than 3%%) %s left out of this summary.", excluded,
            plural((unsigned)excluded), excluded == 1 ? "is" : "are");
    size_t slow = cells_standing_so(facts->view, STANDING_FAR_BELOW);
    if (slow)
        say(finding, "\n%zu cell%s far below %s prediction and as suspect; %s counted here, and listed under validity.",
            slow, slow == 1 ? " is" : "s are", slow == 1 ? "its" : "their", slow == 1 ? "it is" : "they are");
}
