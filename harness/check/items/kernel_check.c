/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/items/kernel_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/check/items/format_check.h"
#include "harness/check/operands/guarded_weights.h"
#include "micro/isa/random.h"
#include "platforms/process/worker.h"

enum { PANELS_MOST = 9, WEIGHTS_MOST = 1 << 20, CUT_STEPS = 7 };

static const size_t panels_tried[] = {1, 2, 3, 4, 7, PANELS_MOST};
static const size_t k_tried[] = {1, 17, 100, 1600};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct checking {
    struct guarded_gemv gemv;
    struct kernel_report *report;
    uint64_t random;
};

static enum kernel_verdict fault_verdict(struct checking *checking, enum call_fault fault)
{
    struct kernel_report *report = checking->report;
    const struct guarded_gemv *gemv = &checking->gemv;
    const struct guarded_operand operands[] = {{&gemv->weights, "weights"},
                                               {&gemv->activations, "activations"},
                                               {&gemv->prepared, "prepared operand"},
                                               {&gemv->out, "output"}};
    if (fault == CALL_CLEAN)
        return KERNEL_UNFINISHED;
    report->fault = fault;
    report->call = gemv->call;
    guarded_place(operands, COUNT(operands), gemv->call.address, report->touched, sizeof report->touched);
    return fault == CALL_NO_MEMORY ? KERNEL_NO_MEMORY : KERNEL_FAULTY;
}

static enum kernel_verdict judge(struct checking *checking, enum call_fault fault, const struct reference_check *check)
{
    struct kernel_report *report = checking->report;
    if (fault != CALL_CLEAN || !check->wrong)
        return fault_verdict(checking, fault);
    return kernel_report_wrong(report, check, check->rows);
}

/** Of an activation_fill. */
static const char *const activations_of[ACTIVATION_FILLS] = {"all -127", "all 127", "127 and -127 in turns", "random",
                                                             "a few large ones"};

/** Every number of panels with the weights that are there, and every kind of activations. */
static enum kernel_verdict check_products(struct checking *checking)
{
    struct guarded_gemv *gemv = &checking->gemv;
    enum kernel_verdict verdict = KERNEL_UNFINISHED;
    for (unsigned fill = 0; verdict == KERNEL_UNFINISHED && fill < ACTIVATION_FILLS; fill++) {
        checking->report->where = "prepare()";
        checking->report->activations = activations_of[fill];
        verdict =
            fault_verdict(checking, guarded_activations_fill(gemv, (enum activation_fill)fill, &checking->random));
        if (verdict != KERNEL_UNFINISHED)
            return verdict;
        checking->report->where = format_reader_name(gemv->kernel->format);
        guarded_expect(gemv);
        checking->report->where = "gemv()";
        for (size_t i = 0; verdict == KERNEL_UNFINISHED && i < COUNT(panels_tried); i++) {
            struct reference_check check;
            size_t panels = panels_tried[i] * kernel_call_panels(gemv->kernel);
            if (panels > gemv->panels)
                break;
            checking->report->panels = panels;
            enum call_fault fault = guarded_run(gemv, panels, gemv->kernel->prefetch_bytes, &check);
            verdict = judge(checking, fault, &check);
        }
    }
    return verdict;
}

/** Worst weights need pack() or put(). */
static bool packs(const struct format *format)
{
    return format->pack || format->put;
}

static enum kernel_verdict check_weights(struct checking *checking)
{
    struct guarded_gemv *gemv = &checking->gemv;
    float ends[2];
    checking->report->values = "random weights";
    guarded_weights_random(gemv, &checking->random);
    enum kernel_verdict verdict = check_products(checking);
    guarded_extremes(gemv->kernel->format, ends);
    for (unsigned pair = 0; verdict == KERNEL_UNFINISHED && packs(gemv->kernel->format) && pair < 4; pair++) {
        checking->report->values = "weights at the ends of their range";
        checking->report->where = format_packer_name(gemv->kernel->format);
        verdict = guarded_weights_constant(gemv, ends[pair & 1], ends[pair >> 1]) ? KERNEL_NO_MEMORY
                                                                                  : check_products(checking);
    }
    return verdict;
}

static enum kernel_verdict begin(struct checking *checking, const struct kernel *kernel, size_t panels, size_t k,
                                 int guard_at_end)
{
    checking->report->panels = panels;
    checking->report->k = k;
    return guarded_gemv_make(&checking->gemv, kernel, panels, k, guard_at_end) ? KERNEL_NO_MEMORY : KERNEL_UNFINISHED;
}

