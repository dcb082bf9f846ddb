/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To be compared with another run: a short list that every block measures whole, so that a few blocks can tell a loss in
 * it (results/gate/compare.h). With plug-ins it is their kernels and sequences that are asked about, else our best kernel of
 * each format, with one thread: a team adds the noise of its other cores and little news of a kernel. GEMMs are taken with few
 * tokens, where memory binds, with many, where computing does, and with a number between, so that there is a gamma(N) to say
 * why one is slower: those of plug-ins, or our kernel of 2 bits and of 4. What they are held
 * against comes with them: the roofs of memory and of L1, which are also the controls that say how noisy the machine is,
 * the gamma of each kernel's sequence, and what a change of layout alone does to the core and to reads from memory, below
 * which no loss counts.
 */
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/bias/bias.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/cells/product/product_cell.h"
#include "harness/plan/characterize/purpose.h"
#include "results/statistics/stats.h"

enum { CONTROLS, CORE, MEMORY, GEMM };

/** Matrices of that many rows and columns; what is larger says little more and takes longer. */
enum { SIDE = 4096, KEPT = 24 };

/** Whether no other of our kernels of the format runs here with a better ISA. */
static bool is_best_of_ours(const struct session *session, const struct kernel *kernel)
{
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->gemv && (*other)->format == kernel->format && kernel_is_ours(session, *other) &&
            session_runs(session, (*other)->isa) && isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return kernel_is_ours(session, kernel) && session_runs(session, kernel->isa);
}

static bool is_asked(const struct session *session, const struct kernel *kernel)
{
    return session->plugins.count ? plugins_of_kernel(&session->plugins, kernel) != NULL
                                  : is_best_of_ours(session, kernel);
}

/** Of ours: integer weights of as many bits, of a format with more than one row a panel; unpacked within the block. */
static bool is_main_gemm(const struct session *session, const struct kernel *kernel, double bits)
{
    return kernel->gemm.run && !kernel->gemm.scratch_bytes && kernel->gives == KERNEL_GIVES_INT32 &&
           kernel->format->bits == bits && kernel->format->rows_per_panel > 1 && kernel_is_ours(session, kernel) &&
           session_runs(session, kernel->isa);
}

/** The first of the best ISA. */
static const struct kernel *main_gemm(const struct session *session, double bits)
{
    const struct kernel *best = NULL;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (is_main_gemm(session, *kernel, bits) &&
            (!best || isa_find((*kernel)->isa)->priority > isa_find(best->isa)->priority))
            best = *kernel;
    }
    return best;
}

static bool is_asked_gemm(const struct session *session, const struct kernel *kernel)
{
    return session->plugins.count ? plugins_of_kernel(&session->plugins, kernel) != NULL
                                  : kernel == main_gemm(session, 2) || kernel == main_gemm(session, 4);
}

static bool has_tokens_to_compare(size_t tokens)
{
    return tokens == 4 || tokens == 16 || tokens == 64;
}

/** Those of plug-ins, and those that predict the kernels. */
static bool is_asked_sequence(const struct session *session, const struct sequence *sequence)
{
    if (plugins_of_sequence(&session->plugins, sequence))
        return true;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *name = kernel_gamma(*kernel);
        if (is_asked(session, *kernel) && strcmp(name, sequence->name) == 0)
            return true;
    }
    return false;
}

static bool has_most_accumulators(const struct sequence *sequence, uint64_t accumulators)
{
    for (uint64_t i = 0; i < sequence->variants; i++) {
        if (sequence->variant[i].accumulators > accumulators)
            return false;
    }
    return true;
}

static unsigned value(const struct planning *planning, const struct cell *cell)
{
    const struct session *session = planning->session;
    const struct product_cell *gemv = gemv_cell(cell);
    const struct gamma_cell *gamma = gamma_cell(cell);
    const struct product_cell *gemm = gemm_cell(cell);
    const struct beta_cell *beta = beta_cell(cell);
    if (cell->threads != 1)
        return PURPOSE_NOT_WANTED;
    if (bias_cell(cell))
        return bias_is_floor(bias_cell(cell), BIAS_GAMMA) || bias_is_floor(bias_cell(cell), BIAS_COLD)
                   ? CONTROLS
                   : PURPOSE_NOT_WANTED;
    if (beta)
        return cell->cold || strcmp(beta->level, "L1") == 0 ? CONTROLS : PURPOSE_NOT_WANTED;
    if (gamma)
        return !cell->member && is_asked_sequence(session, cell->sequence) &&
                       has_most_accumulators(cell->sequence, gamma->variant->accumulators)
                   ? CORE
                   : PURPOSE_NOT_WANTED;
    if (gemv)
        return is_asked(session, cell->kernel) && gemv->m == SIDE && gemv->k == SIDE && cell->cold ? MEMORY
                                                                                                   : PURPOSE_NOT_WANTED;
    if (gemm)
        return is_asked_gemm(session, cell->kernel) && gemm->m == SIDE && gemm->k == SIDE && cell->cold &&
                       has_tokens_to_compare(gemm->tokens)
                   ? GEMM
                   : PURPOSE_NOT_WANTED;
    return PURPOSE_NOT_WANTED;
}

/** What scatters from sample to sample averages within a GEMM, which takes as long as many GEMVs. */
static unsigned kept_of(const struct cell *cell)
{
    return gemm_cell(cell) ? 2 * STATS_KEPT_LEAST : KEPT;
}

static const char *value_name(unsigned of)
{
    static const char *const name[] = {
        [CONTROLS] = "controls", [CORE] = "gamma", [MEMORY] = "kernels", [GEMM] = "gemm"};
    return name[of];
}

const struct purpose purpose_compare = {
    .name = "compare",
    .summary = "be compared: a short fixed list in 7 blocks, of a plug-in's kernels or of our best of each format",
    .budget = "210",
    .kept = KEPT,
    .kept_of = kept_of,
    .blocks = 7,
    .value = value,
    .value_name = value_name,
};
