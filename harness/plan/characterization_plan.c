/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterization_plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/gamma.h"
#include "harness/cells/gemv.h"
#include "harness/cells/knee.h"
#include "harness/cells/prepare.h"
#include "harness/cells/sync.h"
#include "harness/cells/knee_rounds.h"
#include "harness/measure/session_level.h"
#include "harness/plan/plan_shapes.h"
#include "harness/plan/plan_teams.h"
#include "harness/user/plugin_try.h"

/** The shape on which every ISA's variant of a kernel runs; elsewhere only the best one of a sequence does. */
enum { REFERENCE_SIDE = 4096, PREPARE_K = 4096 };

/** Whether another runnable kernel of the same format and sequence has a better ISA. */
static bool is_best_variant(const struct session *session, const struct kernel *kernel)
{
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format == kernel->format && strcmp((*other)->sequence, kernel->sequence) == 0 &&
            session_runs(session, (*other)->isa) && isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return true;
}

static const char main_paper[] = "envelope", over_threads[] = "over threads";

/** Whether real numbers of 16 bits: what models are published in, and what every paper's formats are compared with. */
static bool is_baseline(const struct format *format)
{
    return format->weight_min == 0 && format->weight_max == 0 && format->bits == 16;
}

/**
 * Whether the paper is the origin of a kernel of this format; formats that are all ours belong to the main paper, and
 * so do kernels of plug-ins, which change nothing for others of their format.
 */
static bool is_of_paper(const struct session *session, const struct kernel *kernel, const char *paper)
{
    bool ours_alone = true;
    if (plugins_of_kernel(&session->plugins, kernel))
        return strcmp(paper, main_paper) == 0;
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format != kernel->format || strcmp((*other)->origin, "kneepoint") == 0 ||
            plugins_of_kernel(&session->plugins, *other))
            continue;
        ours_alone = false;
        if (strcmp((*other)->origin, paper) == 0)
            return true;
    }
    return ours_alone && strcmp(paper, main_paper) == 0;
}

/** Whether a paper that times the shape is the origin of a kernel of this format. */
static bool is_timed(const struct kernel *kernel, const struct shape *shape)
{
    if (is_baseline(kernel->format))
        return shape->timed_by[0];
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format == kernel->format && shape_is_timed_by(shape, (*other)->origin))
            return true;
    }
    return false;
}

/** The tier of a kernel on a shape; TIERS if it does not run on it. */
static enum tier tier_of(const struct session *session, const struct kernel *kernel, const struct shape *shape)
{
    char why[160];
    if (!session_runs(session, kernel->isa) || format_accepts(kernel->format, shape->m, shape->k, why, sizeof why))
        return TIERS;
    if (shape->m == REFERENCE_SIDE && shape->k == REFERENCE_SIDE)
        return TIER_REFERENCE;
    if (!is_best_variant(session, kernel))
        return TIERS;
    if (shape_is_timed_by(shape, main_paper) && is_of_paper(session, kernel, main_paper))
        return TIER_MAIN_PAPER;
    return is_timed(kernel, shape) ? TIER_PAPERS : TIERS;
}

static int add_operands(const struct session *session, struct cells *cells, const struct shape *shape)
{
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (tier_of(session, *kernel, shape) < TIERS)
            error = prepare_add_operand(cells, session, *kernel, shape->k);
    }
    return error;
}

struct named_shape {
    const struct shape *shape;
    const char *models, *roles;
};

static int add_gemvs(struct cells *cells, const struct kernel *kernel, const struct named_shape *named, enum tier tier,
                     const unsigned *sizes, size_t teams)
{
    size_t first = cells->count;
    bool all_teams = tier != TIER_PAPERS || strstr(named->shape->timed_by, over_threads);
    size_t narrowest = all_teams ? 0 : teams - 1;
    int error =
        gemv_add_teams(cells, kernel, named->shape, sizes + narrowest, teams - narrowest, true, tier != TIER_PAPERS);
    for (size_t i = first; i < cells->count; i++) {
        struct gemv_cell *own = gemv_cell(&cells->cell[i]);
        own->tier = tier;
        snprintf(own->models, sizeof own->models, "%s", named->models);
        snprintf(own->roles, sizeof own->roles, "%s", named->roles);
    }
    return error;
}

static int add_gemv_shape(const struct session *session, struct cells *cells, const struct named_shape *named,
                          enum tier tier, const unsigned *sizes, size_t teams)
{
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (tier_of(session, *kernel, named->shape) == tier)
            error = add_gemvs(cells, *kernel, named, tier, sizes, teams);
    }
    return error;
}

static int add_knees(const struct session *session, struct cells *cells, const unsigned *sizes, size_t teams)
{
    const char *levels[SESSION_LEVELS];
    size_t count = 0;
    int error = 0;
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        if (session_has_level(session, session_levels[i]))
            levels[count++] = session_levels[i];
    }
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++) {
        if (session_runs(session, (*sequence)->isa))
            error = knee_add(cells, *sequence, levels, count, sizes, teams);
    }
    return error;
}

static bool is_planned(const void *context, const struct kernel *kernel, const struct shape *shape)
{
    return tier_of(context, kernel, shape) < TIERS;
}

int characterization_plan(struct session *session, struct cells *cells)
{
    unsigned sizes[16];
    size_t teams = plan_team_sizes(session->threads, sizes);
    struct shape shapes[SHAPES_MAX];
    static char models[SHAPES_MAX][CELL_NAMES], roles[SHAPES_MAX][CELL_NAMES];
    size_t count = plan_distinct_shapes(shapes, SHAPES_MAX, models, roles);
    char why[SESSION_WHY];
    int error = 0;
    for (size_t i = 0; !error && i < count; i++)
        error = plugin_try_all(session, &shapes[i], sizes, teams, is_planned, session, why, sizeof why);
    for (size_t t = 0; !error && t < teams; t++)
        error = sync_add(cells, sizes[t]);
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++) {
        if (session_runs(session, (*sequence)->isa))
            error = gamma_add_of_kinds(cells, session, *sequence);
    }
    if (!error)
        error = prepare_add(cells, session, PREPARE_K);
    for (size_t i = 0; !error && i < count; i++)
        error = add_operands(session, cells, &shapes[i]);
    for (size_t level = 0; level < SESSION_LEVELS; level++) {
        const char *name = session_levels[level];
        if (!session_has_level(session, name))
            continue;
        for (size_t t = 0; !error && t < teams; t++)
            error = beta_add(cells, session, name, sizes[t]);
    }
    if (!error)
        error = add_knees(session, cells, sizes, teams);
    for (size_t i = 0; !error && i < TIERS * count; i++) {
        struct named_shape named = {&shapes[i % count], models[i % count], roles[i % count]};
        error = add_gemv_shape(session, cells, &named, (enum tier)(i / count), sizes, teams);
    }
    return error;
}
