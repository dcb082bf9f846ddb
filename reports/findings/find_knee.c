/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/findings/finding.h"
#include "reports/select/papers/claims.h"
#include "reports/select/run/reported.h"

enum { CANDIDATES = 32 };

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

static bool is_best(const struct facts *facts, const json_t *row)
{
    for (size_t f = 0; f < facts->family_count; f++) {
        if (reported_same(facts->families[f], row))
            return true;
    }
    return false;
}

/* On which side of the beta of the teams a knee lies. */
static const char *side_of(const struct facts *facts, const json_t *row)
{
    size_t above = 0, below = 0;
    for (size_t t = 0; t < facts->team_count; t++) {
        double beta = beta_of(facts, facts->teams[t]);
        above += beta > 0 && knee_of(row) >= beta;
        below += beta > 0 && knee_of(row) < beta;
    }
    return above && below ? "depends on how many cores read" : above ? "memory" : below ? "up-converting" : "not known";
}

static void say_candidate(struct finding *finding, const struct facts *facts, const json_t *row)
{
    char name[64];
    bool best = is_best(facts, row);
    say_row(finding, "%s%s\t%s\t%.0f\t%.3g\t%.3g\t%s\t%s\n", family_named(row, name, sizeof name),
            best ? "" : ", as published", view_text(row, "name"), view_number(row, "accumulators"), knee_of(row),
            view_median(row, "gamma"), view_text(row, "bound"), side_of(facts, row));
}

void find_knee(struct facts *facts)
{
    static const char *const headings[] = {"weights",    "sequence",   "#accumulators", "#knee, B/cycle",
                                           "#γ, cycles", "γ bound by", "limit here",    NULL};
    const json_t *rows[CANDIDATES];
    size_t count = candidates(facts, rows);
    struct finding *finding = count ? finding_begin(facts, FIGURE_SEQUENCES, "Where the knee is") : NULL;
    if (!finding)
        return;
    say(finding, "Memory limits a sequence while its knee lies above β; beyond its knee up-converting is the limit.");
    if (strcmp(side_of(facts, rows[0]), "not known") == 0)
        say(finding, " Which of them binds here is not known: this run has no memory bandwidth.");
    finding_table(finding, headings,
                  "The best sequence of each width, and a paper's as published if that is another one.");
    for (size_t i = 0; i < count; i++)
        say_candidate(finding, facts, rows[i]);
}
