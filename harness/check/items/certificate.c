/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/items/certificate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/check/operands/guarded_gemv.h"
#include "micro/isa/random.h"
#include "platforms/process/child.h"

/** Whole interleaves and what is left over of them; runs of 2, 4, … 64. */
enum { PANELS = 5, K_MIDDLE = 1600, TAIL_STEPS = 4, RUNS_TRIED = 6 };

const char *certificate_pattern_name(enum certificate_pattern pattern)
{
    static const char *const names[CERTIFICATE_PATTERNS] = {"ends",  "saturating", "largest_k",
                                                            "tails", "random",     "least"};
    return names[pattern];
}

const char *certificate_verdict_name(enum certificate_verdict verdict)
{
    static const char *const names[] = {"none", "exact", "within bound", "wrong", "fault"};
    return names[verdict];
}

const char *certificate_product_name(enum certificate_product product)
{
    return product == CERTIFICATE_GEMV ? "gemv" : "gemm";
}

bool certificate_has(const struct kernel *kernel, enum certificate_product product)
{
    return product == CERTIFICATE_GEMV ? kernel->gemv != NULL : kernel->gemm.run != NULL;
}

/** The activation of a column, in [-128, 127]. */
struct activations {
    enum { SAME, RUNS, ANY } kind;
    int value;  /* of SAME, and of the first run */
    size_t run; /* of RUNS: columns of one sign */
};

static int activation_at(const struct activations *activations, size_t column, uint64_t *random)
{
    switch (activations->kind) {
    case SAME: return activations->value;
    case RUNS: return column / activations->run % 2 ? -activations->value : activations->value;
    default: return (int)(random_bits(random) % 255) - 127;
    }
}

/** Of patterns that are no random ones within what the kernel says that it takes. */
static int activation_within(const struct kernel *kernel, const struct activations *activations, size_t column,
                             uint64_t *random)
{
    int integer = activation_at(activations, column, random);
    return activations->kind == ANY ? integer : guarded_within(kernel, column, integer);
}

struct making {
    struct guarded_gemv gemv;
    struct certificate_line *line;
    uint64_t random;
};

/** Put the activations and let the kernel prepare them. */
static enum call_fault put_activations(struct making *making, const struct activations *activations)
{
    struct guarded_gemv *gemv = &making->gemv;
    if (!guarded_open(gemv, &gemv->activations))
        return CALL_NO_MEMORY;
    guarded_activations_clear(gemv);
    for (size_t i = 0; i < gemv->k; i++)
        guarded_activation_put(gemv, i, (float)activation_within(gemv->kernel, activations, i, &making->random));
    return guarded_activations_prepare(gemv);
}

static void worsen(struct certificate_line *line, enum certificate_verdict verdict)
{
    line->verdict = verdict > line->verdict ? verdict : line->verdict;
}

/** The weights of guarded_weights_constant; none: what is packed has to be read. */
struct ends {
    float low, high;
};

static void expect(struct guarded_gemv *gemv, const struct ends *ends)
{
    if (ends && format_is_integer(gemv->kernel->format) && gemv->kernel->gives == KERNEL_GIVES_INT32)
        guarded_expect_constant(gemv, ends->low, ends->high);
    else
        guarded_expect(gemv);
}

/**
 * Over the rows' own bounds, and not over their results: those of activations that cancel are next to nothing.
 */
static double share_of_bound(const struct guarded_gemv *gemv)
{
    bool integers = gemv->kernel->gives == KERNEL_GIVES_INT32;
    double most = 0;
    for (size_t row = 0; row < gemv->rows; row++) {
        const struct reference_row *expected = &gemv->expected[row];
        double got = integers ? gemv->y[row] : (double)((const float *)(const void *)gemv->y)[row];
        double error = fabs(got - expected->definition);
        if (error > 0 && expected->bound > 0)
            most = fmax(most, error / expected->bound);
    }
    return most;
}

