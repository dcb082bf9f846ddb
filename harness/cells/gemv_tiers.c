/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemv_tiers.h"

#include <string.h>

/** The shape on which every ISA's variant of a kernel runs; elsewhere only the best one of a sequence does. */
enum { REFERENCE_SIDE = 4096 };

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

static const char main_paper[] = "envelope";

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

enum gemv_tier gemv_tier_of(const struct session *session, const struct kernel *kernel, const struct shape *shape)
{
    char why[160];
    if (!session_runs(session, kernel->isa) || format_accepts(kernel->format, shape->m, shape->k, why, sizeof why))
        return GEMV_TIERS;
    if (shape->m == REFERENCE_SIDE && shape->k == REFERENCE_SIDE)
        return GEMV_REFERENCE;
    if (!is_best_variant(session, kernel))
        return GEMV_TIERS;
    if (shape_is_timed_by(shape, main_paper) && is_of_paper(session, kernel, main_paper))
        return GEMV_MAIN_PAPER;
    return is_timed(kernel, shape) ? GEMV_PAPERS : GEMV_TIERS;
}
