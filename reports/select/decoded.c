/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/decoded.h"

#include <string.h>

/* Whether a row is a pass through a model on a team, with a number. */
static bool is_pass(const json_t *row, const char *model, unsigned threads)
{
    return strcmp(view_text(row, "model"), model) == 0 && view_number(row, "threads") == threads &&
           view_median(row, "tokens_per_s") > 0;
}

static const json_t *faster(const json_t *best, const json_t *row)
{
    return !best || view_median(row, "tokens_per_s") > view_median(best, "tokens_per_s") ? row : best;
}

const json_t *decoded_fastest(const struct view *view, const char *model, const char *format_prefix, unsigned threads)
{
    const struct view_rows *rows = &view->of[VIEW_DECODE];
    const json_t *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if (is_pass(row, model, threads) &&
            strncmp(view_text(row, "format"), format_prefix, strlen(format_prefix)) == 0)
            best = faster(best, row);
    }
    return best;
}

static bool has_wide_head(const json_t *row)
{
    const char *format = view_text(row, "head_format");
    return strcmp(format, "f16") == 0 || strcmp(format, "bf16") == 0;
}

const json_t *decoded_with(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads)
{
    const struct view_rows *rows = &view->of[VIEW_DECODE];
    const json_t *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if (is_pass(row, model, threads) && has_wide_head(row) && token_kernel_is(kernel, row))
            best = faster(best, row);
    }
    return best;
}

unsigned decoded_team(const struct view *view)
{
    const struct view_rows *rows = &view->of[VIEW_DECODE];
    double widest = 0;
    for (size_t i = 0; i < rows->count; i++) {
        double threads = view_number(rows->rows[i], "threads");
        if (threads > widest && view_median(rows->rows[i], "tokens_per_s") > 0)
            widest = threads;
    }
    return (unsigned)widest;
}