/** One product of what is packed, all panels. @return 0 or -ENOMEM */
static int hold(struct making *making, const struct activations *activations, const struct ends *ends)
{
    struct guarded_gemv *gemv = &making->gemv;
    struct certificate_line *line = making->line;
    struct reference_check check = {0};
    enum call_fault fault = put_activations(making, activations);
    if (fault == CALL_CLEAN) {
        expect(gemv, ends);
        fault = guarded_run(gemv, gemv->panels, gemv->kernel->prefetch_bytes, &check);
    }
    if (fault == CALL_NO_MEMORY)
        return -ENOMEM;
    line->rows += check.rows;
    line->unequal += check.unequal;
    line->wrong += check.wrong;
    line->k_most = gemv->k > line->k_most ? gemv->k : line->k_most;
    line->of_bound = fault == CALL_CLEAN ? fmax(line->of_bound, share_of_bound(gemv)) : line->of_bound;
    worsen(line, fault != CALL_CLEAN ? CERTIFICATE_FAULT
                 : check.wrong       ? CERTIFICATE_WRONG
                 : check.unequal     ? CERTIFICATE_WITHIN
                                     : CERTIFICATE_EXACT);
    return 0;
}

/** Each pair of ends for the two halves of the rows; formats without pack() or put() have random weights alone. */
static int hold_at_ends(struct making *making, const struct activations *list, size_t count)
{
    const struct format *format = making->gemv.kernel->format;
    float ends[2];
    int error = 0;
    guarded_extremes(format, ends);
    for (unsigned pair = 0; !error && (format->pack || format->put) && pair < 4; pair++) {
        const struct ends packed = {ends[pair & 1], ends[pair >> 1]};
        error = guarded_weights_constant(&making->gemv, packed.low, packed.high);
        for (size_t i = 0; !error && i < count; i++)
            error = hold(making, &list[i], &packed);
    }
    return error;
}

static int begin(struct making *making, const struct kernel *kernel, size_t panels, size_t k)
{
    return guarded_gemv_make(&making->gemv, kernel, panels * kernel_call_panels(kernel), k, 1);
}

static int certify_list(struct making *making, const struct kernel *kernel, size_t panels, size_t k,
                        const struct activations *list, size_t count)
{
    int error = begin(making, kernel, panels, k);
    if (error)
        return error;
    error = hold_at_ends(making, list, count);
    guarded_gemv_release(&making->gemv);
    return error;
}

static int certify_ends(struct making *making, const struct kernel *kernel)
{
    static const struct activations list[] = {{SAME, -127, 0}, {SAME, 127, 0}, {RUNS, 127, 1}};
    return certify_list(making, kernel, PANELS, kernel_next_k(kernel, K_MIDDLE), list, 3);
}

static int certify_saturating(struct making *making, const struct kernel *kernel)
{
    struct activations list[2 * RUNS_TRIED];
    size_t count = 0;
    for (size_t run = 2; count < sizeof list / sizeof *list; run *= 2) {
        list[count++] = (struct activations){RUNS, 127, run};
        list[count++] = (struct activations){RUNS, -127, run};
    }
    return certify_list(making, kernel, PANELS, kernel_next_k(kernel, K_MIDDLE), list, count);
}

static int certify_largest_k(struct making *making, const struct kernel *kernel)
{
    static const struct activations list[] = {{SAME, -127, 0}, {SAME, 127, 0}};
    size_t most = kernel->gives == KERNEL_GIVES_F32 ? CERTIFICATE_FLOAT_K : SIZE_MAX, k = kernel_last_k(kernel, most);
    return certify_list(making, kernel, 1, k ? k : kernel_next_k(kernel, 1), list, 2);
}

static int certify_tails(struct making *making, const struct kernel *kernel)
{
    static const struct activations any = {.kind = ANY};
    size_t step = kernel->format->k_per_step, former = 0;
    int error = 0;
    for (size_t i = 0; !error && i < 3 * TAIL_STEPS; i++) {
        size_t k = kernel_next_k(kernel, (i / 3 + 1) * step + i % 3 - (step > 1 || i % 3 ? 1 : 0));
        if (k == former)
            continue;
        former = k;
        error = begin(making, kernel, PANELS, k);
        if (error)
            break;
        guarded_weights_random(&making->gemv, &making->random);
        error = hold(making, &any, NULL);
        guarded_gemv_release(&making->gemv);
    }
    return error;
}