static enum kernel_verdict check_size(struct checking *checking, const struct kernel *kernel, size_t panels, size_t k,
                                      int guard_at_end)
{
    enum kernel_verdict verdict = begin(checking, kernel, panels, k, guard_at_end);
    if (verdict == KERNEL_UNFINISHED) {
        verdict = check_weights(checking);
        guarded_gemv_release(&checking->gemv);
    }
    return verdict;
}

static enum kernel_verdict check_sizes(struct checking *checking, const struct kernel *kernel)
{
    const size_t at_once = kernel_call_panels(kernel);
    const size_t longest = kernel_last_k(kernel, WEIGHTS_MOST / (kernel->format->rows_per_panel * at_once));
    enum kernel_verdict verdict = KERNEL_UNFINISHED;
    for (int at_end = 1; at_end >= 0; at_end--) {
        for (size_t i = 0; verdict == KERNEL_UNFINISHED && i < COUNT(k_tried); i++) {
            size_t k = kernel_next_k(kernel, k_tried[i]);
            if (i == 0 || k != kernel_next_k(kernel, k_tried[i - 1]))
                verdict = check_size(checking, kernel, PANELS_MOST * at_once, k, at_end);
        }
    }
    if (verdict == KERNEL_UNFINISHED && longest)
        verdict = check_size(checking, kernel, at_once, longest, 1);
    return verdict;
}

/** One panel in three slices, everywhere it can be cut. */
static enum kernel_verdict check_slices(struct checking *checking, const struct kernel *kernel)
{
    struct guarded_gemv *gemv = &checking->gemv;
    if (!kernel_cuts(kernel))
        return KERNEL_UNFINISHED;
    size_t k = kernel_next_k(kernel, CUT_STEPS * kernel->format->k_per_step);
    enum kernel_verdict verdict = begin(checking, kernel, 1, k, 1);
    if (verdict != KERNEL_UNFINISHED)
        return verdict;
    checking->report->where = "gemv() on a part of a panel";
    checking->report->activations = activations_of[RANDOM_VALUES];
    checking->report->values = "random weights";
    guarded_weights_random(gemv, &checking->random);
    verdict = fault_verdict(checking, guarded_activations_fill(gemv, RANDOM_VALUES, &checking->random));
    if (verdict == KERNEL_UNFINISHED)
        guarded_expect(gemv);
    for (size_t first = 1; verdict == KERNEL_UNFINISHED && first + 1 < gemv->steps; first++) {
        for (size_t second = first + 1; verdict == KERNEL_UNFINISHED && second < gemv->steps; second++) {
            const size_t cuts[] = {0, first, second, gemv->steps};
            struct reference_check check;
            enum call_fault fault = guarded_cut(gemv, 0, cuts, 3, &check);
            verdict = judge(checking, fault, &check);
        }
    }
    guarded_gemv_release(gemv);
    return verdict;
}

/* ---- lossless ---- */

/** Integers that the format has: those that it names, of its own range, or where weights are real numbers ternary ones. */
static float integer_weight(const struct format *format, uint8_t *step, uint64_t *random)
{
    if (format->values)
        return (float)format->values[random_bits(random) % format->value_count];
    if (!format->get)
        return (float)(random_bits(random) % 3) - 1;
    format_fill(format, step, 1, format->k_per_step, random);
    return (float)format->get(step, (uint32_t)(random_bits(random) % format->rows_per_panel), 0);
}

/** The integer product, without the format: w[rows][k], q[k]. */
static void expect_integers(struct guarded_gemv *gemv, const float *w, const int8_t *q)
{
    for (size_t row = 0; row < gemv->rows; row++) {
        int64_t y = 0;
        for (size_t column = 0; column < gemv->k; column++)
            y += (int64_t)w[row * gemv->k + column] * q[column];
        gemv->expected[row] = (struct reference_row){.definition = (double)y, .y = (double)y};
    }
}

void kernel_integers_name(const struct format *format, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "integers ");
    for (uint32_t i = 0; i < format->value_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i ? ", " : "", format->values[i]);
    if (!format->value_count && format->get)
        snprintf(text + used, size - used, "%d to %d", format->weight_min, format->weight_max);
    else if (!format->value_count)
        snprintf(text + used, size - used, "-1, 0 and 1");
}

