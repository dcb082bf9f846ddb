/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/main_kernels.h"

#include <string.h>

#include "reports/select/papers/claims.h"

/** Whether a kernel of the same format does the same, as one question has it. */
typedef bool is_rival(const struct session *session, const struct kernel *kernel, const struct kernel *other);

/** Whether no rival of a kernel has a better ISA and runs. */
static bool is_best(const struct session *session, const struct kernel *kernel, is_rival *rival)
{
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format == kernel->format && rival(session, kernel, *other) &&
            session_runs(session, (*other)->isa) && isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return true;
}

static bool is_variant(const struct session *session, const struct kernel *kernel, const struct kernel *other)
{
    (void)session;
    return other->gemv && strcmp(other->sequence, kernel->sequence) == 0;
}

static bool is_gemv_of_ours(const struct session *session, const struct kernel *kernel, const struct kernel *other)
{
    (void)kernel;
    return other->gemv && kernel_is_ours(session, other);
}

static bool is_gemm_of_ours(const struct session *session, const struct kernel *kernel, const struct kernel *other)
{
    (void)kernel;
    return other->gemm.run && !plugins_of_kernel(&session->plugins, other);
}

static const char main_paper[] = "envelope";

bool code_is_as_published(const struct session *session, const char *origin, const char *isa)
{
    if (strcmp(origin, main_paper) != 0)
        return false;
    for (size_t i = 0; published_isas[i]; i++) {
        if (isa_find(published_isas[i]) && session_runs(session, published_isas[i]))
            return strcmp(isa, published_isas[i]) == 0;
    }
    return false;
}

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

/** What activations of 8 bits, and tables of 8 bits of them, are off by is less. */
static const double MODEL_ERROR_MOST = 0.01;

bool kernel_keeps_activations(const struct kernel *kernel)
{
    return kernel->error_bound <= MODEL_ERROR_MOST;
}

bool kernel_is_for_models(const struct kernel *kernel)
{
    return kernel_keeps_activations(kernel) && !kernel->format->order_columns;
}

enum gemv_tier gemv_tier_of(const struct session *session, const struct kernel *kernel, const struct shape *shape)
{
    char why[160];
    if (!kernel->gemv || !session_runs(session, kernel->isa) ||
        kernel_accepts(kernel, shape->m, shape->k, why, sizeof why))
        return GEMV_TIERS;
    if (shape->m == PRODUCT_REFERENCE_SIDE && shape->k == PRODUCT_REFERENCE_SIDE)
        return GEMV_REFERENCE;
    if (!shape->timed_by[0])
        return GEMV_TIERS;
    if (!is_best(session, kernel, is_variant) && !code_is_as_published(session, kernel->origin, kernel->isa))
        return GEMV_TIERS;
    if (shape_is_timed_by(shape, main_paper) && is_of_paper(session, kernel, main_paper))
        return GEMV_MAIN_PAPER;
    bool could_run_it =
        shape_is_timed_by(shape, main_paper) && gemv_is_main(session, kernel) && kernel_is_for_models(kernel);
    return could_run_it || is_timed(kernel, shape) ? GEMV_PAPERS : GEMV_TIERS;
}

bool kernel_is_ours(const struct session *session, const struct kernel *kernel)
{
    return !plugins_of_kernel(&session->plugins, kernel) && strcmp(kernel->origin, "kneepoint") == 0;
}

bool gemv_is_main(const struct session *session, const struct kernel *kernel)
{
    if (!kernel->gemv)
        return false;
    return is_best(session, kernel, kernel_is_ours(session, kernel) ? is_gemv_of_ours : is_variant);
}

bool gemm_is_main(const struct session *session, const struct kernel *kernel)
{
    return kernel->gemm.run && session_runs(session, kernel->isa) &&
           (plugins_of_kernel(&session->plugins, kernel) || is_best(session, kernel, is_gemm_of_ours));
}