static int certify_random(struct making *making, const struct kernel *kernel)
{
    enum { TIMES = 8 };
    static const struct activations any = {.kind = ANY};
    int error = begin(making, kernel, PANELS, kernel_next_k(kernel, K_MIDDLE));
    if (error)
        return error;
    for (int i = 0; !error && i < TIMES; i++) {
        guarded_weights_random(&making->gemv, &making->random);
        error = hold(making, &any, NULL);
    }
    guarded_gemv_release(&making->gemv);
    return error;
}

/** A kernel that takes floats makes its own integers of them, and no -128. */
static int certify_least(struct making *making, const struct kernel *kernel)
{
    static const struct activations least = {SAME, -128, 0};
    if (kernel->takes != KERNEL_TAKES_INT8)
        return 0;
    return certify_list(making, kernel, PANELS, kernel_next_k(kernel, K_MIDDLE), &least, 1);
}

static int certify_gemv(struct making *making, const struct kernel *kernel, enum certificate_pattern pattern)
{
    switch (pattern) {
    case CERTIFICATE_ENDS: return certify_ends(making, kernel);
    case CERTIFICATE_SATURATING: return certify_saturating(making, kernel);
    case CERTIFICATE_LARGEST_K: return certify_largest_k(making, kernel);
    case CERTIFICATE_TAILS: return certify_tails(making, kernel);
    case CERTIFICATE_RANDOM: return certify_random(making, kernel);
    default: return certify_least(making, kernel);
    }
}

int certificate_make(const struct kernel *kernel, enum certificate_product product, struct certificate *certificate)
{
    struct making making = {.random = 1};
    int error = 0;
    *certificate = (struct certificate){0};
    for (int pattern = 0; !error && pattern < CERTIFICATE_PATTERNS; pattern++) {
        making.line = &certificate->line[pattern];
        error = product == CERTIFICATE_GEMM
                    ? certificate_of_gemm(kernel, (enum certificate_pattern)pattern, making.line)
                    : certify_gemv(&making, kernel, (enum certificate_pattern)pattern);
        if (pattern != CERTIFICATE_LEAST && making.line->verdict > certificate->verdict)
            certificate->verdict = making.line->verdict;
    }
    return error;
}

/* ---- in a child ---- */

struct asked {
    const struct kernel *kernel;
    enum certificate_product product;
};

struct report {
    struct certificate certificate;
    int error;
};

static void make_in_child(void *argument, void *report)
{
    const struct asked *asked = argument;
    struct report *made = report;
    made->error = certificate_make(asked->kernel, asked->product, &made->certificate);
}

int certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                           struct certificate *certificate)
{
    struct asked asked = {kernel, product};
    struct report report = {0};
    struct child_result child;
    child_run(make_in_child, &asked, &report, sizeof report, CERTIFICATE_LIMIT_MS, &child);
    *certificate =
        child.outcome == CHILD_RETURNED ? report.certificate : (struct certificate){.verdict = CERTIFICATE_FAULT};
    if (child.outcome == CHILD_HUNG)
        snprintf(certificate->why, sizeof certificate->why, "still ran after %d s", CERTIFICATE_LIMIT_MS / 1000);
    else if (child.outcome == CHILD_CRASHED)
        snprintf(certificate->why, sizeof certificate->why, "signal %d (%s)", child.detail, strsignal(child.detail));
    else if (child.outcome == CHILD_EXITED)
        snprintf(certificate->why, sizeof certificate->why, "ended its process with status %d", child.detail);
    else if (child.outcome == CHILD_LOST || child.outcome == CHILD_FAILED) /* which says nothing of the kernel */
        return -child.detail;
    return child.outcome == CHILD_RETURNED ? report.error : 0;
}
