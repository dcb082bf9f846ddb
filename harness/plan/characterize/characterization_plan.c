/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/characterization_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_cell.h"
#include "harness/plan/plan_axes.h"
#include "harness/plugin/name_argument.h"
#include "harness/user/plugin_try.h"

/** Whether a kernel is to be measured on a matrix, going by the cells that the purpose wants. */
static bool is_wanted(const void *context, const struct kernel *kernel, const struct shape *shape)
{
    const struct cells *cells = context;
    for (size_t i = 0; i < cells->count; i++) {
        const struct product_cell *gemv = gemv_cell(&cells->cell[i]);
        if (gemv && cells->cell[i].kernel == kernel && gemv->m == shape->m && gemv->k == shape->k)
            return true;
    }
    return false;
}

/** Names of shapes and teams, to which a planning points. */
struct named {
    unsigned sizes[16];
    struct shape shapes[SHAPES_MAX];
    char models[SHAPES_MAX][CELL_NAMES], roles[SHAPES_MAX][CELL_NAMES];
};

static struct planning planning_of(struct session *session, struct named *named)
{
    return (struct planning){.session = session,
                             .sizes = named->sizes,
                             .teams = plan_team_sizes(session->threads, named->sizes),
                             .shapes = named->shapes,
                             .models = named->models,
                             .roles = named->roles,
                             .shape_count =
                                 plan_distinct_shapes(named->shapes, SHAPES_MAX, named->models, named->roles)};
}

static bool is_meant(const struct plan_only *only, const char *name)
{
    for (size_t i = 0; i < only->count; i++) {
        if (name_argument_means(only->names[i], name))
            return true;
    }
    return false;
}

/** Whether a sequence is what a kernel that is meant is modelled by. */
static bool is_gamma_of_meant(const struct plan_only *only, const struct sequence *sequence)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (strcmp(kernel_gamma(*kernel), sequence->name) == 0 && is_meant(only, (*kernel)->name))
            return true;
    }
    return false;
}

static bool is_kept(const struct plan_only *only, const struct cell *cell)
{
    if (!only || !only->count || (!cell->kernel && !cell->sequence))
        return true;
    return (cell->kernel && is_meant(only, cell->kernel->name)) ||
           (cell->sequence &&
            (is_meant(only, cell->sequence->name) || (!cell->kernel && is_gamma_of_meant(only, cell->sequence))));
}

const char *plan_only_unknown(const struct plan_only *only)
{
    for (size_t i = 0; i < only->count; i++) {
        bool known = false;
        for (const struct kernel *const *kernel = kernel_all(); !known && *kernel; kernel++)
            known = name_argument_means(only->names[i], (*kernel)->name);
        for (const struct sequence *const *sequence = sequence_all(); !known && *sequence; sequence++)
            known = name_argument_means(only->names[i], (*sequence)->name);
        if (!known)
            return only->names[i];
    }
    return NULL;
}

struct valuing {
    const struct planning *planning;
    const struct purpose *purpose;
    const struct plan_only *only;
};

/** Give a cell its value. @return whether it is wanted */
static bool value_cell(const void *context, struct cell *cell)
{
    const struct valuing *valuing = context;
    cell->value = valuing->purpose->value(valuing->planning, cell);
    return cell->value != PURPOSE_NOT_WANTED && is_kept(valuing->only, cell);
}

int characterization_list(struct session *session, const struct purpose *purpose, const struct plan_only *only,
                          struct cells *cells)
{
    struct named *named = calloc(1, sizeof *named);
    if (!named)
        return -ENOMEM;
    const struct planning planning = planning_of(session, named);
    int error = 0;
    for (const struct cell_kind *kind = cell_kind_after(NULL); !error && kind; kind = cell_kind_after(kind)) {
        size_t first = cells->count;
        if (kind->plan)
            error = kind->plan(cells, &planning);
        cells_keep(cells, first, value_cell, &(struct valuing){&planning, purpose, only});
    }
    free(named);
    return error;
}

/** Kernels of plug-ins on every matrix that the purpose wants them measured with. */
static int try_plugins(struct session *session, const struct purpose *purpose, const struct plan_only *only)
{
    struct named *named = calloc(1, sizeof *named);
    struct cells cells = {0};
    char why[SESSION_WHY];
    if (!named)
        return -ENOMEM;
    const struct planning planning = planning_of(session, named);
    int error = characterization_list(session, purpose, only, &cells);
    for (size_t i = 0; !error && i < planning.shape_count; i++) {
        const struct plugin_trials trials = {
            .shape = &planning.shapes[i], .sizes = planning.sizes, .teams = planning.teams};
        error = plugin_try_all(session, &trials, is_wanted, &cells, why, sizeof why);
    }
    cells_release(&cells);
    free(named);
    return error;
}

int characterization_plan(struct session *session, const struct purpose *purpose, const struct plan_only *only,
                          struct cells *cells)
{
    int error = session->plugins.count ? try_plugins(session, purpose, only) : 0;
    return error ? error : characterization_list(session, purpose, only, cells);
}
