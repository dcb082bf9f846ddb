/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The patterns of a certificate as tokens of a GEMM.
 */
#include <errno.h>

#include "harness/check/items/certificate.h"
#include "harness/check/operands/guarded_gemm.h"

enum { PANELS = 3, TOKENS = 17, K_MIDDLE = 1600, TAIL_STEPS = 4, TIMES = 4, TOKENS_AT_LARGEST_K = 3, PAIRS = 4 };

struct making {
    struct guarded_gemm gemm;
    struct certificate_line *line;
    uint64_t random;
};

/** What all tokens at once give, and one alone, of what is packed. @return 0 or -ENOMEM */
static int hold(struct making *making, enum call_fault fault)
{
    struct guarded_gemm *gemm = &making->gemm;
    struct certificate_line *line = making->line;
    /* those first that are prepared */
    const size_t first = gemm->prepared_tokens == 1 ? 1 : gemm->tokens, other = first == 1 ? gemm->tokens : 1;
    struct reference_check all = {0};
    for (size_t i = 0; fault == CALL_CLEAN && i < 2; i++) {
        struct reference_check check;
        fault = guarded_gemm_measure(gemm, gemm->panels, i ? other : first, &check, &line->of_bound);
        all.rows += check.rows;
        all.unequal += check.unequal;
        all.wrong += check.wrong;
    }
    if (fault == CALL_NO_MEMORY)
        return -ENOMEM;
    line->rows += all.rows;
    line->unequal += all.unequal;
    line->wrong += all.wrong;
    line->k_most = gemm->k > line->k_most ? gemm->k : line->k_most;
    enum certificate_verdict verdict = fault != CALL_CLEAN ? CERTIFICATE_FAULT
                                       : all.wrong         ? CERTIFICATE_WRONG
                                       : all.unequal       ? CERTIFICATE_WITHIN
                                                           : CERTIFICATE_EXACT;
    line->verdict = verdict > line->verdict ? verdict : line->verdict;
    return 0;
}

/** Each pair of ends for the two halves of the rows, with tokens of this many patterns. */
static int hold_at_ends(struct making *making, const enum token_pattern *patterns, size_t count)
{
    struct guarded_gemm *gemm = &making->gemm;
    const struct kernel *kernel = gemm->kernel;
    const struct format *format = kernel->format;
    bool by_sum = format_is_integer(format) && kernel->gives == KERNEL_GIVES_INT32;
    float ends[2];
    int error = 0;
    guarded_extremes(format, ends);
    /* steps that repeat are packed sooner than tokens are prepared */
    bool tokens_stay = by_sum && format_is_uniform(format);
    for (size_t i = 0; !error && (format->pack || format->put) && i < PAIRS * count; i++) {
        const size_t pair = tokens_stay ? i % PAIRS : i / count, pattern = tokens_stay ? i / PAIRS : i % count;
        const float low = ends[pair & 1], high = ends[pair >> 1];
        enum call_fault fault = CALL_CLEAN;
        if (tokens_stay || pattern == 0)
            error = guarded_gemm_weights_constant(gemm, low, high);
        if (error)
            break;
        if (by_sum)
            guarded_gemm_tokens_constant(gemm, patterns[pattern], low, high);
        else
            fault = guarded_gemm_tokens_same(gemm, patterns[pattern], &making->random);
        error = hold(making, fault);
    }
    return error;
}

static int certify_ends(struct making *making, const struct kernel *kernel, size_t panels, size_t k, size_t tokens,
                        const enum token_pattern *patterns, size_t count)
{
    int error = guarded_gemm_make(&making->gemm, kernel, panels * kernel_call_panels(kernel), k, tokens, 1);
    if (error)
        return error;
    error = hold_at_ends(making, patterns, count);
    guarded_gemm_release(&making->gemm);
    return error;
}

static int certify_random(struct making *making, const struct kernel *kernel, size_t k, unsigned times)
{
    int error = guarded_gemm_make(&making->gemm, kernel, PANELS * kernel_call_panels(kernel), k, TOKENS, 1);
    if (error)
        return error;
    for (unsigned i = 0; !error && i < times; i++) {
        guarded_gemm_weights_random(&making->gemm, &making->random);
        error = hold(making, guarded_gemm_tokens_same(&making->gemm, TOKEN_RANDOM, &making->random));
    }
    guarded_gemm_release(&making->gemm);
    return error;
}

static int certify_tails(struct making *making, const struct kernel *kernel)
{
    size_t step = kernel->format->k_per_step, former = 0;
    int error = 0;
    for (size_t i = 0; !error && i < 3 * TAIL_STEPS; i++) {
        size_t k = kernel_next_k(kernel, (i / 3 + 1) * step + i % 3 - (step > 1 || i % 3 ? 1 : 0));
        if (k != former)
            error = certify_random(making, kernel, k, 1);
        former = k;
    }
    return error;
}

static size_t largest_k(const struct kernel *kernel)
{
    size_t most = kernel->gives == KERNEL_GIVES_F32 ? CERTIFICATE_FLOAT_K : SIZE_MAX, k = kernel_last_k(kernel, most);
    return k ? k : kernel_next_k(kernel, 1);
}

int certificate_of_gemm(const struct kernel *kernel, enum certificate_pattern pattern, struct certificate_line *line)
{
    static const enum token_pattern ends[] = {TOKEN_LEAST, TOKEN_MOST, TOKEN_RUNS_1},
                                    runs[] = {TOKEN_RUNS_2,  TOKEN_RUNS_4,  TOKEN_RUNS_8,
                                              TOKEN_RUNS_16, TOKEN_RUNS_32, TOKEN_RUNS_64},
                                    lowest[] = {TOKEN_LOWEST};
    struct making making = {.line = line, .random = 1};
    size_t middle = kernel_next_k(kernel, K_MIDDLE);
    switch (pattern) {
    case CERTIFICATE_ENDS: return certify_ends(&making, kernel, PANELS, middle, TOKENS, ends, 3);
    case CERTIFICATE_SATURATING: return certify_ends(&making, kernel, PANELS, middle, TOKENS, runs, 6);
    case CERTIFICATE_LARGEST_K:
        return certify_ends(&making, kernel, 1, largest_k(kernel), TOKENS_AT_LARGEST_K, ends, 2);
    case CERTIFICATE_TAILS: return certify_tails(&making, kernel);
    case CERTIFICATE_RANDOM: return certify_random(&making, kernel, middle, TIMES);
    default:
        return kernel->takes == KERNEL_TAKES_INT8 ? certify_ends(&making, kernel, PANELS, middle, TOKENS, lowest, 1)
                                                  : 0;
    }
}
