/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/side_by_side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/cells.h"
#include "reports/html.h"
#include "reports/page.h"

enum { KEYS_MAX = 6, COLUMNS_MAX = KEYS_MAX + 2 * SIDE_BY_SIDE_MAX };

/* A table: rows are what has the same keys, with the better one where a run has several. */
struct comparing {
    const char *id, *title, *about, *example;
    enum view_type type;
    const char *field, *unit, *format;
    double scale; /* of the field to the unit */
    struct {
        const char *field, *heading; /* heading with '#': a number */
    } keys[KEYS_MAX];
    bool (*counts)(const json_t *row);
    bool (*better)(const json_t *row, const json_t *than);
};

static bool always(const json_t *row)
{
    (void)row;
    return true;
}

static bool is_usable(const json_t *gamma)
{
    return view_flag(gamma, "usable");
}

static bool is_roof_or_faster(const json_t *row, const json_t *than)
{
    if (view_flag(row, "roof") != view_flag(than, "roof"))
        return view_flag(row, "roof");
    return view_median(row, "bytes_per_s") > view_median(than, "bytes_per_s");
}

static bool is_cheaper(const json_t *row, const json_t *than)
{
    return view_median(row, "gamma") < view_median(than, "gamma");
}

static const struct comparing comparings[] = {
    {.id = "beta",
     .title = "β: read bandwidth",
     .about = "The roof of each level and team, GB/s. A ratio above 1 is more bandwidth.",
     .example = "memory",
     .type = VIEW_BETA,
     .field = "bytes_per_s",
     .unit = "GB/s",
     .format = "%.2f",
     .scale = 1e-9,
     .keys = {{"level", "level"}, {"threads", "#threads"}},
     .counts = always,
     .better = is_roof_or_faster},
    {.id = "gamma",
     .title = "γ: up-convert and multiply",
     .about =
         "The lowest γ of each sequence with enough accumulators for a kernel, core cycles per vector of 32 weights. A "
         "ratio below 1 is fewer cycles; clocks do not count.",
     .example = "int2 paper",
     .type = VIEW_GAMMA,
     .field = "gamma",
     .unit = "cycles",
     .format = "%.3f",
     .scale = 1,
     .keys = {{"name", "sequence"}},
     .counts = is_usable,
     .better = is_cheaper},
    {.id = "gemv",
     .title = "GEMV cells",
     .about =
         "Weights read per second, GB/s, of valid cells. A ratio above 1 is a faster product; cells of another packing "
         "compare by bytes, not by time.",
     .example = "int1 4096 cold",
     .type = VIEW_GEMV,
     .field = "bytes_per_s",
     .unit = "GB/s",
     .format = "%.2f",
     .scale = 1e-9,
     .keys = {{"name", "kernel"},
              {"m", "#rows"},
              {"k", "#columns"},
              {"n", "#n"},
              {"threads", "#threads"},
              {"protocol", "weights"}},
     .counts = cells_is_valid,
     .better = is_roof_or_faster},
};
enum { COMPARINGS = sizeof comparings / sizeof *comparings };

/* The keys of a row as one string. Caller frees. */
static char *key_of(const struct comparing *comparing, const json_t *row)
{
    json_t *parts = json_array();
    for (size_t i = 0; i < KEYS_MAX && comparing->keys[i].field; i++) {
        json_t *value = json_object_get(row, comparing->keys[i].field);
        json_array_append_new(parts, json_is_number(value) ? json_real(json_number_value(value))
                                     : value               ? json_incref(value)
                                                           : json_null());
    }
    char *key = json_dumps(parts, JSON_COMPACT);
    json_decref(parts);
    return key;
}

/* Key -> record of a run, in order of appearance; owned by the caller. */
static json_t *rows_by_key(const struct comparing *comparing, const struct view *view)
{
    json_t *index = json_object();
    for (size_t i = 0; index && i < view->of[comparing->type].count; i++) {
        const json_t *row = view->of[comparing->type].rows[i];
        if (!comparing->counts(row) || !(view_median(row, comparing->field) > 0))
            continue;
        char *key = key_of(comparing, row);
        const json_t *known = key ? json_object_get(index, key) : NULL;
        if (key && (!known || comparing->better(row, known)))
            json_object_set(index, key, (json_t *)row);
        free(key);
    }
    return index;
}

struct columns {
    json_t *index[SIDE_BY_SIDE_MAX];
    size_t runs;
};

static struct columns columns_open(const struct comparing *comparing, const struct view *views, size_t count)
{
    struct columns columns = {.runs = count};
    for (size_t i = 0; i < count; i++)
        columns.index[i] = rows_by_key(comparing, &views[i]);
    return columns;
}

static void columns_close(struct columns *columns)
{
    for (size_t i = 0; i < columns->runs; i++)
        json_decref(columns->index[i]);
}

static bool is_shared(const struct columns *columns, const char *key)
{
    for (size_t i = 1; i < columns->runs; i++) {
        if (json_object_get(columns->index[i], key))
            return true;
    }
    return false;
}

static size_t count_shared(const struct columns *columns)
{
    const char *key;
    json_t *row;
    size_t shared = 0;
    json_object_foreach(columns->index[0], key, row) shared += is_shared(columns, key);
    return shared;
}

size_t side_by_side_common(const struct view *views, size_t count)
{
    size_t shared = 0;
    for (int i = 0; i < COMPARINGS; i++) {
        struct columns columns = columns_open(&comparings[i], views, count);
        shared += count_shared(&columns);
        columns_close(&columns);
    }
    return shared;
}

static bool interval_of(const json_t *row, const char *field, double *low, double *high)
{
    const json_t *interval = json_object_get(json_object_get(row, field), "ci95");
    *low = json_number_value(json_array_get(interval, 0));
    *high = json_number_value(json_array_get(interval, 1));
    return json_array_size(interval) == 2;
}

