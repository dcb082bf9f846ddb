/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/machine_rows.h"
#include "reports/select/run/reported.h"
#include "roofline/ebw.h"

enum { FAMILIES = 32 };

/* The best sequence of each family, on each machine. */
static void add(const struct view *run, size_t machine, struct machine_rows *rows)
{
    struct machine_panel *panel = &rows->panels[0];
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

static const struct machine_form form = {
    .add = add,
    .panels = {{"knee B/γ (B/cycle); dotted: β, all cores reading", "%.3g", "β"}},
};

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
    .frame = &machine_frame,
    .of = &form,
};
