/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/side_by_side.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/machines/outliers.h"

enum { COLUMNS_MAX = SHARED_ROWS_KEYS + 2 * SIDE_BY_SIDE_MAX };

struct columns {
    json_t *index[SIDE_BY_SIDE_MAX];
    size_t runs;
};

static struct columns columns_open(const struct shared_rows *kind, const struct view *views, size_t count)
{
    struct columns columns = {.runs = count};
    for (size_t i = 0; i < count; i++)
        columns.index[i] = shared_rows_of(kind, &views[i]);
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
    for (int i = 0; i < SHARED_ROWS_KINDS; i++) {
        struct columns columns = columns_open(&shared_rows_kinds[i], views, count);
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

static void write_row(const struct shared_rows *kind, const struct columns *columns, const char *key, FILE *html)
{
    const json_t *first = json_object_get(columns->index[0], key);
    fputs("<tr>", html);
    for (size_t i = 0; i < SHARED_ROWS_KEYS && kind->keys[i].field; i++) {
        if (*kind->keys[i].heading == '#')
            html_number(html, "%.0f", view_number(first, kind->keys[i].field));
        else
            html_cell(html, view_text(first, kind->keys[i].field));
    }
    for (size_t i = 0; i < columns->runs; i++) {
        const json_t *row = json_object_get(columns->index[i], key);
        html_number(html, kind->format, view_median(row, kind->field) * kind->scale);
        if (!i)
            continue;
        html_number(html, within_noise(first, row, kind->field) ? "≈ %.3f" : "%.3f",
                    view_median(row, kind->field) / view_median(first, kind->field));
    }
    fputs("</tr>\n", html);
}

static char letter(size_t run)
{
    return (char)('A' + run);
}

static void write_kind(const struct shared_rows *kind, const struct view *views, size_t count, FILE *html)
{
    char names[2 * SIDE_BY_SIDE_MAX][32];
    const char *headings[COLUMNS_MAX + 1];
    size_t at = 0;
    struct columns columns = columns_open(kind, views, count);
    size_t shared = count_shared(&columns);
    for (; at < SHARED_ROWS_KEYS && kind->keys[at].field; at++)
        headings[at] = kind->keys[at].heading;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[2 * i], sizeof *names, "#%c, %s", letter(i), kind->unit);
        headings[at++] = names[2 * i];
        snprintf(names[2 * i + 1], sizeof *names, "#%c/A", letter(i));
        if (i)
            headings[at++] = names[2 * i + 1];
    }
    headings[at] = NULL;
    fprintf(html, "<h3>%s</h3>\n", kind->title);
    if (!shared) {
        fprintf(html,
                "<p class=\"absent\">A has nothing here in common with the others; <code>%s</code> measures "
                "it.</p>\n",
                view_type_command(kind->type));
    } else {
        html_table_begin(html, &(struct html_table){kind->id, kind->title, kind->about, kind->example, headings});
        const char *key;
        json_t *row;
        json_object_foreach(columns.index[0], key, row)
        {
            if (is_shared(&columns, key))
                write_row(kind, &columns, key, html);
        }
        html_table_end(html);
        if (shared < json_object_size(columns.index[0]))
            fprintf(html, "<p class=\"about\">%zu more were measured in A only.</p>\n",
                    json_object_size(columns.index[0]) - shared);
    }
    columns_close(&columns);
}

/* What lessens trust in the numbers of a run. */
static void write_state(const struct view *view, FILE *html)
{
    char state[160];
    fputs(view_run_state(view, state, sizeof state), html);
    fputs(view_flag(view->meta, "dirty") ? "; build with uncommitted changes" : "", html);
    if (view->records->bad_lines)
        fprintf(html, "; %zu lines wrong and left out", view->records->bad_lines);
}

static void write_fact(const char *before, const char *fact, FILE *html)
{
    if (!*fact)
        return;
    fputs(before, html);
    markup_text(html, fact);
}

void side_by_side_run(const struct view *view, size_t number, size_t count, FILE *html)
{
    if (count <= SIDE_BY_SIDE_MAX)
        fprintf(html, "<dt>%c: ", letter(number));
    else
        fprintf(html, "<dt>%zu: ", number + 1);
    markup_text(html, view_machine_name(view));
    fputs("</dt><dd>", html);
    markup_text(html, view->path);
    write_fact(" · node ", view_text(view->meta, "node"), html);
    write_fact(" · ", view_microarchitecture(view), html);
    write_fact(" · by its features; ", view_contradiction(view), html);
    if (isfinite(view_clock_hz(view)))
        fprintf(html, " · %.3f GHz", view_clock_hz(view) / 1e9);
    write_fact(" · started ", view_text(view->meta, "started"), html);
    write_fact(" · revision ", view_text(view->meta, "revision"), html);
    fputs(" · ", html);
    write_state(view, html);
    fputs("</dd>\n", html);
}

static void write_columns(const struct side_by_side *page, FILE *html)
{
    fputs("<p class=\"about\">A ratio is the value of a run over that of A; ≈ marks overlapping 95% intervals. Values "
          "measured in A only are left out. Whether a difference is a regression is decided by <code>kneepoint "
          "compare</code>.</p>\n",
          html);
    for (int i = 0; i < SHARED_ROWS_KINDS; i++)
        write_kind(&shared_rows_kinds[i], page->views, page->count, html);
}

char *side_by_side_text(const struct side_by_side *page, size_t *length)
{
    char *text = NULL;
    FILE *html = page_begin(&text, length, "runs side by side");
    if (!html)
        return NULL;
    fprintf(html, "<header>\n<p class=\"brand\">Kneepoint</p>\n<h1>%zu runs side by side</h1>\n</header>\n",
            page->count);
    fprintf(html, "<dl class=\"runs\">\n%s</dl>\n", page->runs_html);
    outliers_write(page->outliers, html);
    for (size_t i = 0; page->page && i < page->page->figure_count; i++)
        page_write_figure(&page->page->figures[i], page->views, page->count, html);
    if (page->views)
        write_columns(page, html);
    return page_end(html, &text);
}
