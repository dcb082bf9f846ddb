/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/gamma_command/unpacking.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/unpack.h"
#include "harness/cmd/console/quantities.h"
#include "harness/plugin/given_name.h"

static bool is_meant(const struct session *session, const struct kernel *kernel, const char *name,
                     const struct name_filter *filter)
{
    return unpack_has(kernel) && session_runs(session, kernel->isa) &&
           (!name || given_name_means(name, kernel->name)) && name_filter_has_kernel(filter, kernel) &&
           !plugins_fault(&session->plugins, kernel->name);
}

bool unpacking_means(const struct session *session, const char *name, const struct name_filter *filter)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (is_meant(session, *kernel, name, filter))
            return true;
    }
    return false;
}

int unpacking_add(struct cells *cells, const struct session *session, const char *name,
                  const struct name_filter *filter)
{
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (is_meant(session, *kernel, name, filter))
            error = unpack_add_tokens(cells, *kernel);
    }
    return error;
}

/** Cycles per output vector alone, with its half interval; with tokens per vector and token. */
static void print_cell(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record = summary_record(session, cells, cell);
    if (!unpack_cell(cell)->tokens) {
        printf("%-40s", cell->kernel->name);
        print_median(record, "cycles_per_vector", 1, 8, 3);
        print_half_interval(record, "cycles_per_vector", 1, 6, 3);
        printf(" %-5s", quantity_grade(record, "cycles_per_vector"));
    } else {
        print_median(record, "gamma", 1, 7, 3);
    }
    json_decref(record);
}

void unpacking_print(const struct session *session, const struct cells *cells)
{
    bool any = false;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!unpack_cell(cell) || !cell->samples.count)
            continue;
        if (!any)
            printf("%s%-40s %8s %6s %-5s %7s %7s %7s %7s %7s\n", i ? "\n" : "", "kernel that unpacks to scratch",
                   "gamma_up", "+-", "grade", "n = 1", "4", "8", "16", "32");
        any = true;
        print_cell(session, cells, cell);
        if (unpack_cell(cell)->tokens == UNPACK_TOKENS_MOST)
            putchar('\n');
    }
    if (any)
        puts(
            "\ngamma_up: core cycles to unpack an output vector of 32 weights from a cache to the kernel's scratch. n: "
            "with the products of so\nmany tokens, as the kernel interleaves them, per output vector and token; of many "
            "tokens gamma_up no longer shows.");
}
