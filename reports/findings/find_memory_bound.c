/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/findings/finding.h"
#include "results/statistics/stats.h"

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

static void say_share(struct finding *finding, double share)
{
    if (isfinite(share))
        say_row(finding, "\t%.0f", 100 * share);
    else
        say_row(finding, "\t");
}

/* A row a family: alone, with the widest team, there on the reference shape, and the threads that fill memory. */
static void say_family(struct finding *finding, const struct facts *facts, const json_t *family)
{
    char name[64];
    unsigned least = facts->teams[0], most = facts->teams[facts->team_count - 1],
             fewest = fewest_threads(facts, family);
    double share = median_share(facts, family, most);
    if (!isfinite(share) && !isfinite(median_share(facts, family, least)))
        return;
    say_row(finding, "%s", family_named(family, name, sizeof name));
    if (facts->team_count > 1)
        say_share(finding, median_share(facts, family, least));
    say_share(finding, share);
    say_share(finding, reference_share(facts, family, most));
    if (facts->team_count > 1 && fewest)
        say_row(finding, "\t%u", fewest);
    else if (facts->team_count > 1)
        say_row(finding, "\tmore than %u", most);
    say_row(finding, "\t%s\n", share >= FINDINGS_RIDES ? "rides the roof" : isfinite(share) ? "does not" : "");
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

static void say_exceptions(struct finding *finding, const struct facts *facts)
{
    size_t excluded = cells_above_roof(facts->view), slow = cells_count_verdict(facts->view, PLAUSIBILITY_FAR_BELOW);
    if (excluded)
        say(finding, "\n%zu cell%s above the roof (by more than 3%%) %s left out of this summary.", excluded,
            plural((unsigned)excluded), excluded == 1 ? "is" : "are");
    if (slow)
        say(finding,
            "\n%zu cell%s far below %s prediction and just as suspect; %s counted here, and listed under "
            "validity.",
            slow, slow == 1 ? " is" : "s are", slow == 1 ? "its" : "their", slow == 1 ? "it is" : "they are");
}

void find_memory_bound(struct facts *facts)
{
    static const char *const one[] = {"weights", "#all shapes, %", "#4096×4096, %", "85% or more", NULL};
    static const char *const several[] = {
        "weights", "#fewest threads, %", "#most threads, %", "#4096×4096, %", "threads that fill memory", "85% or more",
        NULL};
    struct families families = cell_families(facts);
    struct finding *finding =
        any_share(facts, &families) ? finding_begin(facts, FIGURE_GEMV, "What rides the memory roof") : NULL;
    if (!finding)
        return;
    unsigned most = facts->teams[facts->team_count - 1];
    say(finding,
        "Share of the read roof, measured alongside each cell, that the fastest kernel attains in cold GEMV: the "
        "median over the shapes it ran on.");
    if (facts->team_count > 1)
        say(finding,
            "\nTeams of %u and of %u threads; a team fills memory if it reads at least 85%% of the highest "
            "bandwidth.",
            facts->teams[0], most);
    else
        say(finding, "\nTeams of %u thread%s.", most, plural(most));
    finding_table(finding, facts->team_count > 1 ? several : one,
                  "Percent of the roof; 4096×4096 with the most threads.");
    for (size_t i = 0; i < families.count; i++)
        say_family(finding, facts, families.of[i]);
    say_exceptions(finding, facts);
}
