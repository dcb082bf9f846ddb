/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/machine_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "results/files/need.h"

enum { TEAMS = 64, ROW_HEIGHT = 22, PANEL_AROUND = 96, HEAD = 82 };

static const unsigned colours[MACHINE_ROWS_RUNS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                    0xe69f00, 0x56b4e9, 0x7a7a7a, 0x8c6d1f};
static const int marks[MACHINE_ROWS_RUNS] = {7, 5, 9, 13, 11, 15, 6, 4};

static size_t runs_of(const struct view *view, const struct view *runs[MACHINE_ROWS_RUNS])
{
    size_t count = view->run_count < MACHINE_ROWS_RUNS ? view->run_count : MACHINE_ROWS_RUNS;
    for (size_t i = 0; i < count; i++)
        runs[i] = &view->runs[i];
    if (!count)
        runs[count++] = view;
    return count;
}

unsigned machine_widest_team(const struct view *view, double *beta)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS);
    *beta = NAN;
    for (size_t i = count; i-- > 0;) {
        *beta = view_median(view_roof(view, "memory", teams[i]), "bytes_per_cycle_per_core");
        if (*beta > 0)
            return teams[i];
    }
    return 0;
}

struct machine_row *machine_row_of(struct machine_panel *panel, const char *title, double order)
{
    for (size_t i = 0; i < panel->row_count; i++) {
        if (strcmp(panel->rows[i].title, title) == 0)
            return &panel->rows[i];
    }
    if (panel->row_count == MACHINE_ROWS_MOST)
        return NULL;
    struct machine_row *row = &panel->rows[panel->row_count++];
    *row = (struct machine_row){.order = order};
    snprintf(row->title, sizeof row->title, "%s", title);
    for (size_t i = 0; i < MACHINE_ROWS_RUNS; i++)
        row->value[i] = NAN;
    return row;
}

static bool has_value(const struct machine_row *row)
{
    for (size_t i = 0; i < MACHINE_ROWS_RUNS; i++) {
        if (row->value[i] > 0)
            return true;
    }
    return false;
}

/* Those with a value, by insertion, which keeps equal ones in place. */
static void put_rows_in_order(struct machine_panel *panel)
{
    size_t kept = 0;
    for (size_t i = 0; i < panel->row_count; i++) {
        struct machine_row row = panel->rows[i];
        size_t at = kept;
        if (!has_value(&row))
            continue;
        for (; at && panel->rows[at - 1].order < row.order; at--)
            panel->rows[at] = panel->rows[at - 1];
        panel->rows[at] = row;
        kept++;
    }
    panel->row_count = kept;
}

static void write_points(const struct machine_panel *panel, FILE *data)
{
    fputs("# value, row, machine, mark, colour, text of the number, what was measured\n", data);
    for (size_t r = 0; r < panel->row_count; r++) {
        for (size_t i = 0; i < MACHINE_ROWS_RUNS; i++) {
            char text[32];
            if (!(panel->rows[r].value[i] > 0))
                continue;
            snprintf(text, sizeof text, panel->of->format, panel->rows[r].value[i]);
            gnuplot_write_row(data, panel->rows[r].what[i], "%.6g %zu %zu %d %u \"%s\" ", panel->rows[r].value[i],
                              r + 1, i + 1, marks[i], colours[i], text);
        }
    }
    fputs("\n\n", data);
}

static void write_lines(const struct machine_rows *rows, FILE *settings)
{
    double values[MACHINE_PANELS_MOST * MACHINE_ROWS_RUNS];
    size_t panel[MACHINE_PANELS_MOST * MACHINE_ROWS_RUNS], machine[MACHINE_PANELS_MOST * MACHINE_ROWS_RUNS], lines = 0;
    for (size_t p = 0; p < rows->panel_count; p++) {
        for (size_t i = 0; rows->panels[p].of->line_name && i < rows->run_count; i++) {
            if (!(rows->panels[p].line[i] > 0))
                continue;
            values[lines] = rows->panels[p].line[i];
            panel[lines] = p;
            machine[lines++] = i;
        }
    }
    fprintf(settings, "lines = %zu\n", lines);
    set_numbers(settings, "line_at", lines, i, values[i]);
    set_numbers(settings, "line_panel", lines, i, (double)(panel[i] + 1));
    set_texts(settings, "line_title", lines, i, "%s of %c: %.3g", rows->panels[panel[i]].of->line_name,
              (char)('A' + machine[i]), values[i]);
}

