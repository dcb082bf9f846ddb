/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "harness/cells/repack.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/product_command/product_command.h"

static void print_row(const json_t *record)
{
    char shape[32];
    const json_t *why = json_object_get(record, "pays_after_tokens_reason");
    snprintf(shape, sizeof shape, "%lldx%lld", (long long)json_integer_value(json_object_get(record, "m")),
             (long long)json_integer_value(json_object_get(record, "k")));
    printf("%-14s %-8s %12s %3lld", json_string_value(json_object_get(record, "name")),
           json_string_value(json_object_get(record, "rows")), shape,
           (long long)json_integer_value(json_object_get(record, "threads")));
    if (!print_unless_few(record, "time_s"))
        return;
    print_median(record, "time_s", 1e6, 10, 2);
    print_median(record, "bytes_per_s", 1e-9, 8, 2);
    print_median(record, "bytes_held_twice", 1e-6, 8, 2);
    print_median(record, "rows_gemv_s", 1e6, 10, 2);
    print_median(record, "order_gemv_s", 1e6, 10, 2);
    print_median(record, "pays_after_tokens", 1, 7, 1);
    printf("%s%s\n", json_is_string(why) ? "  " : "", json_is_string(why) ? json_string_value(why) : "");
}

void product_print_repacking(const struct session *session, const struct cells *cells)
{
    bool any = false;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = repack_cell(cell) ? summary_record(session, cells, cell) : NULL;
        if (record && !any)
            printf(
                "\nRepacking, from the rows that a model file holds to the order of a kernel; both are held meanwhile. "
                "rows, order: the fastest\ncold GEMV of each. pays: after so many GEMVs repacking has taken less time "
                "than they save.\n%-14s %-8s %12s %3s %10s %8s %8s %10s %10s %7s\n",
                "order", "rows", "shape", "thr", "time us", "GB/s", "MB twice", "rows us", "order us", "pays");
        if (record)
            print_row(record);
        any = any || record;
        json_decref(record);
    }
}
