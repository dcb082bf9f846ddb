/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/tokens/batch_rate.h"

#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/select/kernels/best.h"
#include "reports/select/tokens/token_bound.h"

static bool is_of_origin(const char *origin, const char *of)
{
    if (origin && strcmp(origin, BATCH_PUBLISHED) == 0)
        return strcmp(of, "kneepoint") != 0;
    return !origin || strcmp(of, origin) == 0;
}

bool batch_kernels_are(const struct batch_kernels *kernels, const json_t *row)
{
    const char *format = view_text(row, "format");
    size_t length = strlen(kernels->format);
    bool begins = strncmp(format, kernels->format, length) == 0, rows = begins && !format[length],
         order = begins && format[length] == '_';
    return (kernels->layout == BATCH_ROWS     ? rows
            : kernels->layout == BATCH_ORDERS ? order
                                              : rows || order) &&
           is_of_origin(kernels->origin, view_text(row, "origin"));
}

/* ---- one matrix ---- */

static bool is_of(const void *kernels, const json_t *row)
{
    return batch_kernels_are(kernels, row);
}

static const json_t *product_of(const struct view *view, const struct batch_kernels *kernels, const struct shape *shape,
                                size_t tokens, unsigned threads)
{
    const struct gemm_query query = {
        .m = (double)shape->m, .k = (double)shape->k, .n = (double)tokens, .threads = threads, .cold = true};
    const json_t *gemv = tokens == 1 ? best_among(view, VIEW_GEMV, is_of, kernels, &query).row : NULL;
    return gemv ? gemv : best_among(view, VIEW_GEMM, is_of, kernels, &query).row;
}

/* Whether there is a record of such a product, with a time or without. */
static bool is_visited(const struct view *view, const struct batch_kernels *kernels, const struct shape *shape,
                       size_t tokens, unsigned threads)
{
    const struct gemm_query query = {
        .m = (double)shape->m, .k = (double)shape->k, .n = (double)tokens, .threads = threads, .cold = true};
    for (size_t t = 0; t < 2; t++) {
        const struct view_rows *rows = &view->of[t ? VIEW_GEMM : VIEW_GEMV];
        for (size_t i = 0; i < rows->count; i++) {
            if (gemm_cells_match(rows->rows[i], &query) && batch_kernels_are(kernels, rows->rows[i]))
                return true;
        }
    }
    return false;
}

/* ---- a model ---- */

struct batch_rate batch_rate(const struct view *view, const char *model, const struct batch_kernels *kernels,
                             size_t tokens, bool prompt, unsigned threads)
{
    struct batch_rate rate = {.kernel = ""};
    struct shape shapes[SHAPES_MAX];
    double seconds = 0, bytes = 0, most_s = 0, squares[2] = {0};
    size_t missing = 0, few = 0;
    size_t count = shapes_of(model, shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++) {
        if (prompt && shape_is_head(&shapes[i]))
            continue;
        const json_t *product = product_of(view, kernels, &shapes[i], tokens, threads);
        if (!product) {
            missing++;
            few += few + 1 == missing && is_visited(view, kernels, &shapes[i], tokens, threads);
            continue;
        }
        const double of_it_s = shapes[i].count * view_median(product, "time_s");
        seconds += of_it_s;
        bytes += shapes[i].count * view_number(product, "packed_bytes");
        token_add_interval(product, shapes[i].count, squares);
        if (of_it_s > most_s)
            rate.kernel = view_text(product, "name");
        most_s = fmax(most_s, of_it_s);
    }
    if (missing || !(seconds > 0))
        return (struct batch_rate){NAN, {NAN, NAN}, NAN, "", missing && few == missing};
    rate.tokens_per_s = (double)tokens / seconds;
    rate.ci95[0] = (double)tokens / (seconds + sqrt(squares[1]));
    rate.ci95[1] = (double)tokens / (seconds - sqrt(squares[0]));
    rate.token_bytes = bytes;
    return rate;
}

/* The most tokens of a product of the kernels that are less than this many; 0: none. */
static double longest_below(const struct view *view, const struct batch_kernels *kernels, double bound)
{
    const struct view_rows *rows = &view->of[VIEW_GEMM];
    double longest = 0;
    for (size_t i = 0; i < rows->count; i++) {
        double tokens = view_number(rows->rows[i], "n");
        if (tokens > longest && tokens < bound && batch_kernels_are(kernels, rows->rows[i]))
            longest = tokens;
    }
    return longest;
}

size_t batch_longest_prompt(const struct view *view, const char *model, const struct batch_kernels *kernels,
                            size_t least_tokens, unsigned threads, bool few_too)
{
    double tokens = INFINITY;
    while ((tokens = longest_below(view, kernels, tokens)) > 0 && tokens >= (double)least_tokens) {
        struct batch_rate rate = batch_rate(view, model, kernels, (size_t)tokens, true, threads);
        if (rate.tokens_per_s > 0 || (few_too && rate.few))
            return (size_t)tokens;
    }
    return 0;
}

/* Of passes the fastest median, as in decoded.c. */
const json_t *batch_pass(const struct view *view, const char *model, const struct batch_kernels *kernels, size_t tokens,
                         unsigned threads)
{
    const bool prompt = tokens == 0;
    const struct view_rows *rows = &view->of[prompt ? VIEW_PREFILL : tokens == 1 ? VIEW_DECODE : VIEW_BATCH];
    const json_t *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        double longer = prompt && best ? view_number(row, "tokens") - view_number(best, "tokens") : 0;
        if (strcmp(view_text(row, "model"), model) != 0 || view_number(row, "threads") != threads ||
            !(view_median(row, "tokens_per_s") > 0) || !batch_kernels_are(kernels, row) ||
            (tokens > 1 && view_number(row, "users") != (double)tokens))
            continue;
        if (!best || longer > 0 ||
            (!(longer < 0) && view_median(row, "tokens_per_s") > view_median(best, "tokens_per_s")))
            best = row;
    }
    return best;
}

unsigned batch_widest_team(const struct view *view, const struct batch_kernels *kernels)
{
    static const enum view_type types[] = {VIEW_GEMV, VIEW_GEMM, VIEW_DECODE, VIEW_PREFILL, VIEW_BATCH};
    double widest = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const struct view_rows *rows = &view->of[types[t]];
        for (size_t i = 0; i < rows->count; i++) {
            if (batch_kernels_are(kernels, rows->rows[i]))
                widest = fmax(widest, view_number(rows->rows[i], "threads"));
        }
    }
    return widest > 0 ? (unsigned)widest : 0;
}
