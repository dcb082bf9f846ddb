/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "harness/cells/product/product_cell.h"
#include "harness/cmd/product/product_command.h"

/** Whether no cell before this one is of its kernel. */
static bool is_first_of_kernel(const struct cells *cells, const struct cell *cell)
{
    for (const struct cell *other = cells->cell; other < cell; other++) {
        if (other->kernel == cell->kernel && other->samples.count)
            return false;
    }
    return true;
}

void product_print_renderings(const struct session *session, const struct cells *cells)
{
    bool begun = false;
    for (const struct cell *cell = cells->cell; cell < cells->cell + cells->count; cell++) {
        if (!cell->kernel || !cell->kernel->differs || !cell->samples.count ||
            (gemv_cell(cell) && gemv_cell(cell)->beside) || plugins_fault(&session->plugins, cell->kernel->name) ||
            !is_first_of_kernel(cells, cell))
            continue;
        if (!begun)
            puts("\nRenderings of published kernels, and how they differ from the originals:");
        begun = true;
        char line[2048];
        snprintf(line, sizeof line, "%s: %s: %s\n", cell->kernel->name, cell->kernel->origin, cell->kernel->differs);
        console_print_text(line);
    }
}
