/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_FRAMES_MACHINE_ROWS_H
#define REPORTS_DRAW_FRAMES_MACHINE_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "reports/select/run/view.h"

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
    const char *title, *format; /* printf format of a number */
    struct machine_row rows[MACHINE_ROWS_MOST];
    size_t row_count;
    double line[MACHINE_ROWS_RUNS]; /* across all rows; NaN: none */
    const char *line_name;          /* "β"; NULL: no lines */
};

struct machine_rows {
    const struct view *const *runs;
    size_t run_count;
    struct machine_panel panels[MACHINE_PANELS_MOST];
    size_t panel_count;
};

/** The runs of a figure: those that the view stands among, or it alone. @return how many, at most MACHINE_ROWS_RUNS */
size_t machine_rows_runs(const struct view *view, const struct view *runs[MACHINE_ROWS_RUNS]);

/**
 * The row of that title of a panel, made if need be with no value.
 * @return NULL: there is no room for another
 */
struct machine_row *machine_row_of(struct machine_panel *panel, const char *title, double order);

/** A figure's write(). Rows without any value > 0 are left out. @return 0; -ENODATA where no panel has a row */
int machine_rows_write(struct machine_rows *rows, FILE *settings, FILE *data);

/** The widest team whose memory roof is known in bytes per core cycle, and that; 0 and NaN without any. */
unsigned machine_widest_team(const struct view *view, double *beta);

#endif