/* Whether the 95% intervals meet; false where one is not known. */
static bool within_noise(const json_t *a, const json_t *b, const char *field)
{
    double a_low, a_high, b_low, b_high;
    return interval_of(a, field, &a_low, &a_high) && interval_of(b, field, &b_low, &b_high) && a_low <= b_high &&
           b_low <= a_high;
}

static void write_row(const struct comparing *comparing, const struct columns *columns, const char *key, FILE *html)
{
    const json_t *first = json_object_get(columns->index[0], key);
    fputs("<tr>", html);
    for (size_t i = 0; i < KEYS_MAX && comparing->keys[i].field; i++) {
        if (*comparing->keys[i].heading == '#')
            html_number(html, "%.0f", view_number(first, comparing->keys[i].field));
        else
            html_cell(html, view_text(first, comparing->keys[i].field));
    }
    for (size_t i = 0; i < columns->runs; i++) {
        const json_t *row = json_object_get(columns->index[i], key);
        html_number(html, comparing->format, view_median(row, comparing->field) * comparing->scale);
        if (!i)
            continue;
        html_number(html, within_noise(first, row, comparing->field) ? "≈ %.3f" : "%.3f",
                    view_median(row, comparing->field) / view_median(first, comparing->field));
    }
    fputs("</tr>\n", html);
}

static char letter(size_t run)
{
    return (char)('A' + run);
}

static void write_comparing(const struct comparing *comparing, const struct view *views, size_t count, FILE *html)
{
    char names[2 * SIDE_BY_SIDE_MAX][32];
    const char *headings[COLUMNS_MAX + 1];
    size_t at = 0;
    struct columns columns = columns_open(comparing, views, count);
    size_t shared = count_shared(&columns);
    for (; at < KEYS_MAX && comparing->keys[at].field; at++)
        headings[at] = comparing->keys[at].heading;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[2 * i], sizeof *names, "#%c, %s", letter(i), comparing->unit);
        headings[at++] = names[2 * i];
        snprintf(names[2 * i + 1], sizeof *names, "#%c/A", letter(i));
        if (i)
            headings[at++] = names[2 * i + 1];
    }
    headings[at] = NULL;
    fprintf(html, "<h3>%s</h3>\n", comparing->title);
    if (!shared) {
        fprintf(html, "<p class=\"absent\">A and the others share none; <code>%s</code> measures them.</p>\n",
                view_type_command(comparing->type));
    } else {
        html_table_begin(html, &(struct html_table){comparing->id, comparing->about, comparing->example, headings});
        const char *key;
        json_t *row;
        json_object_foreach(columns.index[0], key, row)
        {
            if (is_shared(&columns, key))
                write_row(comparing, &columns, key, html);
        }
        html_table_end(html);
        if (shared < json_object_size(columns.index[0]))
            fprintf(html, "<p class=\"about\">%zu more in A alone.</p>\n", json_object_size(columns.index[0]) - shared);
    }
    columns_close(&columns);
}

/* What lessens trust in the numbers of a run. */
static void write_state(const struct view *view, FILE *html)
{
    const char *state = "complete";
    if (view_flag(view->meta, "synthetic"))
        state = "synthetic, nothing was measured";
    else if (!view->end)
        state = "did not end in order";
    else if (view_flag(view->end, "interrupted"))
        state = "interrupted";
    else if (!view_flag(view->end, "complete"))
        state = "incomplete, its budget was spent";
    fputs(state, html);
    fputs(view_flag(view->meta, "dirty") ? "; build with uncommitted changes" : "", html);
    if (view->records->bad_lines)
        fprintf(html, "; %zu lines wrong and left out", view->records->bad_lines);
}

static void write_fact(const char *before, const char *fact, FILE *html)
{
    if (!*fact)
        return;
    fputs(before, html);
    html_text(html, fact);
}

static void write_runs(const struct view *views, size_t count, FILE *html)
{
    fputs("<dl class=\"runs\">\n", html);
    for (size_t i = 0; i < count; i++) {
        const struct view *view = &views[i];
        fprintf(html, "<dt>%c: ", letter(i));
        html_text(html, view_machine_name(view));
        fputs("</dt><dd>", html);
        html_text(html, view->path);
        write_fact(" · ", view_microarchitecture(view), html);
        if (isfinite(view_clock_hz(view)))
            fprintf(html, " · %.3f GHz", view_clock_hz(view) / 1e9);
        write_fact(" · started ", view_text(view->meta, "started"), html);
        write_fact(" · revision ", view_text(view->meta, "revision"), html);
        fputs(" · ", html);
        write_state(view, html);
        fputs("</dd>\n", html);
    }
    fputs("</dl>\n", html);
}

char *side_by_side_text(const struct view *views, size_t count, size_t *length)
{
    char *text = NULL;
    FILE *html = open_memstream(&text, length);
    if (!html)
        return NULL;
    page_begin(html, "runs side by side");
    fprintf(html, "<header>\n<p class=\"brand\">Kneepoint</p>\n<h1>%zu runs side by side</h1>\n</header>\n", count);
    write_runs(views, count, html);
    fputs(
        "<p class=\"about\">A ratio is the number of a run over that of A; ≈ where their 95% intervals meet. What A "
        "and "
        "no other run measured is left out. Whether a difference is a regression is for <code>kneepoint compare</code> "
        "to say.</p>\n",
        html);
    for (int i = 0; i < COMPARINGS; i++)
        write_comparing(&comparings[i], views, count, html);
    page_end(html);
    bool failed = ferror(html);
    if (fclose(html) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
