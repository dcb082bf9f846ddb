/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/items/format_check.h"
#include "harness/check/items/kernel_check.h"
#include "harness/check/operands/guarded_gemm.h"
#include "harness/check/operands/guarded_weights.h"

enum { PANELS = 3, TOKENS_MOST = 33, K_LONGEST = 1100 };

static const size_t tokens_tried[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, TOKENS_MOST};
static const size_t k_tried[] = {1, 17, 133, K_LONGEST};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct checking {
    struct guarded_gemm gemm;
    struct kernel_report *report;
    uint64_t random;
};

static enum kernel_verdict fault_verdict(struct checking *checking, enum call_fault fault)
{
    struct kernel_report *report = checking->report;
    const struct guarded_gemm *gemm = &checking->gemm;
    const struct guarded_operand operands[] = {
        {&gemm->weights, "weights"}, {&gemm->activations, "activations"}, {&gemm->prepared, "prepared operand"},
        {&gemm->scales, "scales"},   {&gemm->corrections, "corrections"}, {&gemm->scratch, "scratch"},
        {&gemm->out, "output"}};
    if (fault == CALL_CLEAN)
        return KERNEL_UNFINISHED;
    report->fault = fault;
    report->where = gemm->called;
    report->call = gemm->call;
    guarded_place(operands, COUNT(operands), gemm->call.address, report->touched, sizeof report->touched);
    return fault == CALL_NO_MEMORY ? KERNEL_NO_MEMORY : KERNEL_FAULTY;
}

static enum kernel_verdict check_call(struct checking *checking, enum token_pattern first, size_t panels, size_t tokens)
{
    struct reference_check check = {0};
    checking->report->panels = panels;
    checking->report->tokens = tokens;
    enum call_fault fault =
        guarded_gemm_run(&checking->gemm, panels, tokens, checking->gemm.kernel->prefetch_bytes, &check);
    if (fault != CALL_CLEAN || !check.wrong)
        return fault_verdict(checking, fault);
    kernel_report_wrong(checking->report, &check, check.rows / tokens);
    checking->report->activations =
        guarded_gemm_token_name(&checking->gemm, first, tokens, checking->report->first_token);
    return KERNEL_WRONG;
}

/** Every number of tokens and of panels, with the weights that are there. */
static enum kernel_verdict check_products(struct checking *checking, enum token_pattern first)
{
    struct guarded_gemm *gemm = &checking->gemm;
    checking->report->where = format_reader_name(gemm->kernel->format);
    enum kernel_verdict verdict = fault_verdict(checking, guarded_gemm_tokens(gemm, first, &checking->random));
    checking->report->where = gemm->called;
    for (size_t i = 0; verdict == KERNEL_UNFINISHED && i < COUNT(tokens_tried) * PANELS; i++)
        verdict =
            check_call(checking, first, (i % PANELS + 1) * kernel_call_panels(gemm->kernel), tokens_tried[i / PANELS]);
    return verdict;
}

static enum kernel_verdict check_weights(struct checking *checking)
{
    const struct format *format = checking->gemm.kernel->format;
    float ends[2];
    checking->report->values = "random weights";
    guarded_gemm_weights_random(&checking->gemm, &checking->random);
    enum kernel_verdict verdict = check_products(checking, TOKEN_RANDOM);
    guarded_extremes(format, ends);
    for (unsigned pair = 0; verdict == KERNEL_UNFINISHED && (format->pack || format->put) && pair < 4; pair++) {
        checking->report->values = "weights at the ends of their range";
        checking->report->where = format_packer_name(format);
        verdict = guarded_gemm_weights_constant(&checking->gemm, ends[pair & 1], ends[pair >> 1])
                      ? KERNEL_NO_MEMORY
                      : check_products(checking, TOKEN_LEAST);
    }
    return verdict;
}

enum kernel_verdict kernel_check_gemm(const struct kernel *kernel, struct kernel_report *report)
{
    struct checking checking = {.report = report, .random = report->seed};
    enum kernel_verdict verdict = KERNEL_UNFINISHED;
    size_t former[2] = {0}, panels = PANELS * kernel_call_panels(kernel);
    for (size_t i = 0; verdict == KERNEL_UNFINISHED && i < 2 * COUNT(k_tried); i++) {
        size_t k = kernel_next_k(kernel, k_tried[i / 2]);
        if (k == former[i % 2])
            continue;
        former[i % 2] = k;
        *report = (struct kernel_report){
            .where = "gemm.run()", .values = "no weights", .panels = panels, .k = k, .seed = report->seed};
        if (guarded_gemm_make(&checking.gemm, kernel, panels, k, TOKENS_MOST, i % 2 == 0))
            return KERNEL_NO_MEMORY;
        verdict = check_weights(&checking);
        guarded_gemm_release(&checking.gemm);
    }
    return verdict;
}
