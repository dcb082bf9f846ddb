/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterization_plan.h"

#include "harness/cells/cell/kind.h"
#include "harness/plan/plan_shapes.h"
#include "harness/plan/plan_teams.h"
#include "harness/user/plugin_try.h"

static bool is_planned(const void *session, const struct kernel *kernel, const struct shape *shape)
{
    for (const struct cell_kind *const *kind = cell_kind_all(); *kind; kind++) {
        if ((*kind)->runs && (*kind)->runs(session, kernel, shape))
            return true;
    }
    return false;
}

int characterization_plan(struct session *session, struct cells *cells)
{
    unsigned sizes[16];
    struct shape shapes[SHAPES_MAX];
    static char models[SHAPES_MAX][CELL_NAMES], roles[SHAPES_MAX][CELL_NAMES];
    const struct planning planning = {.session = session,
                                      .sizes = sizes,
                                      .teams = plan_team_sizes(session->threads, sizes),
                                      .shapes = shapes,
                                      .models = models,
                                      .roles = roles,
                                      .shape_count = plan_distinct_shapes(shapes, SHAPES_MAX, models, roles)};
    char why[SESSION_WHY];
    int error = 0;
    for (size_t i = 0; !error && i < planning.shape_count; i++)
        error = plugin_try_all(session, &shapes[i], sizes, planning.teams, is_planned, session, why, sizeof why);
    for (const struct cell_kind *kind = cell_kind_after(NULL); !error && kind; kind = cell_kind_after(kind)) {
        if (kind->plan)
            error = kind->plan(cells, &planning);
    }
    return error;
}
