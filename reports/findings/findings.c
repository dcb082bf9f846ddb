/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/run/reported.h"
#include "results/files/need.h"

size_t findings_collect(const struct view *view, struct finding *findings, size_t capacity)
{
    struct facts *facts = need(1, sizeof *facts);
    if (!facts)
        return 0;
    facts->view = view;
    facts->out = findings;
    facts->capacity = capacity;
    facts->team_count = view_teams(view, facts->teams, FINDINGS_TEAMS);
    facts->family_count = reported_best_gammas(view, facts->families, FINDINGS_FAMILIES);
    facts->shape_count = cells_shapes(view, facts->shapes, FINDINGS_SHAPES);
    find_knee(facts);
    find_memory(facts);
    find_memory_bound(facts);
    find_advantage(facts);
    find_claims(facts);
    find_headlines(facts);
    find_planes(facts);
    find_prediction(facts);
    find_validation(facts);
    size_t count = facts->count;
    free(facts);
    return count;
}
