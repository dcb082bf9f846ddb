/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/findings_parts.h"
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
        if (at == count && count < FINDINGS_FAMILIES && view_bits(row) > 0)
            families[count++] = row;
    }
    return count;
}

/* "8-bit 98% / 96%", a share for each team; text is empty without cells. @return the lowest share */
static double shares_of(const struct facts *facts, const json_t *family,
                        double (*share_of)(const struct facts *, const json_t *, unsigned), char *text, size_t size)
{
    char name[64];
    double worst = INFINITY;
    size_t length = 0;
    text[0] = 0;
    for (size_t t = 0; t < facts->team_count; t++) {
        double share = share_of(facts, family, facts->teams[t]);
        if (!isfinite(share))
            continue;
        if (!length)
            length += (size_t)snprintf(text, size, "%s", family_named(family, name, sizeof name));
        if (length < size)
            length +=
                (size_t)snprintf(text + length, size - length, "%s%.0f%%", isfinite(worst) ? " / " : " ", 100 * share);
        worst = fmin(worst, share);
    }
    return worst;
}

static void say_riders(struct finding *finding, const struct facts *facts, const json_t *const *families,
                       size_t family_count, bool rides)
{
    const char *glue = rides ? "\nRides it (85% or more): " : "\nDoes not: ";
    for (size_t i = 0; i < family_count; i++) {
        char text[256];
        if ((shares_of(facts, families[i], median_share, text, sizeof text) >= FINDINGS_RIDES) != rides || !text[0])
            continue;
        say(finding, "%s%s", glue, text);
        glue = ", ";
    }
    if (*glue == ',')
        say(finding, ".");
}

static void say_reference(struct finding *finding, const struct facts *facts, const json_t *const *families,
                          size_t family_count)
{
    bool begun = false;
    for (size_t i = 0; i < family_count; i++) {
        char text[256];
        shares_of(facts, families[i], reference_share, text, sizeof text);
        if (!text[0])
            continue;
        if (!begun)
            say(finding, "\nOn %d×%d: ", CELLS_REFERENCE_M, CELLS_REFERENCE_K);
        say(finding, "%s%s", begun ? ", " : "", text);
        begun = true;
    }
    if (begun)
        say(finding, ".");
}

static bool any_share(const struct facts *facts, const json_t *const *families, size_t family_count)
{
    char text[256];
    for (size_t i = 0; i < family_count; i++) {
        shares_of(facts, families[i], median_share, text, sizeof text);
        if (text[0])
            return true;
    }
    return false;
}

void find_riders(struct facts *facts)
{
    const json_t *families[FINDINGS_FAMILIES];
    size_t family_count = cell_families(facts, families), excluded = cells_above_roof(facts->view);
    struct finding *finding =
        any_share(facts, families, family_count) ? finding_begin(facts, "What rides the memory roof") : NULL;
    if (!finding)
        return;
    say(finding, "Share of the read roof, read beside each cell, that the fastest kernel attains in cold GEMV, median "
                 "over the shapes, with ");
    for (size_t t = 0; t < facts->team_count; t++)
        say(finding, "%s%u", t ? " / " : "", facts->teams[t]);
    say(finding, " thread%s.", plural(facts->teams[facts->team_count - 1]));
    say_riders(finding, facts, families, family_count, true);
    say_riders(finding, facts, families, family_count, false);
    say_reference(finding, facts, families, family_count);
    if (excluded)
        say(finding, "\n%zu cell%s above the roof (by more than 3%%) %s left out of this summary.", excluded,
            plural((unsigned)excluded), excluded == 1 ? "is" : "are");
}
