/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/gamma/unpacking.h"

#include <stdio.h>
#include <string.h>

#include "harness/cells/unpack/unpack.h"
#include "harness/command/exit_code.h"
#include "harness/plugin/name_argument.h"

static bool is_meant(const struct session *session, const struct kernel *kernel, const char *name,
                     const struct name_filter *filter)
{
    return unpack_has(kernel) && session_runs(session, kernel->isa) &&
           (!name || name_argument_means(name, kernel->name)) && name_filter_has_kernel(filter, kernel) &&
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

/* ---- the table: one row a kernel, with what it takes by tokens ---- */

enum { COUNTS = 5 };

static const size_t counts[COUNTS] = {1, 4, 8, 16, 32};
static const char *const fields[COUNTS] = {"gamma_1", "gamma_4", "gamma_8", "gamma_16", "gamma_32"};

static const struct table_column columns[] = {
    {"kernel that unpacks to scratch", "kernel", .left = true, .clips = 24},
    {"gamma_up", "cycles_per_vector", TABLE_NUMBER, .digits = 3, .rank = 1},
    {"+-", "cycles_per_vector", TABLE_HALF, .digits = 3, .rank = 4},
    {"grade", "cycles_per_vector", TABLE_GRADE, .rank = 5, .left = true},
    {"n = 1", "gamma_1", TABLE_NUMBER, .digits = 3, .rank = 2},
    {"4", "gamma_4", TABLE_NUMBER, .digits = 3, .rank = 3},
    {"8", "gamma_8", TABLE_NUMBER, .digits = 3, .rank = 3},
    {"16", "gamma_16", TABLE_NUMBER, .digits = 3, .rank = 3},
    {"32", "gamma_32", TABLE_NUMBER, .digits = 3, .rank = 2},
};

static const struct table table = {.type = "unpack", .columns = columns, .count = sizeof columns / sizeof *columns};

/** What it takes with tokens goes into the row of its kernel. */
static void add_to_row(json_t *rows, const struct cell *cell, json_t *record)
{
    json_t *row;
    size_t at;
    json_array_foreach(rows, at, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "kernel")), cell->kernel->name) != 0)
            continue;
        for (size_t i = 0; i < COUNTS; i++) {
            if (counts[i] == unpack_cell(cell)->tokens)
                json_object_set(row, fields[i], json_object_get(record, "gamma"));
        }
    }
    json_decref(record);
}

int unpacking_print(const char *command, const struct session *session, const struct cells *cells, bool after,
                    const struct table_view *view)
{
    json_auto_t *rows = json_array();
    const struct table_view unsorted = {.wide = view->wide};
    int code = EXIT_DONE;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!unpack_cell(cell) || !cell->samples.count)
            continue;
        json_t *record = summary_record(session, cells, cell);
        json_object_set_new(record, "kernel", json_string(cell->kernel->name));
        if (unpack_cell(cell)->tokens)
            add_to_row(rows, cell, record);
        else
            json_array_append_new(rows, record);
    }
    if (json_array_size(rows)) {
        fputs(after ? "\n" : "", stdout);
        code = table_show(command, &table, rows, &unsorted);
        console_print_text(
            "\ngamma_up: core cycles to unpack an output vector of 32 weights from a cache to the kernel's scratch. "
            "n: the same with\nthe products of n tokens, interleaved as in the kernel, per output vector and token; "
            "with many tokens gamma_up no\nlonger shows.\n");
    }
    return code;
}
