/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "reports/draw/figure.h"
#include "reports/draw/frames/machine_rows.h"
#include "reports/select/run/reported.h"
#include "results/files/need.h"
#include "roofline/ebw.h"

enum { FAMILIES = 32 };

/* The best sequence of each family, on each machine. */
static void add_knees(const struct view *run, size_t machine, struct machine_panel *panel)
{
    const json_t *best[FAMILIES];
    size_t count = reported_best_gammas(run, best, FAMILIES);
    for (size_t i = 0; i < count; i++) {
        char title[64];
        figure_family_label(best[i], title, sizeof title);
        struct machine_row *row =
            machine_row_of(panel, title, 2 * view_format_bits(best[i]) + 0.01 * view_is_paper(best[i]));
        if (!row)
            continue;
        row->value[machine] = roofline_knee(4 * view_bits(best[i]), view_median(best[i], "gamma"));
        snprintf(row->what[machine], sizeof row->what[machine], "%s", view_text(best[i], "name"));
    }
    machine_widest_team(run, &panel->line[machine]);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const struct view *runs[MACHINE_ROWS_RUNS];
    struct machine_rows *rows = need(1, sizeof *rows);
    if (!rows)
        return -ENOMEM;
    rows->runs = runs;
    rows->run_count = machine_rows_runs(view, runs);
    rows->panel_count = 1;
    rows->panels[0].title = "knee B/γ (B/cycle); dotted: β, all cores reading";
    rows->panels[0].format = "%.3g";
    rows->panels[0].line_name = "β";
    for (size_t i = 0; i < rows->run_count; i++)
        add_knees(runs[i], i, &rows->panels[0]);
    int error = machine_rows_write(rows, settings, data);
    free(rows);
    return error;
}

const struct figure figure_machines_knee = {
    .name = "machines_knee",
    .title = "The knees of several machines",
    .caption =
        "A row is the best sequence of a width, a paper's or ours, on any ISA; a mark is its knee on a machine, B/γ, "
        "and the numbers are on the right. The dotted line of a machine is its β, the bytes per core cycle that "
        "memory gives one core while all read. A sequence whose knee lies to the right of the line of its machine can "
        "ride the memory roof there; one to the left is bound by its instructions. The axis is logarithmic.",
    .units = "bytes per core cycle and core",
    .lacking = "β and γ with numbers",
    .measured_by = "kneepoint characterize",
    .rank = 12,
    .section = FIGURE_FIRST,
    .of_runs = true,
    .needs = NEEDS(VIEW_BETA) | NEEDS(VIEW_GAMMA),
    .drawn_by = "machine_rows",
    .write = write,
};
