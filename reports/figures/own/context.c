/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/tokens/decoded.h"

/* Above tokens a second over the positions that a token attends to, below the share of attention: a curve a kernel, team and cache. */
enum { CURVES = 6, POINTS = 32 };

struct curve {
    const json_t *rows[POINTS]; /* by context */
    size_t count;
};

static const char *cache_of(const json_t *row)
{
    const char *cache = view_text(row, "cache");
    return cache[0] ? cache : "bf16"; /* former runs have no other */
}

static bool is_of(const json_t *row, const json_t *other)
{
    static const char *const texts[] = {"model", "name", "head"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(view_text(row, texts[i]), view_text(other, texts[i])) != 0)
            return false;
    }
    return strcmp(cache_of(row), cache_of(other)) == 0 && view_number(row, "threads") == view_number(other, "threads");
}

static int by_context(const void *a, const void *b)
{
    double x = view_number(*(const json_t *const *)a, "context"), y = view_number(*(const json_t *const *)b, "context");
    return (x > y) - (x < y);
}

/* Tokens of one user, with keys and values in bf16 first; NULL past the last. */
static const json_t *token_at(const struct view *view, size_t i)
{
    const struct view_rows *rows = &view->of[VIEW_DECODE], *cached = &view->of[VIEW_CACHED];
    return i < rows->count ? rows->rows[i] : i < rows->count + cached->count ? cached->rows[i - rows->count] : NULL;
}

/* Those with two contexts and more. */
static size_t find_curves(const struct view *view, struct curve curves[CURVES])
{
    size_t found = 0;
    const json_t *first, *row;
    for (size_t i = 0; (first = token_at(view, i)) && found < CURVES; i++) {
        struct curve *curve = &curves[found];
        bool again = false;
        for (size_t c = 0; c < found; c++)
            again = again || is_of(curves[c].rows[0], first);
        curve->count = 0;
        for (size_t j = i; !again && (row = token_at(view, j)) && curve->count < POINTS; j++) {
            if (is_of(first, row) && view_median(row, "tokens_per_s") > 0)
                curve->rows[curve->count++] = row;
        }
        qsort(curve->rows, curve->count, sizeof *curve->rows, by_context);
        found += curve->count > 1;
    }
    return found;
}

static const char *model_of(const json_t *row)
{
    return view_text(row, "model");
}

static bool are_alike(const struct curve *curves, size_t count, const char *(*text_of)(const json_t *row))
{
    bool alike = true;
    for (size_t c = 1; c < count; c++)
        alike = alike && strcmp(text_of(curves[c].rows[0]), text_of(curves[0].rows[0])) == 0;
    return alike;
}

static void write_curve(const struct curve *curve, FILE *data)
{
    fprintf(
        data,
        "# %s, %s, keys and values in %s: positions, tokens a second, as the model predicts, attention in percent of the time\n",
        model_of(curve->rows[0]), view_text(curve->rows[0], "name"), cache_of(curve->rows[0]));
    for (size_t i = 0; i < curve->count; i++)
        fprintf(data, "%g %.6g %.6g %.6g\n", view_number(curve->rows[i], "context"),
                view_median(curve->rows[i], "tokens_per_s"), 1 / view_number(curve->rows[i], "predicted_s"),
                100 * decoded_share(curve->rows[i], "attention"));
    fputs("\n\n", data);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct curve curves[CURVES];
    size_t count = find_curves(view, curves);
    double least = INFINITY, most = 0;
    bool predicted = false;
    if (!count)
        return -ENODATA;
    const bool one_model = are_alike(curves, count, model_of), one_cache = are_alike(curves, count, cache_of);
    struct settings_array titles = settings_texts(settings, "curve_title", count);
    for (size_t c = 0; c < count; c++) {
        const double threads = view_number(curves[c].rows[0], "threads");
        array_text(&titles, "%.40s%s%.80s, %s%s%g thread%s", one_model ? "" : model_of(curves[c].rows[0]),
                   one_model ? "" : ": ", view_text(curves[c].rows[0], "name"),
                   one_cache ? "" : cache_of(curves[c].rows[0]), one_cache ? "" : " cache, ", threads,
                   threads == 1 ? "" : "s");
        write_curve(&curves[c], data);
        for (size_t i = 0; i < curves[c].count; i++) {
            least = fmin(least, view_number(curves[c].rows[i], "context"));
            most = fmax(most, view_number(curves[c].rows[i], "context"));
            predicted = predicted || view_number(curves[c].rows[i], "predicted_s") > 0;
        }
    }
    if (one_model)
        fprintf(settings, "heading = heading.', %s'\n", model_of(curves[0].rows[0]));
    fprintf(settings,
            "curves = %zu\npredicted = %d\nx_min = %g\nx_max = %g\nwidth = 1080\nheight = 560\nnarrow_height = 640\n",
            count, predicted, least, most);
    return 0;
}

const struct figure figure_context = {
    .name = "context",
    .title = "What a longer context costs",
    .caption =
        "Tokens a second of one token through all layers, over the positions whose keys and values it attends to, and "
        "below the share of the time that attention takes. Matrices take the same time whatever the context; keys and "
        "values are read once a token, so their time grows with the positions, and less in a cache of fewer bits. Dashed: the model, of GEMVs by their "
        "gamma and the read roof, and attention by its own omega; left out where it is not known.",
    .units = "positions; tokens per second; percent",
    .lacking = "tokens with more than one context",
    .measured_by = "kneepoint decode --context=128,512,2048,8192",
    .rank = 52,
    .section = FIGURE_TOKENS,
    .write = write,
};