static double result_of(const struct guarded_gemv *gemv, size_t row)
{
    float result;
    memcpy(&result, &gemv->y[row], sizeof result);
    return gemv->kernel->gives == KERNEL_GIVES_F32 ? (double)result : gemv->y[row];
}

static void note_first(const struct guarded_gemv *gemv, struct integers_check *check)
{
    for (size_t row = 0; row < gemv->rows; row++) {
        if (result_of(gemv, row) == gemv->expected[row].definition)
            continue;
        check->first_row = row;
        check->got = result_of(gemv, row);
        check->wanted = gemv->expected[row].definition;
        return;
    }
}

/** Whether what is packed are those integers at all. */
static void note_lost(const struct guarded_gemv *gemv, const float *w, struct integers_check *check)
{
    const struct format *format = gemv->kernel->format;
    const size_t panel_bytes = format_panel_bytes(format, gemv->k);
    for (size_t i = 0; i < gemv->rows * gemv->k && !check->reader; i++) {
        size_t row = i / gemv->k, panel = row / format->rows_per_panel;
        uint32_t within = (uint32_t)(row % format->rows_per_panel), column = (uint32_t)(i % gemv->k);
        double kept = format_weight(format, (const uint8_t *)gemv->weights.bytes + panel * panel_bytes,
                                    format_columns(format, gemv->k), within, column);
        if (kept == (double)w[i])
            continue;
        *check = (struct integers_check){.unlike = check->unlike,
                                         .reader = format_reader_name(format),
                                         .row = within,
                                         .column = column,
                                         .given = (double)w[i],
                                         .kept = kept};
    }
}

static enum call_fault run_integers(struct guarded_gemv *gemv, const float *w, const int8_t *q,
                                    struct integers_check *integers)
{
    struct reference_check check = {0};
    checked_call_beat();
    if (!guarded_open(gemv, &gemv->weights) || !guarded_open(gemv, &gemv->activations) ||
        format_pack(gemv->kernel->format, w, gemv->rows, gemv->k, gemv->weights.bytes))
        return CALL_NO_MEMORY;
    guarded_activations_clear(gemv);
    for (size_t i = 0; i < gemv->k; i++)
        guarded_activation_put(gemv, i, q[i]);
    enum call_fault fault = guarded_activations_prepare(gemv);
    expect_integers(gemv, w, q);
    if (fault == CALL_CLEAN)
        fault = guarded_run(gemv, gemv->panels, gemv->kernel->prefetch_bytes, &check);
    if (check.unequal && !integers->unlike && gemv->kernel->lossless) {
        note_first(gemv, integers);
        note_lost(gemv, w, integers);
    }
    integers->unlike += check.unequal;
    return fault;
}

enum { INTEGER_PANELS = 3 };

enum call_fault kernel_check_integers(const struct kernel *kernel, size_t k, uint64_t *random,
                                      struct integers_check *check)
{
    const struct format *format = kernel->format;
    struct guarded_gemv gemv;
    if (guarded_gemv_make(&gemv, kernel, INTEGER_PANELS * kernel_call_panels(kernel), k, 1))
        return CALL_NO_MEMORY;
    float *w = malloc(gemv.rows * k * sizeof *w);
    int8_t *q = malloc(k);
    uint8_t *step = malloc(format_panel_bytes(format, format->k_per_step));
    enum call_fault fault = CALL_NO_MEMORY;
    if (w && q && step) {
        for (size_t i = 0; i < gemv.rows * k; i++)
            w[i] = integer_weight(format, step, random);
        for (size_t i = 0; i < k; i++)
            q[i] = (int8_t)(i == k / 3 ? 127 : (int)(random_bits(random) % 201) - 100);
        fault = run_integers(&gemv, w, q, check);
    }
    free(w);
    free(q);
    free(step);
    guarded_gemv_release(&gemv);
    return fault;
}

