/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/draw/figure.h"

/**
 * Numbers of several machines as a dot plot: a panel has a row for each thing that was measured, on it a mark for each machine, and
 * the numbers themselves at the right. Machines have the letters that the report of several runs gives them. Drawn by
 * reports/draw/frames/machine_rows.gnuplot; the .dat has a block for each panel (value, row, machine, mark, colour, number, what).
 */
enum { MACHINE_ROWS_RUNS = 8, MACHINE_ROWS_MOST = 40, MACHINE_PANELS_MOST = 2 };

/** A row and its value on each machine, NaN where it has none. */
struct machine_row {
    char title[64];
    double order; /* rows stand by it, the greatest first; those of the same in order of appearance */
    double value[MACHINE_ROWS_RUNS];
    char what[MACHINE_ROWS_RUNS][128]; /* said on hover: the sequence, the stream */
};

struct machine_panel {
    const struct machine_title {
        const char *title, *format; /* printf format of a number */
        const char *line_name;      /* "β"; NULL: no lines */
    } * of;
    struct machine_row rows[MACHINE_ROWS_MOST];
    size_t row_count;
    double line[MACHINE_ROWS_RUNS]; /* across all rows; NaN: none */
};

struct machine_rows {
    const struct view *runs[MACHINE_ROWS_RUNS]; /* those that the view stands among, or it alone */
    size_t run_count;
    struct machine_panel panels[MACHINE_PANELS_MOST];
    size_t panel_count;
};

struct machine_form {
    void (*add)(const struct view *run, size_t machine,
                struct machine_rows *rows);           /* what one machine has of each panel */
    struct machine_title panels[MACHINE_PANELS_MOST]; /* to the first without one */
};

/**
 * The row of that title of a panel, made if need be with no value.
 * @return NULL: there is no room for another
 */
struct machine_row *machine_row_of(struct machine_panel *panel, const char *title, double order);

/** Of a figure whose `of` is a struct machine_form. Rows without any value > 0 are left out. */
extern const struct frame machine_frame;

/** The widest team whose memory roof is known in bytes per core cycle, and that; 0 and NaN without any. */
unsigned machine_widest_team(const struct view *view, double *beta);