/* Lowest and highest of a panel, lines included. */
static void range_of(const struct machine_panel *panel, size_t runs, double range[2])
{
    range[0] = INFINITY;
    range[1] = 0;
    for (size_t i = 0; i < runs; i++) {
        for (size_t r = 0; r <= panel->row_count; r++) {
            double value = r < panel->row_count   ? panel->rows[r].value[i]
                           : panel->of->line_name ? panel->line[i]
                                                  : (double)NAN;
            if (value > 0) {
                range[0] = fmin(range[0], value);
                range[1] = fmax(range[1], value);
            }
        }
    }
}

static void write_machines(const struct machine_rows *rows, FILE *settings)
{
    fprintf(settings, "machines = %zu\n", rows->run_count);
    struct settings_array titles = settings_texts(settings, "machine_title", rows->run_count);
    for (size_t i = 0; i < rows->run_count; i++) {
        const struct view *run = rows->runs[i];
        const char *core = view_microarchitecture(run);
        double beta;
        unsigned team = machine_widest_team(run, &beta);
        array_text(&titles, "%c  %.40s%s%.40s, %u thread%s, %s", (char)('A' + i), view_machine_name(run),
                   *core ? ", " : "", core, team, plural(team), view_run_name(run));
    }
    set_numbers(settings, "machine_mark", rows->run_count, i, marks[i]);
    set_colours(settings, "machine_colour", rows->run_count, i, colours[i]);
}

static void write_panels(const struct machine_rows *rows, FILE *settings)
{
    size_t total = 0, count = rows->panel_count;
    double ranges[MACHINE_PANELS_MOST][2];
    fprintf(settings, "panels = %zu\n", count);
    for (size_t p = 0; p < count; p++) {
        range_of(&rows->panels[p], rows->run_count, ranges[p]);
        total += rows->panels[p].row_count;
    }
    set_texts(settings, "panel_title", count, p, "%s", rows->panels[p].of->title);
    set_numbers(settings, "panel_rows", count, p, (double)rows->panels[p].row_count);
    set_numbers(settings, "panel_low", count, p, ranges[p][0] / 1.25);
    set_numbers(settings, "panel_high", count, p, ranges[p][1] * 1.25);
    struct settings_array names = settings_texts(settings, "row_title", total);
    for (size_t p = 0; p < count; p++) {
        for (size_t r = 0; r < rows->panels[p].row_count; r++)
            array_text(&names, "%s", rows->panels[p].rows[r].title);
    }
    size_t height = HEAD + 22 * rows->run_count + count * PANEL_AROUND + total * ROW_HEIGHT;
    fprintf(settings, "row_height = %d\npanel_around = %d\nwidth = 760\nheight = %zu\nnarrow_height = %zu\n",
            ROW_HEIGHT, PANEL_AROUND, height, height - HEAD + 20);
}

static int write_rows(struct machine_rows *rows, FILE *settings, FILE *data)
{
    size_t kept = 0;
    for (size_t p = 0; p < rows->panel_count; p++) {
        put_rows_in_order(&rows->panels[p]);
        if (rows->panels[p].row_count && kept != p)
            rows->panels[kept] = rows->panels[p];
        kept += rows->panels[p].row_count > 0;
    }
    rows->panel_count = kept;
    if (!kept)
        return -ENODATA;
    for (size_t p = 0; p < kept; p++)
        write_points(&rows->panels[p], data);
    write_lines(rows, settings);
    write_machines(rows, settings);
    write_panels(rows, settings);
    return 0;
}

static int write(const struct figure *figure, const struct view *view, FILE *settings, FILE *data)
{
    const struct machine_form *form = figure->of;
    struct machine_rows *rows = need(1, sizeof *rows);
    if (!rows)
        return -ENOMEM;
    rows->run_count = runs_of(view, rows->runs);
    for (size_t p = 0; p < MACHINE_PANELS_MOST && form->panels[p].title; p++)
        rows->panels[rows->panel_count++].of = &form->panels[p];
    for (size_t i = 0; i < rows->run_count; i++)
        form->add(rows->runs[i], i, rows);
    int error = write_rows(rows, settings, data);
    free(rows);
    return error;
}

const struct frame machine_frame = {.name = "machine_rows", .write = write};
