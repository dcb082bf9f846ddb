/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/best.h"
#include "results/statistics/stats.h"

/* One row: a width, ours or what others published. */
struct group {
    const struct width *width;
    enum best_origin origin;
};
enum { GROUPS = 2 * WIDTHS_MAX };

static double share_on(const struct facts *facts, const struct group *group, double m, double k, unsigned team)
{
    const struct best_query query = {.width = group->width, .origin = group->origin, .m = m, .k = k, .threads = team};
    return view_median(best_of_width(facts->view, &query).row, "roof_fraction");
}

/* Of the best kernel of each shape, median over the shapes; NaN without cells. */
static double median_share(const struct facts *facts, const struct group *group, unsigned team)
{
    double shares[FINDINGS_SHAPES];
    size_t count = 0;
    for (size_t s = 0; s < facts->shape_count; s++) {
        double share = share_on(facts, group, facts->shapes[s].m, facts->shapes[s].k, team);
        if (isfinite(share))
            shares[count++] = share;
    }
    return stats_median(shares, count);
}

/* All of which there are cells, wide weights before narrow, what others published before ours. */
static size_t find_groups(const struct facts *facts, struct group groups[GROUPS])
{
    static const enum best_origin origins[] = {BEST_OF_PUBLISHED, BEST_OF_OURS};
    const struct view_rows *rows = &facts->view->of[VIEW_GEMV];
    const struct width *widths;
    size_t count = 0;
    for (size_t w = widths_all(&widths); w-- > 0;) {
        for (size_t o = 0; o < sizeof origins / sizeof *origins; o++) {
            const struct best_query query = {.width = &widths[w], .origin = origins[o]};
            bool any = false;
            for (size_t i = 0; i < rows->count && !any; i++)
                any = view_is_cold(rows->rows[i]) && best_is_asked(&query, rows->rows[i]);
            if (any)
                groups[count++] = (struct group){&widths[w], origins[o]};
        }
    }
    return count;
}

static void say_share(struct finding *finding, double share)
{
    if (isfinite(share))
        say_row(finding, "\t%.0f", 100 * share);
    else
        say_row(finding, "\t–");
}

/* A row: alone, with the widest team, there on the reference shape, and the threads that fill memory. @return whether it is there */
static bool say_group(struct finding *finding, const struct facts *facts, const struct group *group)
{
    char fills[48];
    unsigned least = facts->teams[0], most = facts->teams[facts->team_count - 1];
    double share = median_share(facts, group, most), alone = median_share(facts, group, least);
    if (!isfinite(share) && !isfinite(alone))
        return false;
    const struct best_query reference = {
        .width = group->width, .origin = group->origin, .m = CELLS_REFERENCE_M, .k = CELLS_REFERENCE_K};
    struct best_fill fill = best_fill_of(facts->view, &reference);
    say_row(finding, "%s %s-bit", group->origin == BEST_OF_OURS ? "our" : "published", group->width->name);
    if (facts->team_count > 1)
        say_share(finding, alone);
    say_share(finding, share);
    say_share(finding, share_on(facts, group, CELLS_REFERENCE_M, CELLS_REFERENCE_K, most));
    if (facts->team_count > 1)
        say_row(finding, "\t%s", best_fill_words(&fill, fills, sizeof fills));
    say_row(finding, "\t%s\n", share >= FINDINGS_MEMORY_BOUND ? "yes" : isfinite(share) ? "no" : "–");
    return true;
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
    struct group groups[GROUPS];
    size_t count = facts->team_count ? find_groups(facts, groups) : 0, said = 0;
    struct finding *finding = count ? finding_begin(facts, FIGURE_GEMV, "Where memory is the limit") : NULL;
    if (!finding)
        return;
    unsigned most = facts->teams[facts->team_count - 1];
    say(finding, "Share of the read roof, measured alongside each cell, that the best kernel attains in cold GEMV: the "
                 "median over the shapes.");
    if (facts->team_count > 1)
        say(finding,
            "\nTeams of %u and of %u threads; a team fills memory if it reads at least 85%% of the highest "
            "bandwidth, here on 4096×4096.",
            facts->teams[0], most);
    else
        say(finding, "\nTeams of %u thread%s.", most, plural(most));
    finding_table(
        finding, facts->team_count > 1 ? several : one,
        "Percent of the roof; 4096×4096 with the most threads. A kernel of which too few samples were kept is "
        "passed over.");
    for (size_t i = 0; i < count; i++)
        said += say_group(finding, facts, &groups[i]);
    if (said)
        say_exceptions(finding, facts);
    else
        facts->count--;
}
