/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What every figure selects from the records of a run.
 *
 * json: one object a line
 */
#include <stdlib.h>

#include "fuzz/frame/target.h"
#include "reports/draw/figure.h"

static void select_all(const struct view *view)
{
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    char why[1024] = "";
    for (size_t i = 0; i < count; i++) {
        char *settings = NULL, *data = NULL;
        if (figure_select(figures[i], view, &settings, &data, why, sizeof why))
            hold_refusal(why);
        free(settings);
        free(data);
    }
}

FUZZ_TARGET(bytes, length)
{
    struct run_records records;
    struct view view;
    char why[512] = "";
    if (run_read(fuzz_file(bytes, length), &records, why, sizeof why))
        return;
    if (view_open("given", &records, &view) == 0) {
        select_all(&view);
        view_close(&view);
    }
    run_records_free(&records);
}
