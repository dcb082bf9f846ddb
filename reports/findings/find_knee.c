/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/findings/questions.h"
#include "reports/select/claims.h"
#include "reports/select/reported.h"

enum { CANDIDATES = 32 };

static void say_betas(struct finding *finding, const struct facts *facts)
{
    const char *glue = "Memory gives one core ";
    for (size_t t = 0; t < facts->team_count; t++) {
        double beta = beta_of(facts, facts->teams[t]);
        if (!(beta > 0))
            continue;
        say(finding, "%s%.2f bytes per cycle with %u thread%s", glue, beta, facts->teams[t], plural(facts->teams[t]));
        glue = ", ";
    }
    say(finding,
        " (β). A sequence rides memory while its knee lies above β; beyond its knee up-converting is the limit. In "
        "brackets the best sequence of each kind and what bounds its γ.");
}

/* The best of each family, then the paper's as published where those are other ones. */
static size_t candidates(const struct facts *facts, const json_t **rows)
{
    size_t count = facts->family_count;
    memcpy(rows, facts->families, count * sizeof *rows);
    for (size_t i = 0; i < facts->view->of[VIEW_GAMMA].count && count < CANDIDATES; i++) {
        const json_t *row = facts->view->of[VIEW_GAMMA].rows[i];
        bool known = !claims_is_as_published(facts->view, row) || !isfinite(knee_of(row));
        for (size_t f = 0; f < facts->family_count && !known; f++)
            known = reported_same(facts->families[f], row);
        if (!known)
            rows[count++] = row;
    }
    return count;
}

/* "our 2-bit 18.3 (int2_planes.prefix.avx512_vnni, ports)" */
static void say_candidate(struct finding *finding, const struct facts *facts, const json_t *row, const char *glue)
{
    char name[64];
    bool best = false;
    for (size_t f = 0; f < facts->family_count; f++)
        best = best || reported_same(facts->families[f], row);
    say(finding, "%s%s%s %.3g (%s", glue, family_named(row, name, sizeof name), best ? "" : " as published",
        knee_of(row), view_text(row, "name"));
    if (!best)
        say(finding, " with %.0f accumulators", view_number(row, "accumulators"));
    say(finding, *view_text(row, "bound") ? ", %s)" : "%s)", view_text(row, "bound"));
}

enum side { MEMORY, DEPENDS, UP_CONVERT, UNKNOWN };

static enum side side_of(const struct facts *facts, const json_t *row)
{
    size_t above = 0, below = 0;
    for (size_t t = 0; t < facts->team_count; t++) {
        double beta = beta_of(facts, facts->teams[t]);
        above += beta > 0 && knee_of(row) >= beta;
        below += beta > 0 && knee_of(row) < beta;
    }
    return above && below ? DEPENDS : above ? MEMORY : below ? UP_CONVERT : UNKNOWN;
}

void find_knee(struct facts *facts)
{
    static const char *const heads[] = {
        [MEMORY] = "\nLimited by memory, knee above β: ",
        [DEPENDS] = "\nKnee between the β of the teams, so it depends on how many cores read: ",
        [UP_CONVERT] = "\nLimited by up-converting, knee below β: ",
        [UNKNOWN] = "Knees in bytes per cycle and core: ",
    };
    const json_t *rows[CANDIDATES];
    size_t count = candidates(facts, rows);
    struct finding *finding = count ? finding_begin(facts, "Where the knee is") : NULL;
    if (!finding)
        return;
    if (side_of(facts, rows[0]) != UNKNOWN)
        say_betas(finding, facts);
    for (int side = MEMORY; side <= UNKNOWN; side++) {
        const char *glue = heads[side];
        for (size_t i = 0; i < count; i++) {
            if ((int)side_of(facts, rows[i]) != side)
                continue;
            say_candidate(finding, facts, rows[i], glue);
            glue = ", ";
        }
        if (glue != heads[side])
            say(finding, ".");
    }
    if (side_of(facts, rows[0]) == UNKNOWN)
        say(finding, " Which of them binds here is not known: this run has no memory bandwidth.");
}
