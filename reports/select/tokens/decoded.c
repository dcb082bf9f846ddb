/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/tokens/decoded.h"

#include <math.h>
#include <string.h>

/* Whether a row is a pass through a model on a team, with a number. */
static bool is_pass(const json_t *row, const char *model, unsigned threads)
{
    return strcmp(view_text(row, "model"), model) == 0 && view_number(row, "threads") == threads &&
           view_median(row, "tokens_per_s") > 0;
}

/* Records of passes have no halves to choose by (results/statistics/best_of.h): of few passes the highest median is all that can be known. */
static const json_t *faster(const json_t *best, const json_t *row)
{
    return !best || view_median(row, "tokens_per_s") > view_median(best, "tokens_per_s") ? row : best;
}

const json_t *decoded_among(const struct view *view, enum view_type type, const char *model,
                            bool (*is)(const void *of, const json_t *row), const void *of, size_t length,
                            unsigned threads)
{
    const struct view_rows *rows = &view->of[type];
    const char *field = type == VIEW_PREFILL ? "tokens" : "context";
    const json_t *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if (is_pass(row, model, threads) && (!length || view_number(row, field) == (double)length) && is(of, row))
            best = faster(best, row);
    }
    return best;
}

static bool begins_so(const void *prefix, const json_t *row)
{
    return strncmp(view_text(row, "format"), prefix, strlen(prefix)) == 0;
}

const json_t *decoded_fastest(const struct view *view, const char *model, const char *format_prefix, unsigned threads)
{
    return decoded_among(view, VIEW_DECODE, model, begins_so, format_prefix, 0, threads);
}

const json_t *prefilled_fastest(const struct view *view, const char *model, const char *format_prefix, size_t tokens,
                                unsigned threads)
{
    return decoded_among(view, VIEW_PREFILL, model, begins_so, format_prefix, tokens, threads);
}

bool decoded_has_wide_head(const json_t *row)
{
    const char *format = view_text(row, "head_format");
    return strcmp(format, "f16") == 0 || strcmp(format, "bf16") == 0;
}

static bool is_of_kernel(const void *kernel, const json_t *row)
{
    return decoded_has_wide_head(row) && token_kernel_is(kernel, row);
}

const json_t *decoded_at(const struct view *view, const char *model, const struct token_kernel *kernel, size_t context,
                         unsigned threads)
{
    return decoded_among(view, VIEW_DECODE, model, is_of_kernel, kernel, context, threads);
}

const json_t *decoded_with(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads)
{
    return decoded_at(view, model, kernel, 0, threads);
}

double decoded_bytes_per_s(const json_t *pass)
{
    return view_median(pass, "tokens_per_s") * (view_number(pass, "layer_bytes") + view_number(pass, "head_bytes"));
}

static unsigned widest_team(const struct view_rows *rows)
{
    double widest = 0;
    for (size_t i = 0; i < rows->count; i++) {
        double threads = view_number(rows->rows[i], "threads");
        if (threads > widest && view_median(rows->rows[i], "tokens_per_s") > 0)
            widest = threads;
    }
    return (unsigned)widest;
}

double decoded_share(const json_t *pass, const char *part)
{
    const json_t *parts = json_object_get(pass, "parts");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        if (strcmp(view_text(json_array_get(parts, i), "part"), part) == 0)
            return view_median(json_array_get(parts, i), "share");
    }
    return NAN;
}

unsigned decoded_team(const struct view *view)
{
    return widest_team(&view->of[VIEW_DECODE]);
}

unsigned prefilled_team(const struct view *view)
{
    return widest_team(&view->of[VIEW_PREFILL]);
}

/* Into its place among those that are there. */
static size_t insert(size_t *lengths, size_t count, size_t one)
{
    size_t at = count;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] == one)
            return count;
    }
    for (; at && lengths[at - 1] > one; at--)
        lengths[at] = lengths[at - 1];
    lengths[at] = one;
    return count + 1;
}

static size_t lengths_of(const struct view_rows *rows, const char *field, const char *model, unsigned threads,
                         size_t *lengths, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count && count < capacity; i++) {
        double of = view_number(rows->rows[i], field);
        if (is_pass(rows->rows[i], model, threads) && of > 0)
            count = insert(lengths, count, (size_t)of);
    }
    return count;
}

size_t decoded_contexts(const struct view *view, const char *model, unsigned threads, size_t *contexts, size_t capacity)
{
    return lengths_of(&view->of[VIEW_DECODE], "context", model, threads, contexts, capacity);
}

size_t prefilled_tokens(const struct view *view, const char *model, unsigned threads, size_t *tokens, size_t capacity)
{
    return lengths_of(&view->of[VIEW_PREFILL], "tokens", model, threads, tokens, capacity);
}

double joules_of_token(const struct view *view, const char *model, const struct token_kernel *kernel, unsigned threads)
{
    return view_median(decoded_with(view, model, kernel, threads), "joules_per_token");
}

/* Of the back end that reads the kernel's counters, which needs nothing installed; of another where it says nothing; "" if any
 * of them counts energy. */
static const char *counters_cause(const struct view *view)
{
    const char *cause = "";
    size_t index;
    const json_t *record;
    json_array_foreach(view->records->records, index, record)
    {
        const json_t *energy = json_object_get(json_object_get(record, "quantities"), "package_energy_j");
        if (strcmp(view_text(record, "type"), "counters") != 0)
            continue;
        if (strcmp(view_text(energy, "grade"), "unavailable") != 0)
            return "";
        if (!*cause || strcmp(view_text(record, "name"), "perf") == 0)
            cause = view_text(energy, "cause");
    }
    return cause;
}

const char *joules_missing(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads)
{
    const json_t *pass = decoded_with(view, model, kernel, threads);
    const char *said = view_text(pass, "joules_per_token_reason"), *cause = counters_cause(view);
    if (*cause)
        return cause;
    if (!*said) /* too few windows */
        said = view_text(json_object_get(pass, "joules_per_token"), "why");
    return *said ? said : pass ? "the run does not say why" : "no token was decoded with these weights";
}
