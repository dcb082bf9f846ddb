/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "harness/cells/repack/repack.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command/exit_code.h"

static const char *note_text(const json_t *record, char *text, size_t size)
{
    const char *why = json_string_value(json_object_get(record, "pays_after_tokens_reason"));
    snprintf(text, size, "%s", why ? why : "");
    return text;
}

static const struct table_column columns[] = {
    {.heading = "order", .field = "name", .left = true, .explains = "format of the repacked blocks"},
    {.heading = "rows", .field = "rows", .left = true, .explains = "format of the file that they are from"},
    {.heading = "shape", .field = "m", .text = product_shape_text},
    {.heading = "thr", .field = "threads"},
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 2},
    {.heading = "GB/s",
     .field = "bytes_per_s",
     .value = TABLE_NUMBER,
     .scale = 1e-9,
     .digits = 2,
     .rank = 5,
     .explains = "packed bytes, each read once and written once"},
    {.heading = "MB twice",
     .field = "bytes_held_twice",
     .value = TABLE_NUMBER,
     .scale = 1e-6,
     .digits = 2,
     .rank = 6,
     .explains = "packed weights that memory holds twice meanwhile"},
    {.heading = "rows us",
     .field = "rows_gemv_s",
     .value = TABLE_NUMBER,
     .scale = 1e6,
     .digits = 2,
     .rank = 3,
     .explains = "the fastest cold GEMV of the rows"},
    {.heading = "order us",
     .field = "order_gemv_s",
     .value = TABLE_NUMBER,
     .scale = 1e6,
     .digits = 2,
     .rank = 4,
     .explains = "the fastest cold GEMV of the order"},
    {.heading = "pays",
     .field = "pays_after_tokens",
     .value = TABLE_NUMBER,
     .digits = 1,
     .rank = 1,
     .explains = "GEMVs after which repacking has taken less time than they save"},
};

const struct table product_repacking_table = {.type = "repack",
                                              .title = "Repacking",
                                              .columns = columns,
                                              .count = sizeof columns / sizeof *columns,
                                              .needs = "time_s",
                                              .note = note_text};

int product_print_repacking(const char *command, const struct session *session, const struct cells *cells,
                            const struct table_view *view)
{
    json_t *rows = json_array();
    const struct table_view unsorted = {.wide = view->wide};
    int code = EXIT_DONE;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = repack_cell(cell) ? summary_record(session, cells, cell) : NULL;
        if (record)
            json_array_append_new(rows, record);
    }
    if (json_array_size(rows)) {
        console_print_text("\nRepacking from the rows of a model file to the order of a kernel:\n");
        code = table_show(command, &product_repacking_table, rows, &unsorted);
    }
    json_decref(rows);
    return code;
}
