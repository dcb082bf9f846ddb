/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/sweeps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_line(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_format_bits(left) - view_format_bits(right);
    if (wider != 0)
        return wider > 0 ? 1 : -1;
    int name = strcmp(view_text(left, "format"), view_text(right, "format"));
    if (!name)
        name = strcmp(view_text(left, "name"), view_text(right, "name"));
    double more = view_number(left, "accumulators") - view_number(right, "accumulators");
    return name ? name : (more > 0) - (more < 0);
}

static bool same(const json_t *a, const json_t *b, const char *field)
{
    return strcmp(view_text(a, field), view_text(b, field)) == 0;
}

static size_t isa_index(struct sweeps *sweeps, const char *isa)
{
    for (size_t i = 0; i < sweeps->isas; i++) {
        if (strcmp(sweeps->isa[i], isa) == 0)
            return i;
    }
    if (sweeps->isas == SWEEPS_ISAS)
        return SWEEPS_ISAS - 1;
    sweeps->isa[sweeps->isas] = isa;
    return sweeps->isas++;
}

static void cut_into_lines(struct sweeps *sweeps)
{
    for (size_t i = 0; i < sweeps->count; i++) {
        const json_t *row = sweeps->rows[i], *before = i ? sweeps->rows[i - 1] : NULL;
        bool panel = !before || !same(row, before, "format") || view_format_bits(row) != view_format_bits(before);
        bool line = panel || !same(row, before, "sequence") ||
                    !same(row, before, "name"); /* records from elsewhere may have one name for all */
        if (line && sweeps->lines == SWEEPS_LINES) {
            sweeps->count = i;
            return;
        }
        if (panel)
            sweeps->panel[sweeps->panels++] = (struct sweep_panel){.first = sweeps->lines};
        if (line) {
            sweeps->line[sweeps->lines++] = (struct sweep_line){i, 0, isa_index(sweeps, view_text(row, "isa"))};
            sweeps->panel[sweeps->panels - 1].count++;
        }
        sweeps->line[sweeps->lines - 1].count++;
    }
}

void sweeps_select(const struct view *view, struct sweeps *sweeps)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count && sweeps->count < SWEEPS_ROWS; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_median(row, "gamma") > 0 && view_number(row, "accumulators") >= 1 && view_format_bits(row) > 0 &&
            !view_is_experiment(row))
            sweeps->rows[sweeps->count++] = row;
    }
    qsort(sweeps->rows, sweeps->count, sizeof *sweeps->rows, by_line);
    cut_into_lines(sweeps);
}
