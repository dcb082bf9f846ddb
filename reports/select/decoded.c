/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/decoded.h"

#include <string.h>

/** Rows of a model and team with a number, of which `fits` takes those wanted; the fastest of them. */
static const json_t *fastest(const struct view *view, const char *model, unsigned threads, const char *format,
                             size_t length, const char *sequence)
{
    const struct view_rows *rows = &view->of[VIEW_DECODE];
    const json_t *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        double tokens = view_median(row, "tokens_per_s");
        if (strcmp(view_text(row, "model"), model) != 0 || view_number(row, "threads") != threads || !(tokens > 0) ||
            strncmp(view_text(row, "format"), format, length) != 0 ||
            (sequence && strcmp(view_text(row, "sequence"), sequence) != 0))
            continue;
        if (!best || tokens > view_median(best, "tokens_per_s"))
            best = row;
    }
    return best;
}

const json_t *decoded_fastest(const struct view *view, const char *model, const char *format_prefix, unsigned threads)
{
    return fastest(view, model, threads, format_prefix, strlen(format_prefix), NULL);
}

const json_t *decoded_with(const struct view *view, const char *model, const char *format, const char *sequence,
                           unsigned threads)
{
    return fastest(view, model, threads, format, strlen(format) + 1, sequence);
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
