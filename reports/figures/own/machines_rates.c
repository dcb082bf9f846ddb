/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/machine_rows.h"
#include "reports/select/run/reported.h"

enum { FAMILIES = 32 };

static void put(struct machine_panel *panel, const char *title, double order, size_t machine, double value,
                const char *what)
{
    struct machine_row *row = value > 0 ? machine_row_of(panel, title, order) : NULL;
    if (!row)
        return;
    row->value[machine] = value;
    snprintf(row->what[machine], sizeof row->what[machine], "%s", what);
}

/* One thread from every level, and all of them from memory. */
static void add_betas(const struct view *run, size_t machine, struct machine_panel *panel)
{
    char title[64], what[96];
    double beta;
    unsigned team = machine_widest_team(run, &beta);
    for (size_t i = 0; i < VIEW_LEVELS; i++) {
        const json_t *roof = view_roof(run, view_levels[i], 1);
        snprintf(title, sizeof title, "%s, 1 thread", view_levels[i]);
        put(panel, title, 0 - (double)i, machine, view_median(roof, "bytes_per_cycle_per_core"),
            view_text(roof, "stream"));
    }
    snprintf(what, sizeof what, "%u threads", team);
    if (team > 1)
        put(panel, "memory, all threads", -9, machine, beta, what);
}

static void add_gammas(const struct view *run, size_t machine, struct machine_panel *panel)
{
    const json_t *best[FAMILIES];
    size_t count = reported_best_gammas(run, best, FAMILIES);
    for (size_t i = 0; i < count; i++) {
        char title[64];
        figure_family_label(best[i], title, sizeof title);
        put(panel, title, 2 * view_format_bits(best[i]) + 0.01 * view_is_paper(best[i]), machine,
            view_median(best[i], "gamma"), view_text(best[i], "name"));
    }
}

static void add(const struct view *run, size_t machine, struct machine_rows *rows)
{
    add_betas(run, machine, &rows->panels[0]);
    add_gammas(run, machine, &rows->panels[1]);
}

static const struct machine_form form = {
    .add = add,
    .panels = {{"β (B/cycle/core)", "%.3g", NULL},
               {"γ of the best sequence of each width (cycles per 32 weights)", "%.2f", NULL}},
};

const struct figure figure_machines_rates = {
    .name = "machines_rates",
    .title = "β and γ by machine",
    .caption =
        "Above, what one core reads per core cycle from each level of the memory, and from memory while all read. "
        "Below, what up-converting and multiplying 32 weights takes in core cycles with the best sequence of each "
        "width, a paper's or ours, on any ISA. The numbers are on the right. Cycles are each machine's own, so clocks "
        "do not matter. The axes are logarithmic.",
    .units = "bytes per core cycle and core; core cycles per output vector of 32 weights",
    .lacking = "β with numbers",
    .measured_by = "kneepoint characterize",
    .rank = 13,
    .section = FIGURE_FIRST,
    .of_runs = true,
    .needs = NEEDS(VIEW_BETA),
    .frame = &machine_frame,
    .of = &form,
};