static enum kernel_verdict check_claim(struct checking *checking, const struct kernel *kernel)
{
    struct kernel_report *report = checking->report;
    struct integers_check check = {0};
    enum call_fault fault = CALL_CLEAN;
    kernel_integers_name(kernel->format, report->integers, sizeof report->integers);
    report->values = report->integers;
    report->activations = "-100 to 100 and one 127";
    report->where = "gemv()";
    report->panels = INTEGER_PANELS * kernel_call_panels(kernel);
    for (size_t i = 0; fault == CALL_CLEAN && !check.unlike && kernel->lossless && i < COUNT(k_tried); i++) {
        report->k = kernel_next_k(kernel, k_tried[i]);
        fault = kernel_check_integers(kernel, report->k, &checking->random, &check);
    }
    report->wrong = check.unlike;
    report->first_row = check.first_row;
    report->got = check.got;
    report->wanted = check.wanted;
    report->fault = fault;
    if (check.reader)
        snprintf(
            report->format, sizeof report->format,
            "pack() stores %g at row %u, column %u, and %s gives %g: name in its values the integers that it keeps",
            check.given, check.row, check.column, check.reader, check.kept);
    if (fault != CALL_CLEAN)
        return fault == CALL_NO_MEMORY ? KERNEL_NO_MEMORY : KERNEL_FAULTY;
    return check.unlike ? KERNEL_LOSSY : KERNEL_RIGHT;
}

void kernel_check(const struct kernel *kernel, struct kernel_report *report)
{
    struct checking checking = {.report = report, .random = report->seed};
    *report = (struct kernel_report){.where = "gemv()", .values = "no weights", .seed = report->seed};
    report->where = "its format";
    const int error =
        format_check(kernel->format, &checking.random, &report->where, report->format, sizeof report->format);
    if (error) {
        report->verdict = error == -EILSEQ ? KERNEL_FORMAT : KERNEL_NO_MEMORY;
        return;
    }
    report->where = "gemv()";
    enum kernel_verdict verdict = kernel->gemm.run ? kernel_check_gemm(kernel, report) : KERNEL_UNFINISHED;
    if (verdict != KERNEL_UNFINISHED || !kernel->gemv) {
        report->verdict = verdict == KERNEL_UNFINISHED ? KERNEL_RIGHT : verdict;
        return;
    }
    report->tokens = 0;
    verdict = check_sizes(&checking, kernel);
    if (verdict == KERNEL_UNFINISHED)
        verdict = check_slices(&checking, kernel);
    if (verdict == KERNEL_UNFINISHED)
        verdict = check_claim(&checking, kernel);
    report->verdict = verdict;
}

/* ---- in a child ---- */

struct apart {
    const struct kernel *kernel;
    struct kernel_report *report;
};

static void check_in_worker(void *context, struct worker *worker)
{
    const struct apart *apart = context;
    checked_call_beats(worker_heart(worker));
    kernel_check(apart->kernel, apart->report);
}

/** What became of the worker, as of a child that reports nothing. */
static struct child_result fate_of(const struct worker_result *result)
{
    static const enum child_outcome outcomes[] = {
        [WORKER_RETURNED] = CHILD_RETURNED, [WORKER_EXITED] = CHILD_EXITED, [WORKER_CRASHED] = CHILD_CRASHED,
        [WORKER_WROTE] = CHILD_WROTE,       [WORKER_HUNG] = CHILD_HUNG,     [WORKER_STOPPED] = CHILD_FAILED,
        [WORKER_FAILED] = CHILD_FAILED,     [WORKER_LOST] = CHILD_LOST};
    struct child_result child = {.outcome = outcomes[result->outcome], .detail = result->detail};
    snprintf(child.printed, sizeof child.printed, "%.*s", (int)sizeof child.printed - 1, result->printed);
    return child;
}

int kernel_check_apart(const struct kernel *kernel, uint64_t seed, char *why, size_t size)
{
    struct kernel_report *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        snprintf(why, size, "no memory to check %s", kernel->name);
        return -ENOMEM;
    }
    struct apart apart = {kernel, shared};
    const struct worker_job job = {.body = check_in_worker, .context = &apart, .limit_ms = KERNEL_CHECK_LIMIT_MS};
    struct worker_result result;
    *shared = (struct kernel_report){.where = "gemv()", .values = "no weights", .seed = seed};
    worker_run(&job, &result);
    free(result.report);
    const struct child_result child = fate_of(&result);
    kernel_report_describe(shared, &child, kernel->name, why, size);
    const bool lacks_memory = result.outcome == WORKER_RETURNED && shared->verdict == KERNEL_NO_MEMORY;
    munmap(shared, sizeof *shared);
    if (result.outcome == WORKER_FAILED || result.outcome == WORKER_LOST ||
        lacks_memory) /* which says nothing of the kernel */
        return lacks_memory ? -ENOMEM : -result.detail;
    return why[0] ? -EILSEQ : 0;
}
