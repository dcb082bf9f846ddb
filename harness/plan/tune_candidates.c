/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tune_candidates.h.
 */
#include "harness/plan/tune_candidates.h"

#include <stdio.h>
#include <string.h>

#include "micro/tuning.h"

struct tuning_problem tune_problem(const struct kernel *kernel, size_t m, size_t k, size_t n, unsigned threads,
                                   bool cold)
{
    struct tuning_problem problem = {
        .error_bound = kernel->error_bound, .threads = threads, .cold = cold, .m = m, .k = k, .n = n};
    snprintf(problem.format, sizeof problem.format, "%s", kernel->format->name);
    snprintf(problem.takes, sizeof problem.takes, "%s", kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32");
    return problem;
}

bool tune_set_variant(const struct kernel *kernel, const char *name, struct product_settings *settings)
{
    const struct kernel_variants *variants = kernel_variants_of(kernel);
    for (size_t i = 0; variants && i < variants->count; i++) {
        if (strcmp(variants->variant[i].name, name) != 0)
            continue;
        settings->variant = i ? variants->variant[i].name : NULL; /* the first is the kernel's own */
        settings->run = i ? variants->variant[i].run : NULL;
        return true;
    }
    settings->variant = NULL;
    settings->run = NULL;
    return !*name;
}

bool tune_settings_of(const struct kernel *kernel, const struct tuning_cell *cell, struct product_settings *settings)
{
    *settings = (struct product_settings){.prefetch_given = true,
                                          .prefetch_bytes = cell->prefetch_bytes,
                                          .shares_tokens = cell->gemm && cell->shares_tokens};
    return cell->gemm ? tune_set_variant(kernel, cell->variant, settings) : !cell->variant[0];
}

bool tune_can_share_tokens(const struct kernel *kernel, const struct tuning_problem *problem)
{
    size_t group = kernel->gemm.prepare_many ? kernel->gemm.tokens_per_group : 1;
    size_t panels = kernel_groups(kernel, problem->m); /* fewer than members: they share tokens already */
    return problem->threads > 1 && panels >= problem->threads && (problem->n + group - 1) / group >= problem->threads;
}

size_t tune_candidates(const struct kernel *kernel, const struct tuning_problem *problem,
                       struct tune_candidate *candidates, size_t most)
{
    size_t distances[PRODUCT_DISTANCES], distance_count = product_distances(kernel, true, distances), count = 0;
    const struct kernel_variants *variants = kernel->gemm.run ? kernel_variants_of(kernel) : NULL;
    const size_t variant_count = variants ? variants->count : 1;
    const size_t shares = tune_can_share_tokens(kernel, problem) ? 2 : 1;
    const size_t gemms = kernel->gemm.run ? variant_count * shares * distance_count : 0;
    for (size_t i = 0; i < gemms; i++, count++) {
        struct tune_candidate made = {.kernel = kernel, .gemm = true};
        made.settings.prefetch_given = true;
        made.settings.prefetch_bytes = distances[i % distance_count];
        made.settings.shares_tokens = i / distance_count % shares;
        if (variants)
            tune_set_variant(kernel, variants->variant[i / distance_count / shares].name, &made.settings);
        if (count < most)
            candidates[count] = made;
    }
    distance_count = product_distances(kernel, false, distances);
    for (size_t i = 0; kernel->gemv && problem->n == 1 && i < distance_count; i++, count++) {
        struct tune_candidate made = {.kernel = kernel};
        made.settings.prefetch_given = true;
        made.settings.prefetch_bytes = distances[i];
        if (count < most)
            candidates[count] = made;
    }
    return count;
}
